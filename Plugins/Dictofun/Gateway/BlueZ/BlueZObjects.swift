import DBus
import DictofunDomain
import Time

/// The objects that BlueZ calls: an agent without input and output, which even pairing without a question needs, and the service from
/// which a recorder reads the time, with a profile for which BlueZ connects with paired recorders by itself.
enum BlueZObjects {
    static let agent = "/hub/agent"
    static let application = "/hub/application"
    private static let service = "/hub/application/service"
    private static let profile = "/hub/application/profile"
    private static let time = "/hub/application/time"

    /// Exports the objects; the profile only if `connects`. `now` returns the local time when a recorder asks for it.
    static func export(
        on connection: DBusConnection, connects: Bool, now: @escaping @Sendable () -> LocalTime
    ) {
        connection.export(agent) { (_) throws(DBusError) in [] }
        connection.export(application) { (call) throws(DBusError) in
            guard call.member == "GetManagedObjects" else { throw unknown(call) }
            return [objects(connects: connects)]
        }
        // BlueZ says by Release that it needs the profile no longer.
        if connects { connection.export(profile) { (_) throws(DBusError) in [] } }
        connection.export(time) { (call) throws(DBusError) in
            guard call.member == "ReadValue" else { throw unknown(call) }
            return [.bytes(CurrentTime.bytes(now()))]
        }
    }

    private static func unknown(_ call: DBusMethodCall) -> DBusError {
        .remote(name: "org.freedesktop.DBus.Error.UnknownMethod", message: "no method named \(call.member)")
    }

    private static func objects(connects: Bool) -> DBusValue {
        func interfaces(_ interface: String, _ properties: [String: DBusValue]) -> DBusValue {
            .dictionary(
                key: .string, value: .dictionary(key: .string, value: .variant),
                [.string(interface): .properties(properties)])
        }
        var objects: [DBusValue: DBusValue] = [
            .objectPath(service): interfaces(
                BlueZCache.Interface.service.rawValue,
                ["UUID": .string(CurrentTime.service), "Primary": .boolean(true)]),
            .objectPath(time): interfaces(
                BlueZCache.Interface.characteristic.rawValue,
                [
                    "UUID": .string(CurrentTime.characteristic), "Service": .objectPath(service),
                    "Flags": .strings(["read"]),
                ]),
        ]
        if connects {
            objects[.objectPath(profile)] = interfaces(
                "org.bluez.GattProfile1", ["UUIDs": .strings([FTSCharacteristic.service])])
        }
        return .dictionary(
            key: .objectPath, value: .dictionary(key: .string, value: .dictionary(key: .string, value: .variant)),
            objects)
    }
}
