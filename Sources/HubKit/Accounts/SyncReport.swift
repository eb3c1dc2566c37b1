package import Commands
package import Sync

/// The request to sync an account once.
package struct SyncRequest: Sendable {
    /// The operation that all local changes belong to.
    package var operation: Operation
    /// Whether to plan only, without changes on either side.
    package var isDryRun = false
    /// Whether safety checks are overridden.
    package var isForced = false
    /// Whether a user waits for it, so that a server that does not answer is given up sooner.
    package var isAwaited = false
    /// Asks the user to confirm a consequence, such as `30 contacts would be removed here`. Throws if there is no
    /// terminal to ask on.
    package var confirm: @Sendable (_ consequence: String) async throws -> Bool = { _ in false }
    /// Shows the progress in the unit of the kind of account; the total is nil while it is not known.
    package var progress: @Sendable (_ completed: Int, _ total: Int?) -> Void = { _, _ in }

    package init(_ operation: Operation) { self.operation = operation }
}

/// The results of a sync that only the plugin knows.
package protocol SyncDetails: Sendable {
    /// Creates empty results.
    init()
}

/// Messages as the only results of a sync.
package struct SyncNotes: SyncDetails {
    /// The messages for the user.
    package var notes: [Diagnostic] = []

    package init() {}
}

/// The result of syncing one account. The properties of the details are its own too.
@dynamicMemberLookup package struct SyncReport<Details: SyncDetails>: Sendable {
    /// The result as it is stored, with the counts.
    package var run: SyncLogEntry
    /// The results that only the plugin knows.
    package var details = Details()
    /// The error that ended the sync; earlier results are stored.
    package var failure: HubError?
    /// The command or service that synced the account while this one waited; nil if this one did.
    package var doneBy: String?

    init(_ run: SyncLogEntry) { self.run = run }

    /// A property of the details.
    package subscript<Value>(dynamicMember path: WritableKeyPath<Details, Value>) -> Value {
        get { details[keyPath: path] }
        set { details[keyPath: path] = newValue }
    }

    /// Whether the account was not there.
    package var isAbsent: Bool {
        if case .unreachable? = failure?.cause as? RemoteError { true } else { false }
    }
}

extension SyncLogEntry {
    /// Records how a sync ended and when the next one is due. `before` is the previous sync, `jitter` a random number in
    /// 0..<1.
    mutating func end(
        _ failure: HubError?, at now: Instant, after elapsed: Duration, before: SyncLogEntry?, every: Duration,
        jitter: Double
    ) {
        milliseconds = elapsed.milliseconds
        finishedAt = now.milliseconds
        self.failure = failure?.message
        failures = failure == nil ? 0 : (before?.failures ?? 0) + 1
        nextAt =
            finishedAt
            + SyncSchedule.delay(
                every: every, failures: failures, retryAfter: (failure?.cause as? RemoteError)?.retryAfter,
                jitter: jitter)
    }

    /// `received 12 new, 3 changed, 1 removed; sent 2 changed`, or `up to date`.
    package func words(isPlan: Bool = false) -> String {
        var parts: [String] = []
        if received.total > 0 { parts.append((isPlan ? "would receive " : "received ") + received.words) }
        if sent.total > 0 { parts.append((isPlan ? "would send " : "sent ") + sent.words) }
        if merged > 0 { parts.append((isPlan ? "would merge " : "merged ") + "\(merged)") }
        return parts.isEmpty ? "up to date" : parts.joined(separator: "; ")
    }
}

extension SyncLogEntry.Counts {
    /// The total number of items.
    package var total: Int { new + changed + removed }

    /// `12 new, 3 changed, 1 removed`.
    fileprivate var words: String {
        [(new, "new"), (changed, "changed"), (removed, "removed")].filter { $0.0 > 0 }
            .map { "\(NumberFormat.grouped($0.0)) \($0.1)" }.joined(separator: ", ")
    }
}
