import Contacts
import HubKit
import HubRuntimeTesting
import Storage
import TestSupport
import Testing
import WebServer

@testable import HubRuntime

/// Routes of a plugin that answer with ranges, streams and events.
struct StreamRouteTests {
    private let hub: TestHub

    init() throws { hub = try TestHub(ContactsPlugin.self) }

    private func call(_ answer: RouteAnswer, _ headers: [String: String] = [:]) async throws -> HTTPResponse {
        let route = Route(.get, "/api/contacts/sound", summary: "play a sound") { (_: ContactsPlugin, _) in answer }
        let host = hub.hub()
        var request = HTTPRequest(method: .get, target: try #require(RequestTarget("/api/contacts/sound")))
        for (name, value) in headers { request.headers[name] = value }
        let response = try await WebRoute(route, of: "contacts", host: host, log: Log(label: "test") { _, _, _ in })
            .handler(request, [:])
        await host.openedDatabase?.close()
        return response
    }

    @Test func `a file is answered in ranges, with the name to save it by`() async throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("0123456789", to: "sound.wav")
        let content = try await RouteContent(
            path: path, contentType: "audio/wav", version: "h1", fileName: "a b.wav")
        #expect(content.length == 10)
        #expect(try await content.read(3..<6) == Array("345".utf8))
        let part = try await call(.content(content), ["Range": "bytes=2-4"])
        #expect(part.status == 206)
        #expect(part.headers["Content-Range"] == "bytes 2-4/10")
        #expect(part.headers["ETag"] == "\"h1\"")
        #expect(part.headers["Content-Disposition"] == "attachment; filename*=UTF-8''a%20b.wav")
        #expect(part.streamLength == 3)
        await #expect(throws: HubError.self) {
            try await RouteContent(path: folder.path, contentType: "audio/wav", version: "h1")
        }
    }

    @Test func `a stream and events are sent piece by piece`() async throws {
        let stream = try await call(.stream(contentType: "text/csv") { send in try await send(Array("a,b".utf8)) })
        #expect(stream.headers["Content-Type"] == "text/csv")
        guard case .stream = stream.body else {
            Issue.record("the body is not a stream")
            return
        }
        let events = try await call(.events { send in try await send(RouteEvent(name: "tick", data: "1", id: "7")) })
        #expect(events.headers["Content-Type"] == "text/event-stream")
        guard case .endless = events.body else {
            Issue.record("the body is not a stream of events")
            return
        }
    }
}
