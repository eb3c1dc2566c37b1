import Testing

@testable import WebServer

@Suite(.timeLimit(.minutes(20)))
struct LimitTests {
    private var small: ServerLimits {
        var limits = ServerLimits.patient
        limits.body = 1000
        limits.allBodies = 1500
        limits.connectionMemory = 8 * 1024
        return limits
    }

    @Test func `a body of the largest size passes and one byte more does not`() async throws {
        try await withServer(limits: small, handler: { .text("\($0.body.count)") }) { server in
            let body = String(repeating: "x", count: 1000)
            let largest = try await server.ask("POST", "/", body: body)
            let tooLarge = try await server.ask("POST", "/", body: body + "x")
            #expect(largest.text == "1000")
            #expect(tooLarge.status == 413)
        }
    }

    @Test func `the answer to a large body is not lost in what is still sent`() async throws {
        try await withServer(limits: small, handler: { _ in .text("no") }) { server in
            let body = String(repeating: "x", count: 8_000_000)
            let answer = try await server.ask("POST", "/", body: body)
            #expect(answer.status == 413)
        }
    }

    @Test func `a chunked body is counted as it comes`() async throws {
        try await withServer(limits: small, handler: { .text("\($0.body.count)") }) { server in
            let head = "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
            let chunk = "1f4\r\n" + String(repeating: "x", count: 500) + "\r\n"
            let client = try RawClient(server.address)
            try await client.send(head + chunk + chunk + "0\r\n\r\n")
            #expect(try await client.answer().text == "1000")
            try await client.send(head + chunk + chunk + chunk + "0\r\n\r\n")
            #expect(try await client.answer().status == 413)
        }
    }

    @Test func `a body without end is cut off`() async throws {
        try await withServer(limits: small, handler: { _ in .text("no") }) { server in
            let client = try RawClient(server.address)
            try await client.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999999\r\n\r\n")
            #expect(try await client.answer().status == 413)
        }
    }

    @Test func `a client that asks first is told before it sends`() async throws {
        try await withServer(limits: small, handler: { .text("\($0.body.count)") }) { server in
            let client = try RawClient(server.address)
            try await client.send("POST / HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n")
            #expect(try await client.answer().status == 100)
            try await client.send("ab")
            #expect(try await client.answer().text == "2")
            try await client.send("POST / HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 2000\r\n\r\n")
            #expect(try await client.answer().status == 413)
        }
    }

    @Test func `bodies of many requests share one allowance, and get it back`() async throws {
        let gate = Gate()
        try await withServer(limits: small) { request in
            if request.path == "/wait" { await gate.pass() }
            return .text("\(request.body.count)")
        } _: { server in
            let body = String(repeating: "x", count: 1000)
            let first = try RawClient(server.address)
            async let held = first.request("POST", "/wait", body: body)
            await gate.arrival()
            #expect(try await server.ask("POST", "/", body: body).status == 503)
            gate.open()
            #expect(try await held.text == "1000")
            // The allowance is given back once the first connection has seen the end of its request.
            _ = try await first.request("GET", "/")
            #expect(try await server.ask("POST", "/", body: body).status == 200)
        }
    }

    @Test func `header fields that are too large are answered 431`() async throws {
        try await withServer(limits: small, handler: { _ in .text("no") }) { server in
            let client = try RawClient(server.address)
            let header = "X-Long: " + String(repeating: "x", count: 20_000)
            #expect([413, 431].contains(try await client.request("GET", "/", headers: [header]).status))
        }
    }

    @Test func `a target that is too long is answered 414`() async throws {
        try await withServer(limits: small, handler: { _ in .text("no") }) { server in
            let client = try RawClient(server.address)
            #expect(try await client.request("GET", "/" + String(repeating: "x", count: 20_000)).status == 414)
        }
    }

    @Test func `a client that stops in the middle of a request is let go`() async throws {
        var limits = ServerLimits.patient
        limits.idleTime = .seconds(1)
        try await withServer(limits: limits, handler: { _ in .text("no") }) { server in
            let client = try RawClient(server.address)
            // On a busy machine the time may be over before anything is sent.
            try? await client.send("GET / HTTP/1.1\r\nHos")
            #expect(try await client.isClosed())
        }
    }

