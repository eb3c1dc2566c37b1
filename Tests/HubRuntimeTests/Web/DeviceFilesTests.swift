import Contacts
import DAVServer
import HubKit
import HubKitTesting
import HubRuntimeTesting
import TestSupport
import Testing
import WebServer

@testable import HubRuntime

/// Files of other programs on a device, through all parts but the socket.
struct DeviceFilesTests {
    private let test: TestHub
    private let hub: Hub
    private let app: DeviceApp
    private let user: String
    private let reader: String

    init() async throws {
        test = try TestHub(ContactsPlugin.self)
        hub = test.hub()
        let store = DeviceStore(try hub.database())
        user = "laptop:\(try await store.add("laptop", scopes: [.files], isReadOnly: false))"
        reader = "reader:\(try await store.add("reader", scopes: [.files], isReadOnly: true))"
        app = DeviceApp(
            [], folders: try DeviceListener.folders(hub), store: store,
            names: DeviceApp.hosts(of: .loopback(port: 4843), names: [], isEncrypted: false), clock: test.clock,
            requests: DeviceLog(hub), log: Log(label: "test") { _, _, _ in })
    }

    private func ask(
        _ method: String, _ path: String, _ body: String = "", _ headers: HTTPHeaders = [:], as other: String? = nil
    ) async throws -> HTTPResponse {
        var request = HTTPRequest(
            method: HTTPMethod(rawValue: method), target: try #require(RequestTarget(path)),
            headers: [
                "Host": "127.0.0.1:4843", "Authorization": "Basic " + Base64.encode(Array((other ?? user).utf8)),
                "User-Agent": "App/1.0",
            ], body: Array(body.utf8))
        for field in headers.fields { request.headers[field.name] = field.value }
        return await app.respond(to: request)
    }

    private static let lockInfo = """
        <d:lockinfo xmlns:d="DAV:"><d:lockscope><d:exclusive/></d:lockscope><d:locktype><d:write/></d:locktype>\
        <d:owner>ada</d:owner></d:lockinfo>
        """

    @Test func `a file is written, read in parts, copied and moved; each change is undone`() async throws {
        #expect(try await ask("MKCOL", "/files/a").status == 201)
        #expect(try await ask("MKCOL", "/files/a").status == 405)
        #expect(try await ask("PUT", "/files/none/x", "1").status == 409)
        let made = try await ask("PUT", "/files/a/x%20y.txt", "0123456789")
        let etag = try #require(made.headers["ETag"])
        #expect(made.status == 201)
        #expect(try await ask("PUT", "/files/a/x%20y.txt", "2", ["If-Match": "\"other\""]).status == 412)
        #expect(try await ask("PUT", "/files/a/x%20y.txt", "2", ["If-None-Match": "*"]).status == 412)
        #expect(try await ask("PUT", "/files/a/x%20y.txt", "2", ["If": "([\"other\"])"]).status == 412)
        let part = try await ask("GET", "/files/a/x%20y.txt", "", ["Range": "bytes=2-4", "If-Range": etag])
        #expect(part.status == 206 && part.headers["Content-Range"] == "bytes 2-4/10")
        #expect(part.text == "234")
        let stale = try await ask("GET", "/files/a/x%20y.txt", "", ["Range": "bytes=2-4", "If-Range": "\"old\""])
        #expect(stale.status == 200)
        #expect(try await ask("GET", "/files/a/x%20y.txt", "", ["Range": "bytes=10-"]).status == 416)
        #expect(try await ask("GET", "/files/a/x%20y.txt", "", ["If-None-Match": etag]).status == 304)

        let there = "http://127.0.0.1:4843/files/b"
        #expect(try await ask("COPY", "/files/a", "", ["Destination": there]).status == 201)
        #expect(try await ask("COPY", "/files/a", "", ["Destination": there, "Overwrite": "F"]).status == 412)
        #expect(try await ask("COPY", "/files/a", "", ["Destination": there, "Depth": "0"]).status == 204)
        #expect(try await ask("GET", "/files/b/x%20y.txt").status == 404)
        #expect(try await ask("MOVE", "/files/a", "", ["Destination": "/files/a/inside"]).status == 403)
        #expect(try await ask("MOVE", "/files/a", "", ["Destination": "http://other/files/c"]).status == 502)
        #expect(try await ask("MOVE", "/files/a", "", ["Destination": "/files/none/c"]).status == 409)
        #expect(try await ask("MOVE", "/files/a", "", ["Destination": "/files/b"]).status == 204)
        let all = try await ask("PROPFIND", "/files/", "", ["Depth": "infinity"])
        #expect(all.text.contains("<d:href>/files/b/x%20y.txt</d:href>"))
        test.clock.advance(by: .seconds(60))
        #expect(try await ask("DELETE", "/files/b").status == 204)
        #expect(try await ask("GET", "/files/b/x%20y.txt").status == 404)

        let history = await test.run("history --plain=id")
        let operation = try #require(history.output.split(separator: "\n").first)
        let undo = await test.run("undo \(operation)")
        #expect(undo.exit == 0, "\(undo.all)")
        #expect(try await ask("GET", "/files/b/x%20y.txt").text == "0123456789")
        #expect(try await ask("PUT", "/files/b/x%20y.txt", "no", as: reader).status == 403)
        #expect(try await ask("GET", "/files/b/x%20y.txt", as: reader).status == 200)
        await hub.close()
    }

