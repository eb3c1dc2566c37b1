import HTTPClient
import NetworkTestSupport
import Testing

/// TLS, against a server whose authority only the test knows.
@Suite(.timeLimit(.minutes(20)))
struct HTTPSTests {
    @Test func `a server is trusted through its authority, and only under its name`() async throws {
        let server = try TLSServer()
        let request = HTTPRequest(.get, HTTPURL(host: "localhost", port: Int(server.port)))
        let trusting = HTTPClient(HTTPConfiguration(proxy: .none, trust: .authorities(file: server.authority)))
        #expect(try await trusting.sendPatiently(request).status == 200)
        for (client, host) in [(HTTPClient(HTTPConfiguration(proxy: .none)), "localhost"), (trusting, "127.0.0.1")] {
            let error = await #expect(throws: HTTPError.self) {
                try await client.sendPatiently(HTTPRequest(.get, HTTPURL(host: host, port: Int(server.port))))
            }
            guard case .tlsRefused? = error else {
                Issue.record("\(String(describing: error))")
                return
            }
        }
    }

    @Test func `a server without TLS, or a file of authorities that is not there, is refused`() async throws {
        let server = try ScriptedServer { connection in
            connection.send("HTTP/1.1 200 OK\r\n\r\n")
            connection.waitForEnd()
        }
        let request = HTTPRequest(.get, HTTPURL(host: "127.0.0.1", port: Int(server.port)))
        for trust in [.system, .authorities(file: "/nonexistent/ca.pem")] as [HTTPConfiguration.Trust] {
            let client = HTTPClient(HTTPConfiguration(proxy: .none, trust: trust))
            let error = await #expect(throws: HTTPError.self) { try await client.sendPatiently(request) }
            guard case .tlsRefused? = error else {
                Issue.record("\(String(describing: error))")
                return
            }
        }
    }
}
