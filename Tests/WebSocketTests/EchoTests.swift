import TestSupport
import Testing
import WebSocket

/// An endpoint that sends each message back, as Autobahn's cases expect one; numbers are those of the cases. What fails the
/// connection is in ``WebSocketTests``.
@Suite(.timeLimit(.minutes(20)))
struct EchoTests {
    /// An echoing endpoint with a connection at the other end, which reads what comes back.
    private struct Endpoint {
        let wire: Wire
        var here: WebSocketConnection
        var there: WebSocketConnection
        private(set) var received: [WebSocketConnection.Message] = []
        private(set) var pongs: [[UInt8]] = []
        private(set) var closed: WebSocketCloseCode?

        init(_ wire: Wire) {
            self.wire = wire
            let limits = WebSocketConnection.Limits(messageSize: 64 << 20, fragmentCount: 1 << 20)
            here = WebSocketConnection(role: wire.role, limits: limits)
            there = WebSocketConnection(role: wire.role == .server ? .client : .server, limits: limits)
        }

        /// Feeds bytes in pieces.
        mutating func feed(_ bytes: [UInt8], pieces: Int = .max) {
            var start = 0
            while start < bytes.count {
                let end = bytes.count - start > pieces ? start + pieces : bytes.count
                for action in here.receive(bytes[start..<end]) { carryOut(action) }
                start = end
            }
        }

        private mutating func carryOut(_ action: WebSocketConnection.Action) {
            switch action {
            case .deliver(let message): if let bytes = here.send(message) { read(bytes) }
            case .send(let bytes): read(bytes)
            case .pong: break
            case .closed(let code, _): closed = code
            }
        }

        private mutating func read(_ bytes: [UInt8]) {
            for action in there.receive(bytes) {
                switch action {
                case .deliver(let message): received.append(message)
                case .pong(let payload): pongs.append(payload)
                case .send, .closed: break
                }
            }
        }
    }

    private static let sizes = [0, 125, 126, 127, 128, 65_535, 65_536]

    @Test(arguments: WebSocketTests.wires, sizes)
    func `1, texts and binaries of each size, whole and in pieces`(wire: Wire, count: Int) {
        for pieces in [Int.max, 997, count == 65_536 ? 997 : 1] {
            var endpoint = Endpoint(wire)
            let text = String(repeating: "*", count: count)
            let bytes = [UInt8](repeating: 0xFE, count: count)
            endpoint.feed(wire.text(text) + wire.frame(2, bytes), pieces: pieces)
            #expect(endpoint.received == [.text(text), .binary(bytes)])
        }
    }

    @Test(arguments: WebSocketTests.wires)
    func `2, pings and pongs in any order`(wire: Wire) {
        var endpoint = Endpoint(wire)
        // 2.7 and 2.8: an unasked pong changes nothing; 2.9: a ping after it is answered. 2.10, 2.11: ten pings.
        endpoint.feed(wire.frame(10) + wire.frame(10, [1, 2]) + wire.frame(9, [3]))
        for number in 0..<10 as Range<UInt8> { endpoint.feed(wire.frame(9, [number]), pieces: 1) }
        #expect(endpoint.pongs == [[3]] + (0..<10).map { [$0] })
        #expect(endpoint.received.isEmpty)
        #expect(endpoint.closed == nil)
    }

    @Test(arguments: WebSocketTests.wires, [3, 4])
    func `3 and 4, what precedes a broken frame is answered, what follows is not`(wire: Wire, group: Int) {
        let broken = group == 3 ? wire.frame(1, [0x2A], reserved: 4) : wire.frame(3)
        for pieces in [Int.max, 1] {
            var endpoint = Endpoint(wire)
            endpoint.feed(wire.text("Hello"), pieces: pieces)
            endpoint.feed(broken + wire.frame(9) + wire.text("Hello"), pieces: pieces)
            #expect(endpoint.received == [.text("Hello")])
            #expect(endpoint.pongs.isEmpty)
            #expect(endpoint.closed == .protocolError)
        }
    }

    @Test(arguments: WebSocketTests.wires)
    func `5, fragments with pings between them`(wire: Wire) {
        for pieces in [Int.max, 1] {
            var endpoint = Endpoint(wire)
            // 5.19, 5.20: pings with other payloads between five fragments, in two parts.
            var bytes = wire.text("fragment1", isFinal: false)
            bytes += wire.frame(0, Array("fragment2".utf8), isFinal: false) + wire.frame(9, Array("pongme 1!".utf8))
            bytes += wire.frame(0, Array("fragment3".utf8), isFinal: false)
            bytes += wire.frame(0, Array("fragment4".utf8), isFinal: false) + wire.frame(9, Array("pongme 2!".utf8))
            bytes += wire.frame(0, Array("fragment5".utf8))
            endpoint.feed(bytes, pieces: pieces)
            #expect(endpoint.received == [.text("fragment1fragment2fragment3fragment4fragment5")])
            #expect(endpoint.pongs == ["pongme 1!", "pongme 2!"].map { Array($0.utf8) })
        }
    }

