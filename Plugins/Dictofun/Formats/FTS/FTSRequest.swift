/// A request that is written, with response, to the control point.
package enum FTSRequest: Hashable, Sendable {
    case list
    case info(FileID)
    case data(FileID)
    case storage
    /// All files are stored here; the device disconnects.
    case receiveComplete

    /// The bytes on the wire: the opcode, and the id as the device gave it.
    package var bytes: [UInt8] {
        switch self {
        case .list: [1]
        case .info(let id): [2] + id.bytes
        case .data(let id): [3] + id.bytes
        case .storage: [4]
        case .receiveComplete: [6]
        }
    }
}

/// What is written to the characteristic for pairing.
package enum FTSPairingCommand: UInt8, Sendable {
    /// Succeeds on an encrypted link only, so it proves that the devices are paired.
    case probe = 0x01
    /// The device deletes all its bonds.
    case unpair = 0xAD
}
