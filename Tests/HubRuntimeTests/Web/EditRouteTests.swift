import Contacts
import HubKit
import HubRuntimeTesting
import Storage
import Testing
import WebServer

@testable import HubRuntime

/// New, changed and removed contacts over HTTP, and how the page takes them back.
struct EditRouteTests {
    private let hub: TestHub

    init() throws { hub = try TestHub(ContactsPlugin.self) }

    /// The answer of a declared route, or of the one that undoes.
    private func call(
        _ method: HTTPMethod, _ pattern: String, _ body: String = "", id: String? = nil, revision: String? = nil
    ) async throws -> HTTPResponse {
        let host = hub.hub()
        let routes =
            ContactsPlugin.descriptor.routes.map {
                WebRoute($0, of: "contacts", host: host, log: Log(label: "test") { _, _, _ in })
            } + [.undo(host)]
        let route = try #require(routes.first { $0.method == method && $0.pattern == pattern })
        let path = pattern.replacing("{id}", with: id ?? "")
        var request = HTTPRequest(method: method, target: try #require(RequestTarget(path)), headers: [:])
        request.body = Array(body.utf8)
        request.headers["If-Match"] = revision.map { "\"\($0)\"" }
        do {
            let response = try await route.handler(request, id.map { ["id": $0] } ?? [:])
            await host.openedDatabase?.close()
            return response
        } catch {
            await host.openedDatabase?.close()
            throw error
        }
    }

    private func json(_ response: HTTPResponse) throws -> JSONValue {
        try JSONReader.read(Array(response.text.utf8))
    }

    private func refusal(_ ask: () async throws -> HTTPResponse) async throws -> HubError {
        try await #require(throws: HubError.self) { _ = try await ask() }
    }

    private static let ada = """
        {"form": [{"field": "name", "value": "Ada Lovelace"}, {"field": "phone", "kind": "mobile", "value": "+44 1"},
        {"field": "birthday", "value": "10.12.1815"}, {"field": "note", "value": "first line\\n second"}]}
        """

    @Test func `what a form says is made, changed, removed and taken back`() async throws {
        let made = try await call(.post, "/api/contacts", Self.ada)
        let id = try #require(try json(made)["id"]?.string)
        #expect(made.status == 201)
        #expect(made.headers["Location"] == "/api/contacts/\(id)")
        let read = try json(try await call(.get, "/api/contacts/{id}", id: id))
        let revision = try #require(read["revision"]?.integer)
        #expect(
            read["form"]?.array?.compactMap { $0["value"]?.string }
                == ["Ada Lovelace", "+44 1", "1815-12-10", "first line\n second"])

        let body = Self.ada.replacing("+44 1", with: "+44 2")
        let changed = try await call(.put, "/api/contacts/{id}", body, id: id, revision: String(revision))
        #expect(try json(changed)["changes"]?.array == [.string("phone mobile +44 2")])
        let again = try await call(.put, "/api/contacts/{id}", body, id: id, revision: String(revision + 1))
        #expect(try json(again)["changes"]?.array == [])

        let removed = try await call(.delete, "/api/contacts/{id}", id: id, revision: String(revision + 1))
        let operation = try #require(removed.headers["Hub-Operation"])
        #expect(await hub.run("contacts list --plain=name").output.isEmpty)
        let undone = try await call(.post, "/api/undo", #"{"operation": "\#(operation)"}"#)
        #expect(await hub.run("contacts list --plain=name").output == "Ada Lovelace\n")
        let back = try #require(undone.headers["Hub-Operation"])
        _ = try await call(.post, "/api/undo", #"{"operation": "\#(back)"}"#)
        #expect(await hub.run("contacts list --plain=name").output.isEmpty, "the undo of an undo does it again")
    }

    @Test func `an edit of another revision is refused, and one without any`() async throws {
        let made = try await call(.post, "/api/contacts", Self.ada)
        let id = try #require(try json(made)["id"]?.string)
        _ = await hub.run("contacts set \(id) title=Countess")
        let stale = try await refusal { try await call(.put, "/api/contacts/{id}", Self.ada, id: id, revision: "1") }
        #expect(stale.code == "edit-conflict")
        let bare = try await refusal { try await call(.put, "/api/contacts/{id}", Self.ada, id: id) }
        #expect(bare.code == "revision-missing")
        let gone = try await refusal { try await call(.delete, "/api/contacts/{id}", id: id, revision: "1") }
        #expect(gone.code == "edit-conflict")
    }

    @Test func `each value that is refused is told with its place`() async throws {
        let body = """
            {"form": [{"field": "name", "value": " "}, {"field": "email", "value": "ok@example.org"},
            {"field": "email", "value": "nonsense"}, {"field": "birthday", "value": "31.02.1985"}]}
            """
        let error = try await refusal { try await call(.post, "/api/contacts", body) }
        #expect(error.kind == .invalid)
        #expect(error.problems.map(\.field) == ["email", "birthday", "name"])
        #expect(error.problems.map(\.index) == [2, 3, 0])
        #expect(error.problems.map { $0.hint != nil } == [false, true, false])
        #expect(await hub.run("contacts list --plain=name").output.isEmpty)
        let control = #"{"form": [{"field": "name", "value": "a\u0007b"}]}"#
        #expect(try await refusal { try await call(.post, "/api/contacts", control) }.problems.first?.field == "name")
    }

    @Test(arguments: [
        "", "[]", "{}", #"{"form": {}}"#, #"{"form": [1]}"#, #"{"form": [{"field": "nonsense", "value": "x"}]}"#,
        #"{"form": [{"field": "name"}]}"#,
    ])
    func `a body that is no form is refused`(body: String) async throws {
        let code = body.hasPrefix("{") ? "form-unreadable" : "json-invalid"
        #expect(try await refusal { try await call(.post, "/api/contacts", body) }.code == code)
    }

    @Test func `an undo names its operation`() async throws {
        for body in ["", "{}", #"{"operation": ""}"#, #"{"operation": 1}"#] {
            #expect(try await refusal { try await call(.post, "/api/undo", body) }.code == "operation-missing")
        }
        let unknown = try await refusal { try await call(.post, "/api/undo", #"{"operation": "zzzz"}"#) }
        #expect(unknown.code == "operation-not-found")
    }

    @Test func `birthdays of the coming days are listed`() async throws {
        _ = await hub.run("contacts new Ada birthday=1815-12-10")
        _ = await hub.run("contacts new Bea birthday=--05-01")
        let coming = try #require(try json(try await call(.get, "/api/contacts/birthdays")).array)
        #expect(coming.map { $0["name"] } == [.string("Ada")])
        #expect(coming.first?["day"] == .string("2026-12-10"))
        #expect(coming.first?["age"]?.integer == 211)
    }
}
