/// How far a connection is, for display.
package struct FTSProgress: Hashable, Sendable {
    /// What is being done.
    package enum Operation: Hashable, Sendable {
        case connecting, listing, describing, storing, finishing
        /// A file is on its way.
        case receiving(FileID)
    }

    /// What is being done.
    package let operation: Operation
    /// The number of files that are new; it may shrink while descriptions come in.
    package let newCount: Int
    /// The number of new files that were received.
    package let receivedCount: Int
    /// The bytes of all new files that were received.
    package let receivedBytes: Int
    /// The bytes of all new files whose size is known.
    package let totalBytes: Int
}

extension FTSEngine {
    /// How far the connection is. It costs time linear in the number of files.
    package var progress: FTSProgress {
        let new = entries.enumerated().filter { !$0.element.isGone && !$0.element.isKnown }
        let done = new.filter { $0.element.isStored || pendingStores.contains($0.offset) }
        var bytes = done.reduce(0) { $0 + ($1.element.info?.size ?? 0) }
        switch state {
        case .requesting(.data), .verifying: bytes += receivedCount
        default: break
        }
        return FTSProgress(
            operation: operation, newCount: new.count, receivedCount: done.count, receivedBytes: bytes,
            totalBytes: new.reduce(0) { $0 + ($1.element.info?.size ?? 0) })
    }

    private var operation: FTSProgress.Operation {
        switch state {
        case .ready, .subscribing, .pausingSubscription: return .connecting
        case .requesting(let step), .pausing(let step):
            switch step {
            case .list: return .listing
            case .info: return .describing
            case .data(let number): return .receiving(entries[number].id)
            case .storage, .receiveComplete: return .finishing
            }
        case .verifying(let number): return .receiving(entries[number].id)
        case .storing: return .storing
        case .awaitingDisconnect, .disconnecting, .disconnected, .finished: return .finishing
        }
    }
}
