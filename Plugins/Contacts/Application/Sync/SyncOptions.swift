package import ContactsDomain

/// The options of a sync.
package struct SyncOptions: Sendable {
    /// Whether to plan only, without changes on either side.
    package var isDryRun: Bool
    /// Whether an empty remote book may empty the local one.
    package var isForced: Bool
    /// Asks the user to confirm many removals. Throws if there is no terminal to ask on.
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

/// The progress of a sync.
package struct SyncProgress: Hashable, Sendable {
    /// The number of cards received.
    package var received = 0
    /// The number of cards sent.
    package var sent = 0
    /// The number of cards to receive, if known.
    package var toReceive: Int?
}
