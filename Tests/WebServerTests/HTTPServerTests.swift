import Testing

@testable import WebServer

@Suite(.timeLimit(.minutes(20)))
struct HTTPServerTests {
    @Test func `a request arrives whole and its answer returns`() async throws {
        try await withServer { request in
            let text = "\(request.method.rawValue) \(request.target.segments) \(request.query("q") ?? "-") "
            return .text(text + (request.headers["x-own"] ?? "-") + " " + String(decoding: request.body, as: UTF8.self))
        } _: { server in
            let client = try RawClient(server.address)
            let answer = try await client.request("POST", "/a%2Fb/c?q=1+2", headers: ["X-Own: yes"], body: "body")
            #expect(answer.status == 200)
            #expect(answer.text == #"POST ["a/b", "c"] 1 2 yes body"#)
            #expect(answer.headers["Content-Type"] == "text/plain; charset=utf-8")
        }
    }

    @Test func `a connection serves one request after another`() async throws {
        try await withServer(handler: { .text($0.path) }) { server in
            let client = try RawClient(server.address)
            for path in ["/1", "/2", "/3"] {
                #expect(try await client.request("GET", path).text == path)
            }
        }
    }

    @Test(arguments: [false, true]) func `pipelined requests are answered in order`(isAtOnce: Bool) async throws {
        try await withServer(beginsAtOnce: isAtOnce, handler: { .text($0.path) }) { server in
            let client = try RawClient(server.address)
            let paths = (0..<100).map { "/\($0)" }
            try await client.send(paths.map { "GET \($0) HTTP/1.1\r\nHost: x\r\n\r\n" }.joined())
            for path in paths { #expect(try await client.answer().text == path) }
        }
    }

    @Test func `HEAD is answered with the length and without the body`() async throws {
        try await withServer(handler: { _ in .text("12345") }) { server in
            let client = try RawClient(server.address)
            let answer = try await client.request("HEAD", "/")
            #expect(answer.headers["Content-Length"] == "5")
            #expect(try await client.request("GET", "/").text == "12345")
        }
    }

    @Test(arguments: [false, true]) func `two hundred clients at once are all answered`(isAtOnce: Bool) async throws {
        try await withServer(beginsAtOnce: isAtOnce) { request in
            // Some wait and some do not.
            if request.path.hasSuffix("1") { await Task.yield() }
            return .text(request.path)
        } _: { server in
            try await withThrowingTaskGroup(of: Bool.self) { group in
                for number in 0..<200 {
                    group.addTask {
                        let client = try RawClient(server.address)
                        return try await client.request("GET", "/\(number)").text == "/\(number)"
                    }
                }
                for try await isRight in group { #expect(isRight) }
            }
        }
    }

    @Test func `more clients than connections wait their turn`() async throws {
        var limits = ServerLimits.patient
        limits.connections = 4
        try await withServer(limits: limits, handler: { .text($0.path) }) { server in
            try await withThrowingTaskGroup(of: Bool.self) { group in
                for number in 0..<40 {
                    group.addTask {
                        let client = try RawClient(server.address)
                        return try await client.request("GET", "/\(number)", headers: ["Connection: close"]).text
                            == "/\(number)"
                    }
                }
                for try await isRight in group { #expect(isRight) }
            }
        }
    }

    @Test(arguments: [
        "GET /%zz HTTP/1.1\r\nHost: x\r\n\r\n", "GET /%00 HTTP/1.1\r\nHost: x\r\n\r\n",
        "GET /%ff HTTP/1.1\r\nHost: x\r\n\r\n", "GET http://x/ HTTP/1.1\r\nHost: x\r\n\r\n",
        "GET * HTTP/1.1\r\nHost: x\r\n\r\n", "GET / HTTP/1.1\r\n\r\n",
    ])
    func `a request that cannot be read is answered 400`(text: String) async throws {
        try await withServer(handler: { _ in .text("no") }) { server in
            let client = try RawClient(server.address)
            try await client.send(text)
            #expect(try await client.answer().status == 400)
        }
    }

    @Test(arguments: ["\0\0\0\0\r\n\r\n", "GET\r\n\r\n", "\r\n\r\n\r\n", "\u{16}\u{3}\u{1}\0\u{5}hello\r\n\r\n"])
    func `what is no HTTP does not end the server`(text: String) async throws {
        try await withServer(handler: { .text($0.path) }) { server in
            let noise = try RawClient(server.address)
            try await noise.send(text)
            #expect(try await server.ask("GET", "/still-here").text == "/still-here")
        }
    }

    @Test func `a header field with a line break in it is not sent`() async throws {
        try await withServer(handler: { _ in HTTPResponse(headers: ["X-Own": "a\r\nSet-Cookie: b=c"]) }) { server in
            let answer = try await server.ask("GET", "/")
            #expect(answer.status == 500)
            #expect(answer.headers["Set-Cookie"] == nil)
        }
    }

    @Test func `the server listens on IPv6 as well`() async throws {
        let address = try #require(SocketAddress(host: "::1", port: 0))
        let server = try HTTPServer(on: address, limits: .patient) { .text($0.path) }
        #expect(server.address.port != 0)
        #expect(try await server.ask("GET", "/six").text == "/six")
        await server.stop()
    }

    @Test func `a taken port is an error that says so`() async throws {
        try await withServer(handler: { _ in .text("") }) { server in
            #expect(throws: WebServerError.cannotListen(server.address, errno: 98)) {
                try HTTPServer(on: server.address) { _ in .text("") }
            }
        }
    }
}
