import TestSupport
import Testing
import WebSocket

/// The requirements of RFC 6455 for each end, grouped like Autobahn's cases; every test runs as server and as client.
struct WebSocketTests {
    private typealias Action = WebSocketConnection.Action
    static let wires = [Wire(role: .server), Wire(role: .client)]

    /// Returns the behaviour of a connection when the frames arrive all at once; it must be the same when they arrive
    /// byte by byte.
    private func receive(
        _ wire: Wire, _ bytes: [UInt8], _ limits: WebSocketConnection.Limits = .init(),
        location: SourceLocation = #_sourceLocation
    ) -> (actions: [WebSocketConnection.Action], sent: [[UInt8]]) {
        var whole = wire.connection(limits)
        let actions = whole.receive(bytes)
        var slow = wire.connection(limits)
        var piecewise: [Action] = []
        for byte in bytes { piecewise += slow.receive([byte]) }
        #expect(wire.sent(piecewise) == wire.sent(actions), sourceLocation: location)
        #expect(received(piecewise) == received(actions), sourceLocation: location)
        return (received(actions), wire.sent(actions))
    }

    private func present<T>(_ value: T?) throws -> T { try #require(value) }

    private func received(_ actions: [Action]) -> [Action] {
        actions.filter { if case .send = $0 { false } else { true } }
    }

    private func expectFailure(
        _ wire: Wire, _ bytes: [UInt8], _ code: WebSocketCloseCode, _ limits: WebSocketConnection.Limits = .init(),
        location: SourceLocation = #_sourceLocation
    ) {
        let (actions, sent) = receive(wire, bytes, limits, location: location)
        #expect(actions.last == .closed(code, reason: ""), sourceLocation: location)
        #expect(
            sent.last == [0x88, 2, UInt8(code.rawValue >> 8), UInt8(code.rawValue & 0xFF)], sourceLocation: location)
    }

    // MARK: 1, framing

    @Test(arguments: wires, [0, 125, 126, 127, 128, 65535, 65536, 70_000])
    func `messages of every length form arrive whole`(wire: Wire, count: Int) {
        let text = String(repeating: "*", count: count)
        var connection = wire.connection()
        #expect(connection.receive(wire.text(text)) == [.deliver(.text(text))])
        let bytes = [UInt8](repeating: 0xFE, count: count)
        #expect(connection.receive(wire.frame(2, bytes)) == [.deliver(.binary(bytes))])
    }

    @Test(arguments: [0, 125, 126, 65535, 65536])
    func `what one end sends the other reads`(count: Int) throws {
        var (server, client) = (WebSocketConnection(role: .server), WebSocketConnection(role: .client))
        let message = WebSocketConnection.Message.text(String(repeating: "ü", count: count / 2))
        #expect(server.receive(try present(client.send(message))) == [.deliver(message)])
        #expect(client.receive(try present(server.send(message))) == [.deliver(message)])
    }

    @Test func `what many get is the same as if each had got it alone`() throws {
        let messages: [WebSocketConnection.Message] = [
            .text("ü"), .binary([1, 2]), .text(""), .text(String(repeating: "x", count: 70_000)),
        ]
        let broadcast = WebSocketConnection.Broadcast(messages)
        var (server, client) = (WebSocketConnection(role: .server), WebSocketConnection(role: .client))
        #expect(try messages.flatMap { try present(server.send($0)) } == broadcast.frames)
        #expect(client.receive(broadcast.frames) == messages.map { .deliver($0) })
    }

    // MARK: 2, pings and pongs

    @Test(arguments: wires, [0, 1, 125])
    func `a ping is answered with its payload`(wire: Wire, count: Int) {
        let payload = [UInt8](repeating: 0xFF, count: count)
        #expect(receive(wire, wire.frame(9, payload)).sent == [[0x8A, UInt8(count)] + payload])
    }

