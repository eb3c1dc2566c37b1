package import DBus
import Glibc
package import NetworkTestSupport
import TestSupport

/// A message bus of a test's own, on a socket in a folder of its own.
package final class TestBus: Sendable {
    /// The address of the bus.
    package let address: DBusAddress
    private let folder: TemporaryFolder
    private let daemon: TestProcess

    /// Starts the bus and returns when it listens.
    package init() throws {
        folder = try TemporaryFolder()
        let configuration = """
            <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
             "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
            <busconfig>
              <type>session</type>
              <listen>unix:path=\(folder.path)/bus</listen>
              <auth>EXTERNAL</auth>
              <limit name="auth_timeout">3600000</limit>
              <limit name="max_incomplete_connections">10000</limit>
              <limit name="max_completed_connections">10000</limit>
              <limit name="max_connections_per_user">10000</limit>
              <policy context="default">
                <allow send_destination="*" eavesdrop="true"/>
                <allow eavesdrop="true"/>
                <allow own="*"/>
              </policy>
            </busconfig>
            """
        let file = try folder.write(configuration, to: "bus.conf")
        // The shell ends the bus when its own input ends, which it does with this process at the latest.
        let script = "dbus-daemon --nofork --print-address --config-file=\"$1\" 2>/dev/null & read _; kill $!; wait $!"
        daemon = try TestProcess(
            "/bin/sh", ["-c", script, "sh", file], environment: ["PATH": "/usr/bin:/bin"])
        _ = try daemon.line()
        address = try DBusAddress("unix:path=\(folder.path)/bus")
    }

    /// A connection to this bus, however busy the machine is.
    package func connect() async throws(DBusError) -> DBusConnection {
        try await DBusConnection.open(address, timeout: .seconds(3600))
    }

    /// Starts the system's own Python, which has the D-Bus modules, with `arguments`, and returns when it offers `name`.
    package func python(_ arguments: [String], offering name: String) async throws -> TestProcess {
        let connection = try await connect()
        let changes = try await connection.signals(
            matching: DBusMatchRule(
                sender: "org.freedesktop.DBus", member: "NameOwnerChanged", firstArgument: name))
        let program = try TestProcess(
            "/usr/bin/python3", ["-u"] + arguments,
            environment: ["DBUS_SESSION_BUS_ADDRESS": address.text, "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"])
        for try await _ in changes { break }
        await connection.close()
        return program
    }

    /// Starts one of the programs in `Mocks`.
    package func mock(
        _ file: String, _ arguments: [String] = [], offering name: String
    ) async throws -> TestProcess {
        let folder = #filePath.split(separator: "/").dropLast().joined(separator: "/")
        return try await python(["/\(folder)/Mocks/\(file)"] + arguments, offering: name)
    }

    /// Stops the bus's process, so that it does not respond, or lets it continue.
    package func freeze(_ isFrozen: Bool) { daemon.signal(isFrozen ? SIGSTOP : SIGCONT) }

    /// Ends the bus.
    package func kill() { daemon.signal(SIGKILL) }
}
