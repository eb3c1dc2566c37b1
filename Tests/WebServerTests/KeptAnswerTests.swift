import CMicroHTTPD
import Synchronization
import Testing

@testable import WebServer

/// Answers that hold for a while, over real connections.
@Suite(.timeLimit(.minutes(20)))
struct KeptAnswerTests {
    /// A handler that numbers its answers, which hold as long as `holds` says so.
    private final class Counter: Sendable {
        private let count = Mutex(0)
        private let isHolding = Mutex(true)

        func answer(_ request: HTTPRequest) -> HTTPResponse {
            let number = count.withLock { count in
                count += 1
                return count
            }
            var response = HTTPResponse.text("\(number) \(request.path)", status: 200)
            response.headers.append("X-Own", "yes")
            response.holds = { [self] in isHolding.withLock(\.self) }
            return response
        }

        func end() { isHolding.withLock { $0 = false } }
    }

    private func withCounter(_ body: (Counter, HTTPServer) async throws -> Void) async throws {
        let counter = Counter()
        try await withServer(beginsAtOnce: true, handler: { counter.answer($0) }) { server in
            try await body(counter, server)
        }
    }

    @Test func `the same request gets the same answer until it holds no more`() async throws {
        try await withCounter { counter, server in
            let (first, second) = (try RawClient(server.address), try RawClient(server.address))
            for client in [first, second, first, first, second] {
                let answer = try await client.request("GET", "/a?b=c", headers: ["X-Who: me"])
                #expect(answer.status == 200 && answer.text == "1 /a" && answer.headers["X-Own"] == "yes")
                #expect(answer.headers["Date"] != nil && answer.headers.values("Content-Length") == ["4"])
            }
            counter.end()
            #expect(try await first.request("GET", "/a?b=c", headers: ["X-Who: me"]).text == "2 /a")
            #expect(try await first.request("GET", "/a?b=c", headers: ["X-Who: me"]).text == "3 /a")
        }
    }

    @Test func `a request that differs in anything is another one`() async throws {
        try await withCounter { _, server in
            let client = try RawClient(server.address)
            #expect(try await client.request("GET", "/a", headers: ["A: b", "C: d"]).text == "1 /a")
            let others: [(target: String, headers: [String])] = [
                ("/a?", ["A: b", "C: d"]), ("/A", ["A: b", "C: d"]), ("/%61", ["A: b", "C: d"]), ("/a", ["A: b"]),
                ("/a", ["C: d", "A: b"]), ("/a", ["a: b", "C: d"]), ("/a", ["A: b", "C: D"]), ("/a", ["Ab: ", "C: d"]),
                ("/a", ["A: b", "C: d", "E: f"]), ("/a", ["A: bC: d"]), ("/a", []),
            ]
            for (place, other) in others.enumerated() {
                let answer = try await client.request("GET", other.target, headers: other.headers)
                #expect(answer.text.hasPrefix("\(place + 2) "), "\(other)")
            }
            #expect(try await client.request("GET", "/a", headers: ["A: b", "C: d"]).text == "1 /a")
        }
    }

    @Test func `another machine asks for itself`() async throws {
        try await withCounter { _, server in
            for _ in 0..<2 {
                for (number, host) in ["127.0.0.1", "127.0.0.2", "127.0.0.3"].enumerated() {
                    let client = try RawClient(server.address, from: SocketAddress("\(host):0"))
                    #expect(try await client.request("GET", "/").text == "\(number + 1) /")
                }
            }
        }
    }

    @Test func `only a GET without a body is kept`() async throws {
        try await withCounter { _, server in
            let client = try RawClient(server.address)
            for number in 1...2 {
                #expect(try await client.request("POST", "/", body: "x").text == "\(number) /")
            }
            for number in 3...4 {
                #expect(try await client.request("GET", "/", body: "x").text == "\(number) /")
            }
            for _ in 5...6 { #expect(try await client.request("HEAD", "/").status == 200) }
            #expect(try await client.request("GET", "/").text == "7 /")
            #expect(try await client.request("GET", "/").text == "7 /")
        }
    }

    @Test func `kept answers and others come in the order of the requests`() async throws {
        try await withCounter { _, server in
            let client = try RawClient(server.address)
            for path in ["/0", "/1", "/2"] { _ = try await client.request("GET", path) }
            let paths = (0..<300).map { "/\($0 % 5)" }
            try await client.send(paths.map { "GET \($0) HTTP/1.1\r\nHost: localhost\r\n\r\n" }.joined())
            for path in paths {
                let answer = try await client.answer()
                #expect(answer.text.hasSuffix(" " + path))
                if let number = Int(path.dropFirst()) { #expect(answer.text == "\(number + 1) \(path)") }
            }
        }
    }

    @Test func `more answers than there is room for are kept as far as it goes`() async throws {
        let large = String(repeating: "x", count: 100_000)
        try await withServer(
            beginsAtOnce: true,
            handler: { request in
                var response = HTTPResponse.text(request.path + large)
                response.holds = { true }
                return response
            },
            _: { server in
                let client = try RawClient(server.address)
                for round in 0..<2 {
                    for number in 0..<200 {
                        #expect(try await client.request("GET", "/\(number)").text == "/\(number)" + large, "\(round)")
                    }
                }
            })
    }

    @Test func `an answer that takes the place of another one counts with its own size`() throws {
        let (kept, library) = (KeptAnswers(), try MicroHTTPD.load())
        func keep(_ head: Int, size: Int) throws {
            let response = try #require(microhttpd_response(library.functions, nil, 0))
            let answer = KeptAnswer(response, status: 200, .text(""), holds: { true }, library: library)
            kept.keep(answer, for: [UInt8(head)], size: size)
        }
        try keep(0, size: 10)
        let small = kept.size
        try keep(0, size: 900_000)
        #expect(kept.size == small + 899_990)
        try keep(0, size: 10)
        #expect(kept.size == small)
        // One that is too large takes the old one away.
        try keep(0, size: KeptAnswers.maximumSize)
        #expect(kept.isEmpty && kept.size == 0)
        for head in 0..<200 {
            try keep(head % 100, size: 10)
            try keep(head % 100, size: 900_000)
            #expect(kept.size <= KeptAnswers.maximumSize && kept.answer(to: [UInt8(head % 100)]) != nil)
        }
    }

    @Test func `an answer that holds no more is forgotten`() throws {
        let (kept, library) = (KeptAnswers(), try MicroHTTPD.load())
        let response = try #require(microhttpd_response(library.functions, nil, 0))
        kept.keep(KeptAnswer(response, status: 200, .text(""), holds: { false }, library: library), for: [1], size: 10)
        #expect(kept.answer(to: [1]) == nil && kept.isEmpty && kept.size == 0)
    }

    @Test func `an answer that is too large to be kept is sent like any other`() async throws {
        let large = String(repeating: "y", count: 3_000_000)
        let count = Mutex(0)
        try await withServer(
            handler: { _ in
                let number = count.withLock { count in
                    count += 1
                    return count
                }
                var response = HTTPResponse.text("\(number)" + large)
                response.holds = { true }
                return response
            },
            _: { server in
                let client = try RawClient(server.address)
                for number in 1...3 { #expect(try await client.request("GET", "/").text == "\(number)" + large) }
            })
    }
}
