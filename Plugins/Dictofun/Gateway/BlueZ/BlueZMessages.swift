import DBus
import DictofunDomain

/// A method call as D-Bus has it.
struct BlueZMessage: Sendable {
    let path: String
    let interface: String
    let member: String
    let arguments: [DBusValue]

    init(_ path: String, _ interface: String, _ member: String, _ arguments: [DBusValue] = []) {
        self.path = path
        self.interface = interface
        self.member = member
        self.arguments = arguments
    }

    /// A write to a characteristic.
    static func write(
        _ bytes: [UInt8], to characteristic: String, withResponse: Bool = true
    ) -> BlueZMessage {
        BlueZMessage(
            characteristic, BlueZCache.Interface.characteristic.rawValue, "WriteValue",
            [.bytes(bytes), .properties(["type": .string(withResponse ? "request" : "command")])])
    }
}

extension BlueZCall {
    /// The message of the call.
    var message: BlueZMessage {
        let (adapter1, device1) = (BlueZCache.Interface.adapter.rawValue, BlueZCache.Interface.device.rawValue)
        switch self {
        case .getObjects: return BlueZMessage("/", "org.freedesktop.DBus.ObjectManager", "GetManagedObjects")
        case .power(let adapter): return BlueZCall.set(adapter, adapter1, "Powered")
        case .registerAgent:
            return BlueZMessage(
                "/org/bluez", "org.bluez.AgentManager1", "RegisterAgent",
                [.objectPath(BlueZObjects.agent), .string("NoInputNoOutput")])
        case .registerTimeService(let adapter):
            return BlueZMessage(
                adapter, "org.bluez.GattManager1", "RegisterApplication",
                [.objectPath(BlueZObjects.application), .properties([:])])
        case .setDiscoveryFilter(let adapter):
            let filter: DBusValue = .properties([
                "Transport": .string("le"), "UUIDs": .strings([FTSCharacteristic.service, DFUCharacteristic.service]),
                "DuplicateData": .boolean(false),
            ])
            return BlueZMessage(adapter, adapter1, "SetDiscoveryFilter", [filter])
        case .startDiscovery(let adapter): return BlueZMessage(adapter, adapter1, "StartDiscovery")
        case .stopDiscovery(let adapter): return BlueZMessage(adapter, adapter1, "StopDiscovery")
        case .connect(let device): return BlueZMessage(device, device1, "Connect")
        case .pair(let device): return BlueZMessage(device, device1, "Pair")
        case .trust(let device): return BlueZCall.set(device, device1, "Trusted")
        case .writePairing(let characteristic, let command): return .write([command.rawValue], to: characteristic)
        case .disconnect(let device): return BlueZMessage(device, device1, "Disconnect")
        case .removeDevice(let adapter, let device):
            return BlueZMessage(adapter, adapter1, "RemoveDevice", [.objectPath(device)])
        }
    }

    private static func set(_ path: String, _ interface: String, _ name: String) -> BlueZMessage {
        BlueZMessage(
            path, "org.freedesktop.DBus.Properties", "Set",
            [.string(interface), .string(name), .variant(.boolean(true))])
    }
}

extension BlueZError {
    /// What an error of the bus means.
    init(_ error: DBusError) {
        switch error {
        case .remote(let name, let message): self = BlueZError(name: name, message: message)
        case .timedOut: self = .noReply
        case .disconnected, .noBus: self = .serviceMissing
        default: self = .failed(error.description)
        }
    }
}

extension BlueZCache {
    /// The objects of an answer to `GetManagedObjects`.
    init(_ objects: DBusValue?) {
        self.init()
        for (path, value) in objects?.entries ?? [:] { add(path.text ?? "", BlueZCache.interfaces(value)) }
    }

    /// The interfaces that matter in a dictionary of interfaces.
    static func interfaces(_ value: DBusValue?) -> [Interface: Properties] {
        var interfaces: [Interface: Properties] = [:]
        for (name, value) in value?.entries ?? [:] {
            if let interface = name.text.flatMap(Interface.init) { interfaces[interface] = properties(value) }
        }
        return interfaces
    }

    /// The properties of simple types in a dictionary of properties.
    static func properties(_ value: DBusValue) -> Properties {
        var properties: Properties = [:]
        for (name, value) in value.entries ?? [:] {
            guard let name = name.text else { continue }
            if let truth = value.truth {
                properties[name] = .truth(truth)
            } else if let number = value.integer {
                properties[name] = .number(number)
            } else if let text = value.text {
                properties[name] = .text(text)
            } else if let elements = value.unwrapped.elements {
                properties[name] = .texts(elements.compactMap(\.text))
            }
        }
        return properties
    }
}