    @Test(arguments: WebSocketTests.wires)
    func `6, valid text of every length of a letter, boundary letters and noncharacters`(wire: Wire) {
        let letters =
            [0x0, 0x7F, 0x80, 0x7FF, 0x800, 0xD7FF, 0xE000, 0xFFFD, 0xFFFE, 0xFFFF, 0x10000, 0x10FFFF] as [UInt32]
        let planes = (0...16 as ClosedRange<UInt32>).flatMap { [$0 << 16 | 0xFFFE, $0 << 16 | 0xFFFF] }
        for value in letters + planes {
            guard let letter = Unicode.Scalar(value) else { continue }
            let text = "a" + String(letter) + "z"
            let bytes = Array(text.utf8)
            var endpoint = Endpoint(wire)
            endpoint.feed(wire.text(text))
            for cut in 0...bytes.count {
                endpoint.feed(wire.frame(1, Array(bytes[..<cut]), isFinal: false) + wire.frame(0, Array(bytes[cut...])))
            }
            #expect(endpoint.received == Array(repeating: .text(text), count: bytes.count + 2))
        }
    }

    @Test(arguments: WebSocketTests.wires)
    func `7, nothing is answered after a close frame`(wire: Wire) {
        // 7.1.2 to 7.1.5: a second close, a ping, a text, the rest of a message.
        for after in [wire.close(1000), wire.frame(9), wire.text("x"), wire.frame(0, [0x78])] {
            var endpoint = Endpoint(wire)
            endpoint.feed(wire.text("fragment1", isFinal: false) + wire.close(1000) + after)
            #expect(endpoint.received.isEmpty)
            #expect(endpoint.pongs.isEmpty)
            #expect(endpoint.closed == .normal)
        }
        // 7.1.6: a close frame behind much data, all of which is answered.
        var endpoint = Endpoint(wire)
        let large = [UInt8](repeating: 0x2A, count: 256 << 10)
        endpoint.feed(wire.frame(2, large) + wire.text("Hello"))
        endpoint.feed(wire.close(1000))
        #expect(endpoint.received == [.binary(large), .text("Hello")])
        // 7.9: the codes that only a local end may use, and those that nobody has registered.
        for code: UInt16 in [1012, 1013, 1014] {
            var endpoint = Endpoint(wire)
            endpoint.feed(wire.close(code))
            #expect(endpoint.closed == WebSocketCloseCode(code))
        }
        var reserved = Endpoint(wire)
        reserved.feed(wire.close(1015))
        #expect(reserved.closed == .protocolError)
    }

    @Test(arguments: WebSocketTests.wires)
    func `9, large messages whole, in fragments and in pieces, and many small ones`(wire: Wire) {
        let text = String(repeating: "*", count: 1 << 20)
        let bytes = Array(text.utf8)
        for fragment in [64, 1024, 65_536] {
            var frames: [UInt8] = []
            for start in stride(from: 0, to: bytes.count, by: fragment) {
                frames += wire.frame(
                    start == 0 ? 1 : 0, Array(bytes[start..<start + fragment]), isFinal: start + fragment == bytes.count
                )
            }
            var endpoint = Endpoint(wire)
            endpoint.feed(frames, pieces: 1000)
            #expect(endpoint.received == [.text(text)], "fragments of \(fragment)")
        }
        for count in [0, 16, 64, 256, 1024] {
            var endpoint = Endpoint(wire)
            let message = [UInt8](repeating: 7, count: count)
            for _ in 0..<1000 { endpoint.feed(wire.frame(2, message)) }
            #expect(endpoint.received.count == 1000)
            #expect(endpoint.received.allSatisfy { $0 == .binary(message) })
        }
    }

    @Test(arguments: WebSocketTests.wires)
    func `10, a message in fragments that its sender chose comes back as one`(wire: Wire) {
        let text = String(repeating: "*", count: 65_536)
        let bytes = Array(text.utf8)
        var endpoint = Endpoint(wire)
        for start in stride(from: 0, to: bytes.count, by: 1300) {
            let end = min(start + 1300, bytes.count)
            endpoint.feed(
                wire.frame(start == 0 ? 1 : 0, Array(bytes[start..<end]), isFinal: end == bytes.count))
        }
        #expect(endpoint.received == [.text(text)])
    }
}
