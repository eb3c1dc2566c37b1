import HTTPClient
import NetworkTestSupport
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(20)))
struct HTTPClientTests {
    private let client = HTTPClient(HTTPConfiguration(proxy: .none))

    private func url(_ server: ScriptedServer, _ path: String = "/") -> HTTPURL {
        HTTPURL(scheme: .http, host: "127.0.0.1", port: Int(server.port), path: path)
    }

    @Test func `a request arrives as it was made, and its answer returns`() async throws {
        let seen = Mutex<ScriptedRequest?>(nil)
        let server = try ScriptedServer { connection in
            let request = connection.request()
            seen.withLock { $0 = request }
            connection.send("HTTP/1.1 100 Continue\r\n\r\n")
            connection.answer(207, ["X-Twice: 1", "x-twice: 2", "X-Folded: a", "\tb"], "body")
        }
        let request = HTTPRequest(
            HTTPMethod(rawValue: "PROPFIND"), url(server, "/ä/b%2Fc?q"), headers: ["Depth": "0", "X-Empty": ""],
            body: Array("asked".utf8), credentials: HTTPCredentials(user: "ann", password: "pä:ss"))
        let response = try await client.sendPatiently(request)
        #expect(response.status == 207 && response.body == Array("body".utf8) && response.url == request.url)
        #expect(response.headers.values("x-twice") == ["1", "2"] && response.headers["X-Folded"] == "a b")
        let sent = try #require(seen.withLock { $0 })
        #expect(sent.method == "PROPFIND" && sent.target == "/%C3%A4/b%2Fc?q" && sent.text == "asked")
        #expect(sent.headers["depth"] == "0" && sent.headers["x-empty"] == "" && sent.headers["user-agent"] == "hub")
        #expect(sent.headers["authorization"] == "Basic YW5uOnDDpDpzcw==")
        #expect(sent.headers["expect"] == nil && sent.headers["content-type"] == nil)
    }

    @Test(arguments: ["GET", "PUT", "DELETE", "REPORT", "POST", "MKCOL"])
    func `any method goes with and without a body`(method: String) async throws {
        let server = try ScriptedServer { connection in
            while let request = connection.request() {
                connection.answer(
                    200, [], "\(request.method) \(request.text) \(request.headers["content-length"] ?? "-")")
            }
        }
        for body in [nil, [], Array("text".utf8)] as [[UInt8]?] {
            let response = try await client.sendPatiently(
                HTTPRequest(HTTPMethod(rawValue: method), url(server), body: body))
            let length = body.map { String($0.count) } ?? "-"
            #expect(
                String(decoding: response.body, as: UTF8.self)
                    == "\(method) \(String(decoding: body ?? [], as: UTF8.self)) \(length)")
        }
    }

    @Test func `HEAD has no body to wait for`() async throws {
        let server = try ScriptedServer { connection in
            while connection.request() != nil {
                connection.send("HTTP/1.1 200 OK\r\nContent-Length: 99999999999\r\n\r\n")
            }
        }
        let response = try await client.sendPatiently(HTTPRequest(.head, url(server)))
        #expect(response.headers["content-length"] == "99999999999" && response.body == [])
    }

    @Test func `a connection is used again`() async throws {
        let server = try ScriptedServer { connection in
            while connection.request() != nil { connection.answer(200) }
        }
        let client = HTTPClient(HTTPConfiguration(proxy: .none, idleTime: .seconds(1_000_000)))
        for _ in 0..<20 { #expect(try await client.sendPatiently(HTTPRequest(.get, url(server))).status == 200) }
        #expect(server.connectionCount == 1)
    }

    @Test func `many requests go at once`() async throws {
        let server = try ScriptedServer { connection in
            while let request = connection.request() { connection.answer(200, [], request.target) }
        }
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for number in 0..<100 {
                group.addTask {
                    let response = try await client.sendPatiently(HTTPRequest(.get, url(server, "/\(number)")))
                    return String(decoding: response.body, as: UTF8.self) == "/\(number)"
                }
            }
            for try await isRight in group { #expect(isRight) }
        }
    }

    @Test func `digest credentials answer the challenge and the password stays here`() async throws {
        let seen = Mutex<[String]>([])
        let server = try ScriptedServer { connection in
            while let request = connection.request() {
                let proof = request.headers["authorization"] ?? ""
                seen.withLock { $0.append(proof) }
                if proof.contains("response=") {
                    connection.answer(200, [], request.text)
                } else {
                    connection.answer(401, [#"WWW-Authenticate: Digest realm="r", nonce="n", qop="auth""#], "no")
                }
            }
        }
        let request = HTTPRequest(
            .put, url(server), body: [0x61],
            credentials: HTTPCredentials(user: "u", password: "secret", scheme: .digest))
        let response = try await client.sendPatiently(request)
        #expect(response.status == 200 && response.body == [0x61])
        #expect(seen.withLock { $0.count } == 2 && !seen.withLock { $0.joined() }.contains("secret"))
    }

    @Test func `a closed client refuses and ends what waits`() async throws {
        let server = try ScriptedServer { connection in
            _ = connection.request()
            connection.waitForEnd()
        }
        let task = Task { [client] in try await client.sendPatiently(HTTPRequest(.get, url(server))) }
        while server.connectionCount == 0 {
            try Task.checkCancellation()
            await Task.yield()
        }
        await client.close()
        await #expect(throws: HTTPError.closed) { try await task.value }
        await #expect(throws: HTTPError.closed) { try await client.sendPatiently(HTTPRequest(.get, url(server))) }
    }

    @Test func `what would break the message is not sent`() async throws {
        let server = try ScriptedServer { $0.answer(200) }
        let requests = [
            HTTPRequest(HTTPMethod(rawValue: "GET /x"), url(server)),
            HTTPRequest(.get, url(server), headers: ["A": "b\r\nC: d"]),
            HTTPRequest(.get, url(server), headers: ["A b": "c"]), HTTPRequest(HTTPMethod(rawValue: ""), url(server)),
            HTTPRequest(.get, url(server), credentials: HTTPCredentials(user: "a:b", password: "c")),
        ]
        for request in requests {
            let error = await #expect(throws: HTTPError.self) { try await client.sendPatiently(request) }
            guard case .invalidRequest? = error else {
                Issue.record("\(request) \(String(describing: error))")
                return
            }
        }
        #expect(server.connectionCount == 0)
    }

    @Test func `passwords come from a file when the request brings none`() async throws {
        let folder = try TemporaryFolder()
        let file = try folder.write("machine 127.0.0.1 login ann password secret\n", to: "netrc")
        let client = HTTPClient(HTTPConfiguration(proxy: .none, passwords: .netrc(path: file)))
        let server = try ScriptedServer { connection in
            while let request = connection.request() {
                connection.answer(200, [], request.headers["authorization"] ?? "none")
            }
        }
        let response = try await client.sendPatiently(HTTPRequest(.get, url(server)))
        #expect(String(decoding: response.body, as: UTF8.self) == "Basic YW5uOnNlY3JldA==")
    }

    @Test func `the house's own server is understood`() async throws {
        let server = try HubServer()
        let body = String(repeating: "0123456789", count: 20_000)
        for method in ["POST", "PUT", "REPORT"] {
            let request = HTTPRequest(
                HTTPMethod(rawValue: method), HTTPURL(scheme: .http, host: "127.0.0.1", port: server.port, path: "/a"),
                body: Array(body.utf8))
            let response = try await client.sendPatiently(request)
            #expect(response.status == 200 && response.body == Array("\(method) /a \(body)".utf8))
        }
        await server.stop()
    }
}