    @Test(arguments: wires)
    func `each of ten pings is answered, in order, and unasked pongs are only told`(wire: Wire) {
        let pings = (0..<10).flatMap { wire.frame(9, [$0]) }
        #expect(receive(wire, pings).sent == (0..<10).map { [0x8A, 1, $0] })
        #expect(receive(wire, wire.frame(10, [7])).actions == [.pong([7])])
    }

    @Test(arguments: wires)
    func `a control frame of more than 125 bytes fails`(wire: Wire) {
        for opcode: UInt8 in [8, 9, 10] {
            expectFailure(wire, wire.frame(opcode, [UInt8](repeating: 1, count: 126)), .protocolError)
        }
    }

    // MARK: 3 and 4, reserved bits and opcodes

    @Test(arguments: wires, [1, 2, 3, 4, 5, 6, 7])
    func `reserved bits fail in every kind of frame`(wire: Wire, reserved: UInt8) {
        for opcode: UInt8 in [0, 1, 2, 8, 9, 10] {
            let (actions, _) = receive(wire, wire.text("before") + wire.frame(opcode, reserved: reserved))
            #expect(actions == [.deliver(.text("before")), .closed(.protocolError, reason: "")])
        }
    }

    @Test(arguments: wires, [3, 4, 5, 6, 7, 11, 12, 13, 14, 15])
    func `reserved opcodes fail at their first byte`(wire: Wire, opcode: UInt8) {
        expectFailure(wire, wire.frame(opcode), .protocolError)
        expectFailure(wire, [0x80 | opcode], .protocolError)
    }

    // MARK: 5, fragments

    @Test(arguments: wires)
    func `a message may come in fragments with control frames between them`(wire: Wire) {
        let bytes =
            wire.text("frag", isFinal: false) + wire.frame(9, [1]) + wire.frame(0, Array("men".utf8), isFinal: false)
            + wire.frame(0, isFinal: false) + wire.frame(0, Array("t".utf8))
        let (actions, sent) = receive(wire, bytes)
        #expect(actions == [.deliver(.text("fragment"))])
        #expect(sent == [[0x8A, 1, 1]])
    }

    @Test(arguments: wires)
    func `fragments out of order fail`(wire: Wire) {
        expectFailure(wire, wire.frame(0, [1]), .protocolError)
        expectFailure(wire, wire.frame(0, [1], isFinal: false), .protocolError)
        expectFailure(wire, wire.text("a", isFinal: false) + wire.text("b"), .protocolError)
        expectFailure(wire, wire.text("a", isFinal: false) + wire.frame(2, [1]), .protocolError)
        expectFailure(wire, wire.text("a") + wire.frame(0, [1]), .protocolError)
        for opcode: UInt8 in [8, 9, 10] { expectFailure(wire, wire.frame(opcode, isFinal: false), .protocolError) }
    }

    // MARK: 6, UTF-8

    @Test(arguments: wires)
    func `text may be cut anywhere, also inside a letter`(wire: Wire) {
        let text = "κόσμε \u{10FFFF}\u{0}\u{D7FF}\u{E000}\u{FFFF}"
        let bytes = Array(text.utf8)
        let frames =
            wire.frame(1, [bytes[0]], isFinal: false)
            + bytes[1...].flatMap { wire.frame(0, [$0], isFinal: false) } + wire.frame(0)
        #expect(receive(wire, frames).actions == [.deliver(.text(text))])
    }

    private static let invalid: [[UInt8]] = [
        [0xCE, 0xBA, 0xED, 0xA0, 0x80, 0x65], [0xF4, 0x90, 0x80, 0x80], [0xC0, 0xAF], [0xC1, 0xBF], [0xE0, 0x80, 0xAF],
        [0xF0, 0x80, 0x80, 0xAF], [0xF8, 0x88, 0x80, 0x80, 0x80], [0xFE], [0xFF], [0x80], [0xBF], [0xED, 0xBF, 0xBF],
        [0xE0, 0x9F, 0xBF], [0xF0, 0x8F, 0xBF, 0xBF], [0xF5], [0xC2, 0x41], [0xE2, 0x82, 0x41],
    ]

