import Testing

@testable import WebSocket

/// The opening handshake (RFC 6455 §4), each requirement on both ends.
struct HandshakeTests {
    private static let key = Array("the sample nonce".utf8)

    private func headers(_ changes: [(String, String?)] = []) -> WebSocketHandshake.Headers {
        var headers = [
            ("Host", "x"), ("Upgrade", "websocket"), ("Connection", "keep-alive, Upgrade"),
            ("Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ=="), ("Sec-WebSocket-Version", "13"),
        ]
        for (name, value) in changes {
            headers.removeAll { $0.0 == name }
            if let value { headers.append((name, value)) }
        }
        return WebSocketHandshake.Headers(headers.map { (name: $0.0, value: $0.1) })
    }

    @Test(arguments: [
        ("", "da39a3ee5e6b4b0d3255bfef95601890afd80709"), ("abc", "a9993e364706816aba3e25717850c26c9cd0d89d"),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "84983e441c3bd26ebaae4aa1f95129e5e54670f1"
        ),
        (String(repeating: "a", count: 64), "0098ba824b5c16427bd7a1122a5a442a25ec644d"),
    ])
    func `the hash gives the published values`(text: String, expected: String) {
        let digits = SHA1.hash(Array(text.utf8)).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        #expect(digits == expected)
    }

    /// The example of §1.3.
    @Test func `a server accepts with the key's hash, and the first subprotocol that it knows`() throws {
        let plain = try WebSocketHandshake.accept(headers())
        #expect(plain.subprotocol == nil)
        #expect(plain.headers.map(\.name) == ["Upgrade", "Connection", "Sec-WebSocket-Accept"])
        #expect(plain.headers.last?.value == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=")
        let offered = headers([("Sec-WebSocket-Protocol", "a, hub.notes.v1 , b")])
        let chosen = try WebSocketHandshake.accept(offered, subprotocols: ["b", "hub.notes.v1"])
        #expect(chosen.subprotocol == "hub.notes.v1")
        #expect(chosen.headers.last?.value == "hub.notes.v1")
        #expect(try WebSocketHandshake.accept(offered, subprotocols: ["c"]).subprotocol == nil)
        #expect(try WebSocketHandshake.accept(headers([("Upgrade", "WebSocket, x")])).subprotocol == nil)
    }

    @Test(
        arguments: [
            ("Upgrade", nil, .notUpgrade), ("Upgrade", "h2c", .notUpgrade), ("Connection", "close", .notUpgrade),
            ("Sec-WebSocket-Version", nil, .unsupportedVersion), ("Sec-WebSocket-Version", "8", .unsupportedVersion),
            ("Sec-WebSocket-Key", nil, .invalidHeader("Sec-WebSocket-Key")),
            ("Sec-WebSocket-Key", "short", .invalidHeader("Sec-WebSocket-Key")),
            (
                "Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ==,dGhlIHNhbXBsZSBub25jZQ==",
                .invalidHeader("Sec-WebSocket-Key")
            ),
            ("Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25j!Q==", .invalidHeader("Sec-WebSocket-Key")),
        ] as [(String, String?, WebSocketHandshake.Failure)])
    func `a server refuses what is not a handshake`(name: String, value: String?, failure: WebSocketHandshake.Failure) {
        #expect(throws: failure) { try WebSocketHandshake.accept(headers([(name, value)])) }
    }

    @Test func `each end accepts the other`() throws {
        let request = WebSocketHandshake.Headers(WebSocketHandshake.request(key: Self.key, subprotocols: ["x", "y"]))
        let answer = try WebSocketHandshake.accept(request, subprotocols: ["y"])
        let response = WebSocketHandshake.Headers(answer.headers)
        #expect(
            try WebSocketHandshake.check(status: 101, response, key: Self.key, subprotocols: ["x", "y"]) == "y")
    }

    @Test(
        arguments: [
            (200, "", "", .status(200)), (101, "Upgrade", "x", .invalidHeader("Upgrade")),
            (101, "Connection", "close", .invalidHeader("Connection")),
            (101, "Sec-WebSocket-Accept", "AAAA", .invalidHeader("Sec-WebSocket-Accept")),
            (101, "Sec-WebSocket-Extensions", "permessage-deflate", .invalidHeader("Sec-WebSocket-Extensions")),
            (101, "Sec-WebSocket-Protocol", "other", .invalidHeader("Sec-WebSocket-Protocol")),
        ] as [(Int, String, String, WebSocketHandshake.Failure)])
    func `a client refuses what does not answer its request`(
        status: Int, name: String, value: String, failure: WebSocketHandshake.Failure
    ) throws {
        var answer = try WebSocketHandshake.accept(headers()).headers.filter { $0.name != name }
        if !name.isEmpty { answer.append((name, value)) }
        #expect(throws: failure) {
            try WebSocketHandshake.check(
                status: status, WebSocketHandshake.Headers(answer), key: Self.key, subprotocols: ["x"])
        }
    }
}
