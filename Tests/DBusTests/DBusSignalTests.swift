import DBus
import DBusTestSupport
import NetworkTestSupport
import Testing

@Suite(.serialized, .timeLimit(.minutes(20)))
struct DBusSignalTests {
    private let bus: TestBus
    private let connection: DBusConnection
    private let peer: TestProcess

    init() async throws {
        bus = try TestBus()
        peer = try await bus.mock("peer.py", offering: "org.example.Peer")
        connection = try await bus.connect()
    }

    private func count(_ number: Int32) async throws {
        _ = try await connection.call(
            "org.example.Peer", path: "/org/example/Peer", interface: "org.example.Peer", member: "Count",
            [.int32(number)])
    }

    @Test func `signals of a peer arrive in order`() async throws {
        let signals = try await connection.signals(
            matching: DBusMatchRule(sender: "org.example.Peer", interface: "org.example.Peer", member: "Counted"))
        try await count(100)
        var numbers: [Int] = []
        for try await signal in signals {
            numbers.append(try #require(signal.arguments[0].integer))
            if numbers.count == 100 { break }
        }
        #expect(numbers == Array(0..<100))
    }

    @Test func `a signal of somebody else who imitates the sender is not delivered`() async throws {
        let signals = try await connection.signals(
            matching: DBusMatchRule(sender: "org.example.Peer", member: "Counted"))
        let impostor = try await bus.connect()
        try await impostor.emit(
            DBusSignal(
                path: "/org/example/Peer", interface: "org.example.Peer", member: "Counted",
                arguments: [.int32(-1), .string("false")]))
        // Another rule of this connection makes the bus send the impostor's signals too.
        let everything = try await connection.signals(matching: DBusMatchRule(member: "Counted"))
        try await impostor.emit(
            DBusSignal(
                path: "/org/example/Peer", interface: "org.example.Peer", member: "Counted",
                arguments: [.int32(-2), .string("false")]))
        for try await signal in everything where signal.arguments[0] == .int32(-2) { break }
        try await count(1)
        var iterator = signals.makeAsyncIterator()
        #expect(try await iterator.next()?.arguments[0] == .int32(0))
    }

    @Test func `a reader that is too slow is told that signals are lost`() async throws {
        let signals = try await connection.signals(matching: DBusMatchRule(member: "Counted"), limit: 10)
        try await count(100)
        var read = 0
        await #expect(throws: DBusError.overflow) {
            for try await _ in signals { read += 1 }
        }
        #expect(read == 10)
    }

    @Test func `the end of the bus ends the stream`() async throws {
        let signals = try await connection.signals(matching: DBusMatchRule(member: "Counted"))
        bus.kill()
        await #expect(throws: DBusError.disconnected) {
            for try await _ in signals {}
        }
    }

    @Test func `a sender that comes later is recognised`() async throws {
        let signals = try await connection.signals(matching: DBusMatchRule(sender: "org.example.Late", member: "Now"))
        let late = try await bus.connect()
        #expect(try await late.requestName("org.example.Late"))
        try await late.emit(DBusSignal(path: "/x", interface: "org.example.Late", member: "Now"))
        var iterator = signals.makeAsyncIterator()
        #expect(try await iterator.next()?.sender == late.uniqueName)
    }

    @Test func `an exported object answers a foreign caller, with values and with errors`() async throws {
        connection.export("/ours") { call throws(DBusError) in
            guard call.member == "Join" else { throw .remote(name: "org.example.Error.Other", message: "no") }
            return [.variant(.string(call.arguments.compactMap(\.text).joined() + "!"))]
        }
        func ask(_ member: String) async throws(DBusError) -> [DBusValue] {
            try await connection.call(
                "org.example.Peer", path: "/org/example/Peer", interface: "org.example.Peer", member: "Call",
                [.string(connection.uniqueName), .string("/ours"), .string("org.example.Ours"), .string(member)])
        }
        #expect(try await ask("Join").first?.text == "a!")
        await #expect(throws: DBusError.remote(name: "org.example.Error.Other", message: "no")) {
            try await ask("Other")
        }
        connection.withdraw("/ours")
        let error = await #expect(throws: DBusError.self) { try await ask("Join") }
        guard case .remote("org.freedesktop.DBus.Error.UnknownObject", _)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }
}
