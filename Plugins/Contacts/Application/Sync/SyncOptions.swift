package import ContactsDomain

/// How a book is to be synced.
package struct SyncOptions: Sendable {
    /// Whether only the plan is wanted: nothing is changed on either side.
    package var isDryRun: Bool
    /// Whether a book that is empty on the other side may empty the one here.
    package var isForced: Bool
    /// Asks a person whether much may be removed; throws when there is nobody to ask.
    package var consent: @Sendable (SyncQuestion) async throws -> Bool

    package init(
        isDryRun: Bool = false, isForced: Bool = false,
        consent: @escaping @Sendable (SyncQuestion) async throws -> Bool = { _ in false }
    ) {
        self.isDryRun = isDryRun
        self.isForced = isForced
        self.consent = consent
    }
}

/// How far a sync is.
package struct SyncProgress: Hashable, Sendable {
    /// How many cards were received.
    package var received = 0
    /// How many cards were sent.
    package var sent = 0
    /// How many cards there are to receive, as far as it is known.
    package var toReceive: Int?
}