    @Test(arguments: wires, invalid)
    func `text that is not UTF-8 fails`(wire: Wire, bytes: [UInt8]) {
        expectFailure(wire, wire.frame(1, bytes), .invalidData)
        expectFailure(wire, wire.text("ok", isFinal: false) + wire.frame(0, bytes), .invalidData)
        #expect(receive(wire, wire.frame(2, bytes)).actions == [.deliver(.binary(bytes))])
    }

    @Test(arguments: wires)
    func `text that ends inside a letter fails, text that cannot become valid fails before its end`(wire: Wire) {
        expectFailure(wire, wire.frame(1, [0xCE]), .invalidData)
        expectFailure(wire, wire.frame(1, [0xF0, 0x9F, 0x98]), .invalidData)
        var connection = wire.connection()
        let frame = wire.frame(1, [0xCE, 0xBA, 0xED, 0xA0, 0x80, 0x65, 0x64])
        let head = frame.count - 7
        #expect(connection.receive(frame[..<(head + 3)]).isEmpty)
        #expect(connection.receive(frame[(head + 3)..<(head + 4)]).last == .closed(.invalidData, reason: ""))
    }

    /// The judge is the standard library.
    @Test func `random bytes are text exactly where the standard library says so`() {
        var generator = SeededGenerator(seed: 6)
        let wire = Wire(role: .client)
        for _ in 0..<20_000 {
            let bytes = (0..<Int.random(in: 0...6, using: &generator)).map { _ in
                [0x41, 0x80, 0x9F, 0xBF, 0xA0, 0x8F, 0xC2, 0xE0, 0xED, 0xEF, 0xF0, 0xF4].randomElement(
                    using: &generator)
                    as UInt8? ?? 0
            }
            var connection = wire.connection()
            let isText = connection.receive(wire.frame(1, bytes)).contains {
                if case .deliver = $0 { true } else { false }
            }
            #expect(isText == (String(validating: bytes, as: UTF8.self) != nil), "\(bytes)")
        }
    }

    // MARK: 7, closing

    @Test(arguments: wires)
    func `a close frame is answered once, and nothing after it counts`(wire: Wire) {
        let (actions, sent) = receive(
            wire,
            wire.text("a") + wire.close(1000, Array("bye".utf8)) + wire.text("b") + wire.frame(9) + wire.close(1001))
        #expect(actions == [.deliver(.text("a")), .closed(.normal, reason: "bye")])
        #expect(sent == [[0x88, 2, 0x03, 0xE8]])
    }

    @Test(arguments: wires)
    func `a close frame without a code is answered without one`(wire: Wire) {
        let (actions, sent) = receive(wire, wire.frame(8))
        #expect(actions == [.closed(.noStatus, reason: "")])
        #expect(sent == [[0x88, 0]])
    }

    @Test(arguments: wires, [1000, 1001, 1002, 1003, 1007, 1008, 1009, 1010, 1011, 3000, 3999, 4000, 4999])
    func `valid codes close`(wire: Wire, code: UInt16) {
        #expect(receive(wire, wire.close(code)).actions == [.closed(WebSocketCloseCode(code), reason: "")])
    }

    @Test(arguments: wires, [0, 999, 1004, 1005, 1006, 1016, 1100, 2000, 2999, 5000, 65535])
    func `invalid codes fail`(wire: Wire, code: UInt16) {
        expectFailure(wire, wire.close(code), .protocolError)
    }