    @Test func `a client that sends byte by byte is let go all the same`() async throws {
        var limits = ServerLimits.patient
        limits.requestTime = .milliseconds(400)
        limits.connectionMemory = 8 * 1024 * 1024
        // Requests to a second server set the pace.
        try await withServer(handler: { .text($0.path) }) { pacer in
            try await withServer(limits: limits, handler: { .text($0.path) }) { server in
                let slow = try RawClient(server.address)
                try? await slow.send("GET / HTTP/1.1\r\nX: ")
                var isLetGo = false
                while !isLetGo {
                    _ = try await pacer.ask("GET", "/")
                    do { try await slow.send("x") } catch { isLetGo = true }
                }
            }
        }
    }

    @Test func `a first request whose head is slow is let go early`() async throws {
        var limits = ServerLimits.patient
        limits.headTime = .milliseconds(400)
        try await withServer(limits: limits, handler: { _ in .text("no") }) { server in
            let (silent, slow) = (try RawClient(server.address), try RawClient(server.address))
            // On a busy machine the time may be over before anything is sent.
            try? await slow.send("GET / HTTP/1.1\r\nX: ")
            #expect(try await silent.isClosed())
            #expect(try await slow.isClosed())
        }
    }

    @Test func `when all connections are taken the oldest stranger makes room, a known client stays`() async throws {
        var limits = ServerLimits.patient
        limits.connections = 3
        limits.strangerTime = .zero
        try await withServer(limits: limits) { request in
            var response = HTTPResponse.text(request.path)
            response.isToKnownClient = request.path == "/known"
            return response
        } _: { server in
            let known = try RawClient(server.address)
            #expect(try await known.request("GET", "/known").text == "/known")
            var strangers: [RawClient] = []
            for _ in 0..<20 {
                let stranger = try RawClient(server.address)
                try await stranger.send("GET / HTTP/1.1\r\nX: ")
                strangers.append(stranger)
            }
            #expect(try await server.ask("GET", "/new").text == "/new")
            #expect(try await strangers[0].isClosed())
            #expect(try await known.request("GET", "/again").text == "/again")
        }
    }

    @Test(arguments: ["GET / HTTP/1.1\r\n\r\n", "GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n"])
    func `a request without one host is refused with one head`(request: String) async throws {
        try await withServer(handler: { _ in .text("no") }) { server in
            let client = try RawClient(server.address)
            try await client.send(request)
            let answer = try await client.answer()
            #expect(answer.status == 400 && answer.text == "A request must have exactly one Host field.\n")
        }
    }

    /// A request whose end two readers could see at different places, its body, and the status of the one answer.
    @Test(arguments: [
        ("Content-Length: abc", 400), ("Content-Length: +5", 400), ("Content-Length: -5", 400),
        ("Content-Length: 5x", 400), ("Content-Length: 0x5", 400), ("Content-Length: 5, 5", 400),
        ("Content-Length:", 400), ("Content-Length: 5\r\nContent-Length: 5", 400),
        ("Content-Length: 5\r\nContent-Length: 6", 400), ("Content-Length: 5\r\nContent-Length: x", 400),
        ("Content-Length: x\r\nContent-Length: 5", 400), ("Content-Length: 99999999999999999999999", 413),
        ("Content-Length: 18446744073709551615", 413), ("Content-Length: 18446744073709551614", 413),
        ("Content-Length: 9223372036854775807", 413), ("Content-Length: 5\r\nTransfer-Encoding: chunked", 400),
        ("Transfer-Encoding: chunked\r\nTransfer-Encoding: gzip", 400), ("Transfer-Encoding: gzip", 501),
        ("Transfer-Encoding: gzip, chunked", 501), ("Content-Length : 5", 400), (" Content-Length: 5", 400),
        ("Cookie: " + String(repeating: "a=b;", count: 1700), 431),
    ])
    func `a request of doubtful length is refused with one head, and the connection closed`(
        fields: String, status: Int
    ) async throws {
        for method in ["GET", "POST"] {
            try await withServer(limits: small, handler: { .text($0.path) }) { server in
                let client = try RawClient(server.address)
                #expect(try await client.request("GET", "/first").text == "/first")
                try await client.send(
                    "\(method) / HTTP/1.1\r\nHost: x\r\n\(fields)\r\n\r\nhelloGET /second HTTP/1.1\r\nHost: x\r\n\r\n")
                let answer = try await client.answer()
                #expect(answer.status == status && !answer.text.contains("HTTP/"), "\(fields): \(answer)")
                #expect(try await client.isClosed())
                #expect(client.unread == 0, "\(fields)")
            }
        }
    }
}
