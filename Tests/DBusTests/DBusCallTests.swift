import DBus
import DBusTestSupport
import NetworkTestSupport
import Testing

@Suite(.serialized, .timeLimit(.minutes(20)))
struct DBusCallTests {
    private let bus: TestBus
    private let connection: DBusConnection
    private let peer: TestProcess

    init() async throws {
        bus = try TestBus()
        peer = try await bus.mock("peer.py", offering: "org.example.Peer")
        connection = try await bus.connect()
    }

    private func call(
        _ member: String, _ arguments: [DBusValue] = [], timeout: Duration = .seconds(3600)
    ) async throws(DBusError) -> [DBusValue] {
        try await connection.call(
            "org.example.Peer", path: "/org/example/Peer", interface: "org.example.Peer", member: member, arguments,
            timeout: timeout)
    }

    @Test func `values of every type survive the way to a foreign peer and back`() async throws {
        for value in ExampleValues.all {
            #expect(try await call("Echo", [.variant(value)]) == [.variant(value)])
        }
    }

    @Test func `several arguments keep their types and order`() async throws {
        let arguments: [DBusValue] = [
            .bytes([0, 255, 7]), .strings(["a", "ż", ""]), .properties(["x": .int32(1), "y": .strings([])]),
            .structure([.string("s"), .int32(-1), .boolean(true)]),
        ]
        #expect(try await call("EchoAll", arguments) == arguments)
    }

    @Test func `an error of the other side keeps its name and text`() async throws {
        await #expect(throws: DBusError.remote(name: "org.example.Error.Broken", message: "it is broken")) {
            try await call("Fail")
        }
    }

    @Test func `a call that is never answered ends at its deadline`() async throws {
        await #expect(throws: DBusError.timedOut) { try await call("Wait", timeout: .milliseconds(50)) }
        #expect(try await call("Echo", [.variant(.byte(1))]) == [.variant(.byte(1))])
    }

    @Test func `cancelling the task ends its call`() async throws {
        let waiting = Task { try await call("Wait") }
        _ = try await call("Echo", [.variant(.byte(1))])
        waiting.cancel()
        await #expect(throws: DBusError.cancelled) { try await waiting.value }
    }

    @Test func `a service that nobody offers is told from other errors`() async throws {
        let error = await #expect(throws: DBusError.self) {
            try await connection.call("org.example.None", path: "/", interface: "org.example.None", member: "X")
        }
        #expect(error?.isServiceMissing == true)
    }

    @Test func `calls of many tasks are answered each for its own`() async throws {
        let sums = try await withThrowingTaskGroup(of: Bool.self) { group in
            for number in Int32(0)..<100 {
                group.addTask {
                    let value = DBusValue.variant(.int32(number))
                    return try await call("Echo", [value]) == [value]
                }
            }
            return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        #expect(sums == 100)
    }

    @Test func `a large value passes`() async throws {
        let value = DBusValue.variant(.bytes((0..<3_000_000).map { UInt8(truncatingIfNeeded: $0) }))
        #expect(try await call("Echo", [value]) == [value])
    }

    @Test func `the end of the bus ends what waits and what comes later`() async throws {
        let waiting = Task { try await call("Wait") }
        _ = try await call("Echo", [.variant(.byte(1))])
        bus.kill()
        await #expect(throws: DBusError.disconnected) { try await waiting.value }
        await #expect(throws: DBusError.disconnected) { try await call("Fail") }
    }

    @Test func `closing ends what waits`() async throws {
        let waiting = Task { try await call("Wait") }
        _ = try await call("Echo", [.variant(.byte(1))])
        await connection.close()
        await #expect(throws: DBusError.disconnected) { try await waiting.value }
        await connection.close()
    }
}
