/// A recorder that was found or paired.
package struct Device: Hashable, Sendable {
    /// The Bluetooth address, such as `C0:DE:00:00:00:01`, which identifies a recorder.
    package let address: String
    /// The name that it gives itself: `dictofun_v1.4`, or `dict` before the first connection.
    package var advertisedName: String
    /// The name that the user gave it.
    package var alias: String?
    /// Whether it is bonded with this computer.
    package var isPaired: Bool
    /// The strength of its signal in dBm, while it is nearby.
    package var signal: Int?
    /// The last known charge.
    package var battery: BatteryLevel?
    /// The last known state of its memory.
    package var storage: DeviceStorage?
    /// The version of its firmware as the user noted it; it reports none.
    package var firmware: FirmwareVersion?

    package init(
        address: String, advertisedName: String, alias: String? = nil, isPaired: Bool = false, signal: Int? = nil,
        battery: BatteryLevel? = nil, storage: DeviceStorage? = nil, firmware: FirmwareVersion? = nil
    ) {
        self.address = address
        self.advertisedName = advertisedName
        self.alias = alias
        self.isPaired = isPaired
        self.signal = signal
        self.battery = battery
        self.storage = storage
        self.firmware = firmware
    }

    /// The name to show.
    package var name: String { alias ?? advertisedName }

    /// The revision of its board, such as `1.4`: the only version of the hardware that it reports.
    package var boardRevision: FirmwareVersion? {
        let prefix = "dictofun_v"
        return advertisedName.hasPrefix(prefix) ? FirmwareVersion(advertisedName.dropFirst(prefix.count)) : nil
    }

    /// Whether `words` mean this recorder: its alias, its name, or its address or the end of it.
    package func matches(_ words: String) -> Bool {
        let wanted = words.lowercased()
        let plain = address.lowercased()
        return !wanted.isEmpty
            && (alias?.lowercased() == wanted || advertisedName.lowercased() == wanted || plain == wanted
                || plain.hasSuffix(":" + wanted))
    }

    /// The state of the connection to a recorder, as it is shown.
    package enum Connection: String, Hashable, Sendable {
        case unknown, nearby, connecting, connected, transferring
        /// It is off or out of range.
        case away
    }
}

/// The recorder that a command means: exactly one, or the reason why not.
package enum DeviceChoice: Hashable, Sendable {
    case one(Device)
    case none
    /// Several could be meant; the user names one.
    case ambiguous([Device])

    /// Chooses among the recorders that are nearby. Without a name it is the only paired one, else the only one.
    package init(among devices: [Device], named name: String? = nil, mustBePaired: Bool = false) {
        let possible = devices.filter { ($0.isPaired || !mustBePaired) && name.map($0.matches) ?? true }
        let paired = possible.filter(\.isPaired)
        let candidates = name == nil && !paired.isEmpty ? paired : possible
        switch candidates.count {
        case 0: self = .none
        case 1: self = .one(candidates[0])
        default:
            self = .ambiguous(candidates.sorted { ($0.signal ?? .min, $1.address) > ($1.signal ?? .min, $0.address) })
        }
    }
}
