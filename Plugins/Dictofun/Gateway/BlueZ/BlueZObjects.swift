import DBus
import DictofunDomain
import Time

/// The objects that BlueZ calls: an agent without input and output, which even pairing without a question needs, and the service from
/// which a recorder reads the time.
enum BlueZObjects {
    static let agent = "/hub/agent"
    static let application = "/hub/application"
    private static let service = "/hub/application/service"
    private static let time = "/hub/application/time"

    /// Exports the objects. `now` returns the local time when a recorder asks for it.
    static func export(on connection: DBusConnection, now: @escaping @Sendable () -> LocalTime) {
        connection.export(agent) { (_) throws(DBusError) in [] }
        connection.export(application) { (call) throws(DBusError) in
            guard call.member == "GetManagedObjects" else { throw unknown(call) }
            return [objects]
        }
        connection.export(time) { (call) throws(DBusError) in
            guard call.member == "ReadValue" else { throw unknown(call) }
            return [.bytes(CurrentTime.bytes(now()))]
        }
    }

    private static func unknown(_ call: DBusMethodCall) -> DBusError {
        .remote(name: "org.freedesktop.DBus.Error.UnknownMethod", message: "no method named \(call.member)")
    }

    private static var objects: DBusValue {
        func interfaces(_ interface: BlueZCache.Interface, _ properties: [String: DBusValue]) -> DBusValue {
            .dictionary(
                key: .string, value: .dictionary(key: .string, value: .variant),
                [.string(interface.rawValue): .properties(properties)])
        }
        return .dictionary(
            key: .objectPath, value: .dictionary(key: .string, value: .dictionary(key: .string, value: .variant)),
            [
                .objectPath(service): interfaces(
                    .service, ["UUID": .string(CurrentTime.service), "Primary": .boolean(true)]),
                .objectPath(time): interfaces(
                    .characteristic,
                    [
                        "UUID": .string(CurrentTime.characteristic), "Service": .objectPath(service),
                        "Flags": .strings(["read"]),
                    ]),
            ])
    }
}
