import DBus
import DBusTestSupport
import Testing

@Suite(.serialized, .timeLimit(.minutes(20)))
struct DBusOpeningTests {
    @Test func `an address where nobody listens is no bus`() async throws {
        let address = try DBusAddress("unix:path=/tmp/there-is-no-such-bus")
        let error = await #expect(throws: DBusError.self) { try await DBusConnection.open(address) }
        guard case .noBus? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test(arguments: ["autolaunch:", "unixexec:path=/bin/false", "", ";", "unix:path=a\0b", "launchd:env=X"])
    func `an address that would start a program is refused`(text: String) {
        #expect(throws: DBusError.self) { try DBusAddress(text) }
    }

    @Test func `a bus that accepts and says nothing is given up at the deadline`() async throws {
        let bus = try TestBus()
        bus.freeze(true)
        await #expect(throws: DBusError.timedOut) {
            try await DBusConnection.open(bus.address, timeout: .milliseconds(100))
        }
        bus.freeze(false)
        let connection = try await bus.connect()
        #expect(connection.uniqueName.hasPrefix(":"))
    }

    @Test func `a bus that accepts no more connections is given up at the deadline`() async throws {
        let bus = try TestBus()
        bus.freeze(true)
        await withTaskGroup(of: DBusError?.self) { group in
            for _ in 0..<80 {
                group.addTask {
                    do throws(DBusError) {
                        _ = try await DBusConnection.open(bus.address, timeout: .milliseconds(200))
                        return nil
                    } catch {
                        return error
                    }
                }
            }
            for await error in group { #expect(error == .timedOut) }
        }
    }

    @Test func `the session bus is found in the environment, else in the runtime folder`() throws {
        let given = ["DBUS_SESSION_BUS_ADDRESS": "unix:path=/x", "XDG_RUNTIME_DIR": "/run/user/1"]
        #expect(try DBusAddress.session { given[$0] }.text == "unix:path=/x")
        #expect(try DBusAddress.session { $0 == "XDG_RUNTIME_DIR" ? "/a b" : nil }.text == "unix:path=/a%20b/bus")
        #expect(throws: DBusError.self) { try DBusAddress.session { _ in nil } }
    }
}
