import HTTPClient
import NetworkTestSupport
import Sync
import SyncHTTP
import Testing

struct RemoteErrorTests {
    private func error(_ status: Int, _ headers: HTTPHeaders = HTTPHeaders()) throws -> RemoteError? {
        RemoteError(
            HTTPResponse(status: status, headers: headers, url: try #require(HTTPURL("https://shop.example.org/x"))))
    }

    @Test func `each status has the error that it stands for`() throws {
        for status in [200, 204, 299] { #expect(try error(status) == nil) }
        for status in [401, 403, 407] {
            #expect(try error(status) == .denied(reason: "shop.example.org responded with the status \(status)"))
        }
        for status in [404, 410] {
            #expect(try error(status) == .notFound(reason: "shop.example.org responded with the status \(status)"))
        }
        #expect(try error(429) == .busy(retryAfter: nil))
        #expect(try error(503, ["Retry-After": "7"]) == .busy(retryAfter: 7))
        #expect(try error(503, ["Retry-After": "-7"]) == .busy(retryAfter: 0))
        #expect(try error(503, ["Retry-After": "soon"]) == .busy(retryAfter: nil))
        for (status, kind) in [
            (502, "unreachable"), (522, "unreachable"), (500, "serverError"), (400, "refused"), (304, "refused"),
        ] {
            let found = try #require(try error(status))
            #expect("\(found)".hasPrefix(kind), "\(status): \(found)")
        }
    }

    @Test func `a client throws for a status, and for a server that has gone`() async throws {
        let server = try ScriptedServer { connection in
            while let request = connection.request() { connection.answer(request.target == "/good" ? 200 : 404) }
        }
        let client = HTTPClient()
        func get(_ path: String, port: UInt16? = nil) async throws(RemoteError) -> Int {
            guard let url = HTTPURL("http://127.0.0.1:\(port ?? server.port)\(path)") else { return 0 }
            return try await client.succeed(HTTPRequest(.get, url, deadlines: .patient)).status
        }
        #expect(try await get("/good") == 200)
        await #expect(throws: RemoteError.notFound(reason: "127.0.0.1 responded with the status 404")) {
            try await get("/other")
        }
        let nobody = try RefusingPort()
        let gone = await #expect(throws: RemoteError.self) { try await get("/good", port: nobody.port) }
        withExtendedLifetime(nobody) {}
        #expect(gone.map { "\($0)".hasPrefix("unreachable") } == true)
        await client.close()
    }
}