    @Test func `what is locked changes only for who has the token`() async throws {
        let lock = try await ask("LOCK", "/files/new.txt", Self.lockInfo, ["Timeout": "Second-60", "Depth": "0"])
        let token = try #require(lock.headers["Lock-Token"])
        #expect(lock.status == 201)
        #expect(lock.text.contains("<d:owner>ada</d:owner><d:timeout>Second-60</d:timeout>"))
        let head = try await ask("HEAD", "/files/new.txt")
        #expect(head.status == 200 && head.headers["ETag"] == lock.headers["ETag"])
        #expect(try await ask("LOCK", "/files/new.txt", Self.lockInfo).status == 423)
        #expect(try await ask("PUT", "/files/new.txt", "1").status == 423)
        let written = try await ask(
            "PUT", "/files/new.txt", "1",
            ["If": "<http://127.0.0.1:4843/files/new.txt> (\(token))", "If-Match": head.headers["ETag"] ?? ""])
        #expect(written.status == 204)
        #expect(try await ask("DELETE", "/files/new.txt").status == 423)
        #expect(try await ask("MOVE", "/files/new.txt", "", ["Destination": "/files/b"]).status == 423)
        #expect(try await ask("LOCK", "/files/new.txt", "", ["If": "(\(token))", "Timeout": "Second-9"]).status == 200)
        test.clock.advance(by: .seconds(10))
        #expect(try await ask("PUT", "/files/new.txt", "2", ["If": "(\(token))"]).status == 412)
        #expect(try await ask("PUT", "/files/new.txt", "2").status == 204)
        // One that is never written leaves nothing.
        let other = try await ask("LOCK", "/files/other", Self.lockInfo)
        let otherToken = try #require(other.headers["Lock-Token"])
        #expect(try await ask("UNLOCK", "/files/other", "", ["Lock-Token": "<urn:uuid:0>"]).status == 409)
        #expect(try await ask("UNLOCK", "/files/other", "", ["Lock-Token": otherToken]).status == 204)
        #expect(try await ask("GET", "/files/other").status == 404)
        await hub.close()
    }

    @Test func `properties of programs are kept, all or none`() async throws {
        func patch(_ properties: String) -> String {
            "<d:propertyupdate xmlns:d='DAV:' xmlns:z='urn:z'><d:set><d:prop>\(properties)</d:prop></d:set>"
                + "</d:propertyupdate>"
        }
        _ = try await ask("PUT", "/files/a", "1")
        let mixed = try await ask("PROPPATCH", "/files/a", patch("<z:x>1</z:x><d:getetag>2</d:getetag>")).text
        #expect(mixed.contains("424 Failed Dependency") && mixed.contains("403 Forbidden"))
        _ = try await ask("PROPPATCH", "/files/a", patch("<z:x>1 &lt; 2<z:y a='&amp;'>é</z:y></z:x>"))
        let found = try await ask(
            "PROPFIND", "/files/a", "<d:propfind xmlns:d='DAV:' xmlns:z='urn:z'><d:prop><z:x/></d:prop></d:propfind>",
            ["Depth": "0"]
        ).text
        #expect(
            found.contains(
                "<x:x xmlns:x=\"urn:z\">1 &lt; 2<x:y xmlns:x=\"urn:z\" a=\"&amp;\">é</x:y></x:x>"), "\(found)")
        await hub.close()
    }
}