    @Test(arguments: wires)
    func `a close frame of one byte or with a broken reason fails`(wire: Wire) {
        expectFailure(wire, wire.frame(8, [3]), .protocolError)
        expectFailure(wire, wire.close(1000, [0xCE, 0xED]), .invalidData)
        let longest = [UInt8](repeating: 42, count: 123)
        #expect(
            receive(wire, wire.close(1000, longest)).actions
                == [.closed(.normal, reason: String(decoding: longest, as: UTF8.self))])
    }

    @Test(arguments: wires)
    func `who closed first still reads until the answer comes`(wire: Wire) throws {
        var connection = wire.connection()
        #expect(wire.unmasked(try present(connection.close(.goingAway, reason: "x"))) == [0x88, 3, 0x03, 0xE9, 0x78])
        #expect(connection.close() == nil)
        #expect(connection.send(.text("late")) == nil)
        #expect(connection.ping() == nil)
        #expect(connection.receive(wire.text("on its way")) == [.deliver(.text("on its way"))])
        #expect(connection.receive(wire.frame(9)).isEmpty)
        #expect(connection.receive(wire.close(1001)) == [.closed(.goingAway, reason: "")])
        #expect(connection.streamEnded().isEmpty)
    }

    @Test(arguments: wires)
    func `a stream that ends without a close frame is abnormal`(wire: Wire) {
        var connection = wire.connection()
        _ = connection.receive(wire.text("a", isFinal: false))
        #expect(connection.streamEnded() == [.closed(.abnormal, reason: "")])
        #expect(!connection.isOpen)
    }

    @Test func `a long reason is cut between letters`() throws {
        var server = WebSocketConnection(role: .server)
        let frame = try present(server.close(.normal, reason: String(repeating: "ü", count: 100)))
        #expect(frame.count == 2 + 2 + 122)
        #expect(String(validating: frame[4...], as: UTF8.self) != nil)
    }

    // MARK: 9 and 10, limits and masks

    @Test(arguments: wires)
    func `a message over the limit fails before it is read`(wire: Wire) {
        let limits = WebSocketConnection.Limits(messageSize: 1000, fragmentCount: 8)
        let allowed = [UInt8](repeating: 1, count: 1000)
        #expect(receive(wire, wire.frame(2, allowed), limits).actions == [.deliver(.binary(allowed))])
        expectFailure(wire, Array(wire.frame(2, allowed + [1]).prefix(8)), .messageTooBig, limits)
        expectFailure(
            wire, wire.frame(2, allowed, isFinal: false) + wire.frame(0, [1], isFinal: false), .messageTooBig, limits)
        expectFailure(
            wire, wire.frame(2, isFinal: false) + (0..<8).flatMap { _ in wire.frame(0, isFinal: false) },
            .messageTooBig, limits)
        let huge: [UInt8] = [127] + [0x7F] + [UInt8](repeating: 0xFF, count: 7)
        expectFailure(wire, wire.frame(2, length: huge), .messageTooBig, limits)
    }

    @Test(arguments: wires)
    func `lengths in a longer form than needed, or negative, fail`(wire: Wire) {
        expectFailure(wire, wire.frame(1, length: [126, 0, 125]), .protocolError)
        expectFailure(wire, wire.frame(1, length: [127, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF]), .protocolError)
        expectFailure(wire, wire.frame(1, length: [127, 0x80, 0, 0, 0, 0, 0, 0, 0]), .protocolError)
    }

    @Test(arguments: wires)
    func `a frame masked as the own role's fails`(wire: Wire) {
        expectFailure(wire, wire.frame(1, [65], mask: wire.role == .client), .protocolError)
    }

    @Test func `a client masks each frame anew`() throws {
        var client = WebSocketConnection(role: .client, masks: SeededGenerator(seed: 1))
        let frames = try (0..<3).map { _ in try present(client.send(.text("same"))) }
        #expect(Set(frames).count == 3)
        #expect(frames.allSatisfy { $0[1] == 0x84 })
    }

    @Test(arguments: wires)
    func `random bytes never bring it down`(wire: Wire) {
        var generator = SeededGenerator(seed: 9)
        for _ in 0..<2000 {
            var connection = wire.connection(.init(messageSize: 4096, fragmentCount: 16))
            var isOver = false
            for _ in 0..<8 {
                let bytes = (0..<40).map { _ in UInt8.random(in: 0...255, using: &generator) }
                for action in connection.receive(bytes) {
                    #expect(!isOver)
                    if case .closed = action { isOver = true }
                }
            }
        }
    }
}
