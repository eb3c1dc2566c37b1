import Commands
import HubRuntimeTesting
import Testing
import WebServer

@testable import Cellar

/// The routes of the plugin.
struct CellarRouteTests {
    private let hub: TestHub

    init() throws { hub = try TestHub(CellarPlugin.self) }

    private func json(_ response: HTTPResponse) throws -> JSONValue { try JSONReader.read(Array(response.text.utf8)) }

    @Test func `an item is added, read, changed and removed over HTTP`() async throws {
        let added = try await hub.request(.post, "/api/cellar", #"{"name": "First", "day": "2030-01-31"}"#)
        #expect(added.status == 201)
        let place = try #require(added.headers["Location"])
        let revision = try #require(try json(try await hub.request(.get, place))["revision"]?.integer)
        let body = #"{"name": "Second", "day": ""}"#
        let changed = try await hub.request(.put, place, body, headers: ["If-Match": "\"\(revision)\""])
        #expect(try json(changed)["name"]?.string == "Second")
        let late = await #expect(throws: HubError.self) {
            try await hub.request(.put, place, body, headers: ["If-Match": "\"\(revision)\""])
        }
        #expect(late?.code == "edit-conflict")
        let list = try json(try await hub.request(.get, "/api/cellar?q=sec&limit=5"))
        #expect(list.array?.map { $0["name"]?.string } == ["Second"])
        let removed = try await hub.request(.delete, place)
        #expect(removed.headers["Hub-Operation"] != nil)
        #expect(try json(try await hub.request(.get, "/api/cellar")).array?.isEmpty == true)
    }

    @Test(arguments: [
        (HTTPMethod.post, "/api/cellar", "x", "json-invalid"), (.post, "/api/cellar", "{}", "field-invalid"),
        (.post, "/api/cellar", #"{"name": "A", "day": "soon"}"#, "date-invalid"),
        (.put, "/api/cellar/7kt", #"{"name": "A"}"#, "revision-missing"),
        (.get, "/api/cellar?limit=0", "", "field-invalid"), (.get, "/api/cellar/7kt", "", "bottle-not-found"),
    ])
    func `an invalid request is refused`(method: HTTPMethod, path: String, body: String, code: String) async throws {
        let error = await #expect(throws: HubError.self) { try await hub.request(method, path, body) }
        #expect(error?.code == code)
    }
}
