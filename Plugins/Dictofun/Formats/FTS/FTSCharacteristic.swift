/// A characteristic of the recorder's file transfer service (FTS), by its 16-bit number.
package enum FTSCharacteristic: UInt16, CaseIterable, Sendable {
    case controlPoint = 0x1002
    case fileList = 0x1003
    case fileInfo = 0x1004
    case fileData = 0x1005
    case storage = 0x1006
    case status = 0x1007
    case fileListNext = 0x1008
    case pairing = 0x10FE

    /// The UUID of the service.
    package static let service = "a0451001-b822-4820-8782-bd8faf68807b"

    /// The UUID of the characteristic, as BlueZ writes it.
    package var uuid: String { "0000\(String(rawValue, radix: 16))-0000-1000-8000-00805f9b34fb" }

    /// The characteristic with a UUID; nil for others. The service must be the FTS, since others use the same base.
    package init?(uuid: some StringProtocol) {
        let lowered = uuid.lowercased()
        guard let found = FTSCharacteristic.allCases.first(where: { $0.uuid == lowered }) else { return nil }
        self = found
    }

    /// The characteristics without which nothing can be fetched.
    package static let required: Set<FTSCharacteristic> = [.controlPoint, .fileList, .fileInfo, .fileData, .status]
}

/// The versions of the protocol that differ on the wire. Later versions of the firmware than ``v3`` have the same messages.
package enum FTSVersion: Int, Comparable, Sendable {
    /// Ids of 8 bytes, at most 30 files.
    case v1 = 1
    /// Ids of 8 bytes, with continuations of the list.
    case v2 = 2
    /// Ids of 16 digits; "receive complete".
    case v3 = 3

    /// The bytes of a file id.
    package var idSize: Int { self == .v3 ? 16 : 8 }

    /// Whether `left` is older.
    package static func < (left: FTSVersion, right: FTSVersion) -> Bool { left.rawValue < right.rawValue }
}
