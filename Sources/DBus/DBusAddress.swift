import Glibc

/// The address of a message bus, in the format of the D-Bus specification.
package struct DBusAddress: Hashable, Sendable {
    /// One or more addresses, separated by semicolons and tried in turn.
    package let text: String

    /// Takes `text` as it is written.
    ///
    /// Only sockets are accepted. Transports that start a program (`autolaunch:`, `unixexec:`) are refused, because
    /// such a bus would have no other members.
    package init(_ text: String) throws(DBusError) {
        let entries = text.split(separator: ";").filter { entry in
            DBusAddress.transports.contains { entry.hasPrefix($0) }
        }
        guard !entries.isEmpty, !text.utf8.contains(0) else { throw .noBus("the address is “\(text)”") }
        self.text = entries.joined(separator: ";")
    }

    /// The bus of the user's login session: `DBUS_SESSION_BUS_ADDRESS`, else the socket `bus` in `XDG_RUNTIME_DIR`.
    package static func session(
        environment: (String) -> String? = DBusAddress.environment
    ) throws(DBusError) -> DBusAddress {
        if let address = environment("DBUS_SESSION_BUS_ADDRESS"), !address.isEmpty { return try DBusAddress(address) }
        guard let directory = environment("XDG_RUNTIME_DIR"), directory.hasPrefix("/") else {
            throw .noBus("neither DBUS_SESSION_BUS_ADDRESS nor XDG_RUNTIME_DIR is set")
        }
        return try DBusAddress("unix:path=" + escaped(directory + "/bus"))
    }

    /// The bus of the machine: `DBUS_SYSTEM_BUS_ADDRESS`, else the well-known socket.
    package static func system(
        environment: (String) -> String? = DBusAddress.environment
    ) throws(DBusError) -> DBusAddress {
        if let address = environment("DBUS_SYSTEM_BUS_ADDRESS"), !address.isEmpty { return try DBusAddress(address) }
        return try DBusAddress("unix:path=/var/run/dbus/system_bus_socket")
    }

    /// Reads a variable of this process's environment.
    package static func environment(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

    private static let transports = ["unix:", "tcp:"]

    /// `path` with every byte outside the specification's optionally-escaped set written as `%xx`.
    static func escaped(_ path: String) -> String {
        path.utf8.reduce(into: "") { result, byte in
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "/"),
                UInt8(ascii: "."), UInt8(ascii: "\\"), UInt8(ascii: "*"):
                result.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                result += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
            }
        }
    }
}
