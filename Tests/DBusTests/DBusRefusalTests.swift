import DBus
import DBusTestSupport
import Testing

@Suite(.serialized, .timeLimit(.minutes(20)))
struct DBusRefusalTests {
    private let bus: TestBus
    private let connection: DBusConnection

    init() async throws {
        bus = try TestBus()
        connection = try await bus.connect()
    }

    /// Refused values never leave this process, so it does not matter that the bus takes none.
    private func send(_ value: DBusValue) async throws(DBusError) -> [DBusValue] {
        try await connection.call(
            "org.freedesktop.DBus", path: "/", interface: "org.freedesktop.DBus", member: "GetId", [.variant(value)])
    }

    private func expectConnected() async throws {
        let reply = try await connection.call(
            "org.freedesktop.DBus", path: "/", interface: "org.freedesktop.DBus", member: "GetId")
        #expect(reply.first?.text?.isEmpty == false)
    }

    @Test(arguments: [
        DBusValue.string("a\0b"), .objectPath("no path"), .objectPath(""), .signature("("), .signature("a"),
        .array(of: .int32, [.string("x")]), .structure([]),
        .dictionary(key: .string, value: .int32, [.int32(1): .int32(1)]),
        .dictionary(key: .variant, value: .int32, [:]),
        (0..<100).reduce(DBusValue.byte(1)) { value, _ in .variant(value) },
        (0..<100).reduce(DBusValue.byte(1)) { value, _ in .structure([value]) },
    ])
    func `what breaks the rules is refused and hurts nobody`(value: DBusValue) async throws {
        let error = await #expect(throws: DBusError.self) { try await send(value) }
        guard case .invalid? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        try await expectConnected()
    }

    @Test func `a message that is too long is refused before it is sent`() async throws {
        let error = await #expect(throws: DBusError.self) {
            try await send(.bytes(Array(repeating: 0, count: 17 << 20)))
        }
        guard case .invalid? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test(arguments: [
        ("not a name", "/", "a.b", "C"), ("a.b", "x", "a.b", "C"), ("a.b", "/", "ab", "C"), ("a.b", "/", "a.b", "C D"),
        ("", "/", "a.b", "C"), ("a.b", "/\0", "a.b", "C"),
    ])
    func `malformed names are refused`(names: (String, String, String, String)) async throws {
        let error = await #expect(throws: DBusError.self) {
            try await connection.call(names.0, path: names.1, interface: names.2, member: names.3)
        }
        guard case .invalid? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }
}
