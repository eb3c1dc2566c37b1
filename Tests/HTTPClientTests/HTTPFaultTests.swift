import HTTPClient
import NetworkTestSupport
import Synchronization
import Testing

/// Faults of a server or a network.
@Suite(.timeLimit(.minutes(20)))
struct HTTPFaultTests {
    private let client = HTTPClient(HTTPConfiguration(proxy: .none))

    private func request(
        _ server: ScriptedServer, _ path: String = "/", deadlines: HTTPDeadlines = .patient,
        maximumBody: Int = 1000
    ) -> HTTPRequest {
        HTTPRequest(
            .get, HTTPURL(scheme: .http, host: "127.0.0.1", port: Int(server.port), path: path),
            credentials: HTTPCredentials(user: "u", password: "p"), deadlines: deadlines, maximumBody: maximumBody)
    }

    private func failure(_ request: HTTPRequest) async -> HTTPError? {
        await #expect(throws: HTTPError.self) { try await client.send(request) }
    }

    @Test func `nobody there is unreachable`() async throws {
        let nobody = try RefusingPort()
        let url = try #require(HTTPURL("http://127.0.0.1:\(nobody.port)/"))
        guard case .unreachable? = await failure(HTTPRequest(.get, url, deadlines: .patient)) else {
            Issue.record("reached")
            return
        }
        withExtendedLifetime(nobody) {}
        let unknown = HTTPRequest(.get, HTTPURL(host: "no-such-host.invalid"), deadlines: .patient)
        guard case .unreachable? = await failure(unknown) else {
            Issue.record("reached")
            return
        }
    }

