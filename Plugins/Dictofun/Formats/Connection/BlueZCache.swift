/// The objects of the Bluetooth service as its signals describe them: paths, interfaces and those properties that matter here.
package struct BlueZCache: Hashable, Sendable {
    /// A property of a simple type.
    package enum Value: Hashable, Sendable {
        case truth(Bool)
        case number(Int)
        /// A string or an object path.
        case text(String)
        case texts([String])
    }

    /// The interfaces with properties that are used.
    package enum Interface: String, CaseIterable, Sendable {
        case adapter = "org.bluez.Adapter1"
        case device = "org.bluez.Device1"
        case battery = "org.bluez.Battery1"
        case service = "org.bluez.GattService1"
        case characteristic = "org.bluez.GattCharacteristic1"
    }

    /// The properties of an interface by their names.
    package typealias Properties = [String: Value]

    private var objects: [String: [Interface: Properties]] = [:]

    package init() {}

    /// Adds interfaces of an object, or replaces them.
    package mutating func add(_ path: String, _ interfaces: [Interface: Properties]) {
        objects[path, default: [:]].merge(interfaces) { $1 }
    }

    /// Removes interfaces of an object, and the object with the last of them.
    package mutating func remove(_ path: String, _ interfaces: [Interface]) {
        for interface in interfaces { objects[path]?[interface] = nil }
        if objects[path]?.isEmpty == true { objects[path] = nil }
    }

    /// Changes properties; those of unknown objects are ignored.
    package mutating func change(
        _ path: String, _ interface: Interface, _ changed: Properties, invalidated: [String] = []
    ) {
        objects[path]?[interface]?.merge(changed) { $1 }
        for name in invalidated { objects[path]?[interface]?[name] = nil }
    }

    private func value(_ path: String, _ interface: Interface, _ name: String) -> Value? {
        objects[path]?[interface]?[name]
    }

    func text(_ path: String, _ interface: Interface, _ name: String) -> String? {
        if case .text(let text)? = value(path, interface, name) { text } else { nil }
    }

    func isTrue(_ path: String, _ interface: Interface, _ name: String) -> Bool {
        value(path, interface, name) == .truth(true)
    }

    /// Whether there is an object with the interface.
    func contains(_ path: String, _ interface: Interface) -> Bool { objects[path]?[interface] != nil }

    /// The adapter to use: one that is on, else any; one that says that it cannot be a central is none.
    var adapter: String? {
        let adapters = objects.keys.filter { path in
            guard contains(path, .adapter) else { return false }
            if case .texts(let roles)? = value(path, .adapter, "Roles") { return roles.contains("central") }
            return true
        }.sorted()
        return adapters.first { isTrue($0, .adapter, "Powered") } ?? adapters.first
    }

    /// Whether there is an adapter that is on.
    package var hasUsableAdapter: Bool { adapter.map { isTrue($0, .adapter, "Powered") } ?? false }

    /// The paths of the devices of an adapter that offer one of the services, sorted.
    func devices(of adapter: String, offering services: Set<String>) -> [String] {
        objects.keys.filter { path in
            guard path.hasPrefix(adapter + "/"), case .texts(let uuids)? = value(path, .device, "UUIDs") else {
                return false
            }
            return uuids.contains { services.contains($0.lowercased()) }
        }.sorted()
    }

    /// What is known of a device; nil when there is none with an address.
    package func device(_ path: String) -> Device? {
        guard let address = text(path, .device, "Address") else { return nil }
        var signal: Int?
        if case .number(let strength)? = value(path, .device, "RSSI") { signal = strength }
        return Device(
            address: address, advertisedName: text(path, .device, "Name") ?? "",
            isPaired: isTrue(path, .device, "Paired"), signal: signal, battery: battery(of: path))
    }

    /// The charge that the service has read from a device.
    package func battery(of path: String) -> BatteryLevel? {
        if case .number(let percent)? = value(path, .battery, "Percentage") {
            BatteryLevel(percent: percent)
        } else {
            nil
        }
    }

    /// The paths of the characteristics of a device's file transfer service.
    package func characteristics(of device: String) -> [FTSCharacteristic: String] {
        characteristics(of: device, in: FTSCharacteristic.service) { FTSCharacteristic(uuid: $0) }
    }

    /// The paths of the characteristics of a device's service for firmware.
    package func firmwareCharacteristics(of device: String) -> [DFUCharacteristic: String] {
        characteristics(of: device, in: DFUCharacteristic.service) { DFUCharacteristic(rawValue: $0.lowercased()) }
    }

    /// The bytes that fit in one write to a characteristic: the MTU of its link less 3.
    package func packetSize(of characteristic: String) -> Int {
        if case .number(let mtu)? = value(characteristic, .characteristic, "MTU"), mtu > 23 { mtu - 3 } else { 20 }
    }

    /// The service counts too: others use UUIDs of the same base.
    private func characteristics<Characteristic: Hashable>(
        of device: String, in service: String, _ read: (String) -> Characteristic?
    ) -> [Characteristic: String] {
        let services = Set(
            objects.keys.filter {
                text($0, .service, "UUID")?.lowercased() == service && text($0, .service, "Device") == device
            })
        var found: [Characteristic: String] = [:]
        for path in objects.keys.sorted() {
            guard let service = text(path, .characteristic, "Service"), services.contains(service),
                let characteristic = text(path, .characteristic, "UUID").flatMap(read)
            else { continue }
            found[characteristic] = found[characteristic] ?? path
        }
        return found
    }
}
