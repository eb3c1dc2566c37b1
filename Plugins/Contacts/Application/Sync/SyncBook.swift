package import ContactsDomain
package import HubKit
import Links

/// Keeps one address book elsewhere and its contacts here in step: the only loop of a sync.
///
/// The engine decides, the link moves cards, the store keeps. Nothing waits inside a transaction. A contact and what is
/// known of its card there are kept in one commit, so the process may be killed at any point: the next sync goes on from
/// what was kept, and knows a card again whose receipt was lost. All that a sync changes here is one operation.
package struct SyncBook: Sendable {
    let contacts: ContactStore
    let clock: any Clock

    package init(_ contacts: ContactStore, clock: any Clock) {
        self.contacts = contacts
        self.clock = clock
    }

    /// Syncs `book` over `link`. The caller holds the lease of the account.
    ///
    /// Throws ``LinkError`` when the other side cannot be talked to; what was done before is kept. Throws
    /// `book-emptied` when the other side says that all cards are gone and nothing proves it, and what `consent` throws.
    package func callAsFunction(
        _ book: Book, over link: any AddressBookLink, options: SyncOptions = SyncOptions(), operation: Operation,
        progress: @escaping @Sendable (SyncProgress) -> Void = { _ in }
    ) async throws -> BookSyncReport {
        try await RefreshIndex(contacts)()
        let start = clock.monotonicNow
        let run = SyncRun(contacts: contacts, book: book, link: link, options: options, operation: operation)
        var report = try await run(progress)
        report.duration = clock.monotonicNow - start
        return report
    }
}