    @Test func `a server that stops in the body is given up when it is idle too long`() async throws {
        let server = try ScriptedServer { connection in
            _ = connection.request()
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n12345")
            connection.waitForEnd()
        }
        #expect(
            await failure(request(server, deadlines: HTTPDeadlines.patient.with(idle: .milliseconds(50))))
                == .timedOut(.idle))
    }

    @Test func `a server that never answers is given up`() async throws {
        let server = try ScriptedServer { $0.waitForEnd() }
        #expect(
            await failure(request(server, deadlines: HTTPDeadlines.patient.with(idle: .milliseconds(50))))
                == .timedOut(.idle))
        #expect(
            await failure(request(server, deadlines: HTTPDeadlines.patient.with(total: .milliseconds(50))))
                == .timedOut(.total))
    }

    @Test func `a server that drips is given up in the end`() async throws {
        let server = try ScriptedServer { connection in
            _ = connection.request()
            connection.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
            while connection.send("1\r\nx\r\n") {}
        }
        let late = await failure(
            request(server, deadlines: HTTPDeadlines.patient.with(total: .milliseconds(200)), maximumBody: .max / 2))
        #expect(late == .timedOut(.total))
    }

    @Test(arguments: [
        "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n12345",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n123",
        "HTTP/1.1 200 OK\r\nContent-Le", "",
    ])
    func `an answer that is cut off is an error`(text: String) async throws {
        let server = try ScriptedServer { connection in
            _ = connection.request()
            connection.send(text)
        }
        guard case .connectionLost? = await failure(request(server)) else {
            Issue.record("whole")
            return
        }
    }

    @Test(arguments: ["SSH-2.0-OpenSSH\r\n", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n"])
    func `what is no HTTP is an error`(text: String) async throws {
        let server = try ScriptedServer { connection in
            _ = connection.request()
            connection.send(text)
            connection.waitForEnd()
        }
        let error = await failure(request(server))
        switch error {
        case .invalidResponse, .connectionLost: break
        default: Issue.record("\(String(describing: error))")
        }
    }

    @Test func `headers without end are refused`() async throws {
        let server = try ScriptedServer { connection in
            _ = connection.request()
            connection.send("HTTP/1.1 200 OK\r\n")
            while connection.send("X-Filler: " + String(repeating: "x", count: 1000) + "\r\n") {}
        }
        guard case .headersTooLarge? = await failure(request(server)) else {
            Issue.record("accepted")
            return
        }
    }

    @Test func `interim answers without end are refused`() async throws {
        let server = try ScriptedServer { connection in
            _ = connection.request()
            while connection.send("HTTP/1.1 102 Processing\r\n\r\n") {}
        }
        guard case .headersTooLarge? = await failure(request(server)) else {
            Issue.record("accepted")
            return
        }
    }

    @Test func `a body has a limit, told or not, plain or compressed`() async throws {
        let server = try ScriptedServer { connection in
            switch connection.request()?.target {
            case "/told": connection.answer(200, [], String(repeating: "x", count: 1001))
            case "/fits": connection.answer(200, [], String(repeating: "x", count: 1000))
            case "/gzip":
                // 100 000 zero bytes, deflated.
                connection.send(
                    Array("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n".utf8) + HTTPFaultTests.compressedZeros)
            default:
                connection.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
                while connection.send("1\r\nx\r\n") {}
            }
        }
        for path in ["/told", "/untold", "/gzip"] {
            #expect(await failure(request(server, path)) == .bodyTooLarge(limit: 1000), "\(path)")
        }
        #expect(try await client.send(request(server, "/fits")).body.count == 1000)
        var roomy = request(server, "/gzip")
        roomy.maximumBody = 100_000
        #expect(try await client.send(roomy).body == [UInt8](repeating: 0, count: 100_000))
    }

    @Test func `redirects go round five times and no more`() async throws {
        let count = Mutex(0)
        let server = try ScriptedServer { connection in
            while connection.request() != nil {
                count.withLock { $0 += 1 }
                connection.answer(302, ["Location: /again"])
            }
        }
        #expect(await failure(request(server)) == .redirectRefused(.tooMany(5)))
        #expect(count.withLock { $0 } == 6)
    }

    @Test func `a redirect to another server is refused, and the server hears nothing`() async throws {
        let reached = try ScriptedServer { $0.answer(200) }
        let server = try ScriptedServer { connection in
            _ = connection.request()
            connection.answer(301, ["Location: http://127.0.0.1:\(reached.port)/"])
        }
        guard case .redirectRefused(.elsewhere)? = await failure(request(server)) else {
            Issue.record("followed")
            return
        }
        #expect(reached.connectionCount == 0)
    }

    @Test func `a redirect is followed with method, body and credentials`() async throws {
        let server = try ScriptedServer { connection in
            while let request = connection.request() {
                if request.target == "/old" {
                    connection.answer(301, ["Location: /new"])
                } else {
                    connection.answer(
                        200, [], "\(request.method) \(request.text) \(request.headers["authorization"] ?? "")")
                }
            }
        }
        var put = request(server, "/old")
        put.method = .put
        put.body = Array("card".utf8)
        let response = try await client.send(put)
        #expect(String(decoding: response.body, as: UTF8.self) == "PUT card Basic dTpw")
        #expect(response.url.path == "/new")
    }

    @Test func `cancelling the task ends the request at once`() async throws {
        let server = try ScriptedServer { connection in
            _ = connection.request()
            connection.waitForEnd()
        }
        let task = Task { [client, request = request(server)] in try await client.send(request) }
        while server.connectionCount == 0 {
            try Task.checkCancellation()
            await Task.yield()
        }
        task.cancel()
        await #expect(throws: HTTPError.cancelled) { try await task.value }
        let late = Task { [client, request = request(server)] in
            while !Task.isCancelled { await Task.yield() }
            return try await client.send(request)
        }
        late.cancel()
        await #expect(throws: HTTPError.cancelled) { try await late.value }
    }

    @Test func `a request is sent again as the policy says, with the waits it asks for`() async throws {
        let count = Mutex(0)
        let server = try ScriptedServer { connection in
            while connection.request() != nil {
                let number = count.withLock { count in
                    count += 1
                    return count
                }
                switch number {
                case 1: return
                case 2: connection.answer(503, ["Retry-After: 5"])
                default: connection.answer(200)
                }
            }
        }
        let waits = Mutex<[Duration]>([])
        let timing = RetryTiming(now: { 0 }, random: { 1 }, sleep: { wait in waits.withLock { $0.append(wait) } })
        let response = try await client.send(request(server), retrying: HTTPRetryPolicy(), timing: timing)
        #expect(response.status == 200)
        #expect(waits.withLock { $0 } == [.milliseconds(500), .seconds(5)])
    }

    @Test(arguments: [(nil, 4), (Duration.seconds(60), 1)] as [(Duration?, Int)])
    func `a request is not sent again when its time would be over`(time: Duration?, count: Int) async throws {
        let requests = Mutex(0)
        let server = try ScriptedServer { connection in
            while connection.request() != nil {
                requests.withLock { $0 += 1 }
                connection.answer(503)
            }
        }
        let timing = RetryTiming(now: { 0 }, random: { 1 }, sleep: { _ in })
        let policy = HTTPRetryPolicy(firstDelay: .seconds(3600), longestDelay: .seconds(3600))
        let response = try await client.send(
            request(server), retrying: policy, timing: timing, until: time.map { .now + $0 })
        #expect(response.status == 503 && requests.withLock { $0 } == count)
    }

    private static let compressedZeros: [UInt8] = [
        31, 139, 8, 0, 0, 0, 0, 0, 2, 255, 237, 193, 49, 1, 0, 0, 0, 194, 160, 245, 79, 109, 13, 15, 160, 0, 0, 0, 0,
        0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
        0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
        0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 128, 87, 3, 125, 149, 17, 212, 160, 134, 1, 0,
    ]
}
