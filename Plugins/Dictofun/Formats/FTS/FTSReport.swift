/// What came of a connection to a recorder.
package struct FTSReport: Hashable, Sendable {
    /// How it ended.
    package enum Outcome: Hashable, Sendable {
        /// Every listed file is stored here, and completion was confirmed to the device if it takes that.
        case complete
        /// Some files could not be fetched; the rest is stored.
        case incomplete
        /// The link ended early. What was stored by then is not fetched again.
        case interrupted
        /// The battery is low, so nothing more was asked.
        case lowBattery
        case cancelled
        /// Nothing can be stored here, for the given reason.
        case storeFailed(String)
        /// The device lacks parts of the service; its cached description may be out of date.
        case unsupported(missing: Set<FTSCharacteristic>)
        /// The device failed too often in a row; it recovers when it switches itself off.
        case unresponsive(FTSFailure)
        /// There is no list of files.
        case listFailed(FTSFailure)
    }

    /// A file that was listed and not stored.
    package struct Failure: Hashable, Sendable {
        /// Its id.
        package let id: FileID
        /// The reason of the last attempt.
        package let reason: FTSFailure
    }

    /// How the connection ended.
    package var outcome: Outcome
    /// The version of the protocol; nil when there was no list.
    package var version: FTSVersion?
    /// The number of files on the device.
    package var listedCount = 0
    /// The files that were stored, in the order of the list.
    package var stored: [FileID] = []
    /// The files that are not on the device any more.
    package var gone: [FileID] = []
    /// The ids that were listed repeatedly; the device gives out only the first file of each.
    package var duplicates: [FileID] = []
    /// The files that were not stored.
    package var failures: [Failure] = []
    /// The memory of the device, if it reported it.
    package var storage: DeviceStorage?
}

/// Why a request failed.
package enum FTSFailure: Error, Hashable, Sendable {
    /// Nothing came in time.
    case timeout
    /// A file ended early.
    case tooShort(received: Int, size: Int)
    /// More bytes came than the file has.
    case tooLong(size: Int)
    /// The device cannot open the file now.
    case unavailable
    /// The device cannot read its file system, or is recording.
    case fileSystemCorrupt
    /// The device gave up.
    case aborted
    /// The answer has another form than the protocol allows.
    case malformed
    case link(FTSLinkError)
}

/// A subscription or write that the Bluetooth service refused.
package enum FTSLinkError: Error, Hashable, Sendable {
    case notConnected
    /// Another operation is in progress.
    case busy
    /// The link is not encrypted: the devices are not paired.
    case notAuthorized
    case other(String)

    /// Whether another attempt can succeed on the same link.
    var isTransient: Bool { self == .busy }
}
