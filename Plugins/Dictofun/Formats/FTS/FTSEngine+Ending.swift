/// The ways to the end of a connection.
extension FTSEngine {
    /// Ends the connection early.
    mutating func end(_ outcome: FTSReport.Outcome) -> [Action] {
        report.outcome = outcome
        return settleCurrentFile() + disconnect()
    }

    /// Stores a file of which all came, and drops one whose parts were given out only in part.
    private mutating func settleCurrentFile() -> [Action] {
        switch state {
        case .requesting(.data(let number)) where receivedCount < file(number).info.size: return [.discard]
        case .requesting(.data(let number)), .verifying(let number):
            pendingStores.insert(number)
            return [.store(number)]
        default: return []
        }
    }

    mutating func disconnect() -> [Action] {
        state = .disconnecting
        return [.disconnect, startTimer(timeouts.disconnect)]
    }

    mutating func handleDisconnect() -> [Action] {
        switch state {
        case .finished, .disconnected: return []
        case .awaitingDisconnect, .disconnecting:
            state = .disconnected
            return [.stopTimer] + finishIfStored()
        default:
            // The report says `interrupted` unless it was concluded; then the device left before the confirmation.
            let actions = settleCurrentFile()
            if report.outcome != .complete { report.outcome = .interrupted }
            state = .disconnected
            return actions + [.stopTimer] + finishIfStored()
        }
    }

    mutating func handleStored(_ number: Int) -> [Action] {
        guard pendingStores.remove(number) != nil else { return [] }
        entries[number].isStored = true
        return continueAfterStore()
    }

    mutating func handleStoreFailed(_ number: Int, _ reason: String) -> [Action] {
        guard pendingStores.remove(number) != nil else { return [] }
        switch state {
        case .disconnecting, .disconnected:
            report.outcome = .storeFailed(reason)
            return continueAfterStore()
        default: return end(.storeFailed(reason))
        }
    }

    private mutating func continueAfterStore() -> [Action] {
        switch state {
        case .storing: pendingStores.isEmpty ? conclude() : []
        case .disconnected: finishIfStored()
        default: []
        }
    }

    /// Finishes once every file that was received is durable or given up.
    private mutating func finishIfStored() -> [Action] {
        guard pendingStores.isEmpty, state == .disconnected else { return [] }
        state = .finished
        report.stored = entries.filter(\.isStored).map(\.id)
        report.failures = entries.compactMap { entry in
            entry.isStored ? nil : entry.failure.map { FTSReport.Failure(id: entry.id, reason: $0) }
        }
        return [.finish(report, holdOff: timeouts.holdOff)]
    }
}
