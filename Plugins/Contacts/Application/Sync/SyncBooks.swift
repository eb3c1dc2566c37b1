package import ContactsDomain
package import HubKit
import Sync

/// Syncs remote address books with the contacts here.
///
/// The engine decides, the link transfers cards, and the store saves the results. No transaction waits for the network.
/// A contact and its link are saved in one commit, so the process may be killed at any point: the next sync continues
/// from there and recognises cards whose responses were lost. All local changes of a sync are one operation.
///
/// All books are listed before any is changed, and cards are received before any are treated as removed: so a card that
/// was moved from one book to another stays the same contact. A book that cannot be synced does not stop the others.
package struct SyncBooks: Sendable {
    /// A book with its connection.
    package struct Target: Sendable {
        let book: Book
        let link: any AddressBookClient

        package init(_ book: Book, over link: any AddressBookClient) {
            self.book = book
            self.link = link
        }
    }

    /// The result of one book.
    package struct Outcome: Sendable {
        /// The book.
        package let book: Book
        /// The work that was done, also before an error.
        package var report = BookSyncReport()
        /// The error that stopped the book; nil if it was synced.
        package var failure: (any Error)?
    }

    let contacts: ContactStore
    let clock: any Clock

    package init(_ contacts: ContactStore, clock: any Clock) {
        self.contacts = contacts
        self.clock = clock
    }

    /// Syncs books of one account. The caller holds its lease.
    /// - Returns: the results of the books, and the error of the account that ended the sync, if any.
    package func callAsFunction(
        _ targets: [Target], options: SyncOptions = SyncOptions(), operation: Operation,
        progress: @escaping @Sendable (SyncProgress) -> Void = { _ in }
    ) async throws -> (outcomes: [Outcome], failure: (any Error)?) {
        try await contacts.refreshIndexIfNeeded()
        var books = targets.map { target in
            OpenBook(
                SyncSession(
                    contacts: contacts, book: target.book, link: target.link, options: options, operation: operation),
                progress)
        }
        var failure: (any Error)?
        do {
            try await sync(&books)
        } catch {
            failure = error
        }
        return (books.map(\.outcome), failure)
    }

    private func sync(_ books: inout [OpenBook]) async throws {
        try await each(&books) { try await $0.open() }
        let elsewhere = books.map { book in
            books.reduce(into: SyncEngine.Elsewhere()) { sum, other in
                if other.id == book.id { return }
                sum.newPlaces += other.work?.engine.newPlaces ?? 0
                sum.hasCards = sum.hasCards || other.hasCards
            }
        }
        let departed = books.map { book in
            books.reduce(into: [String: String]()) { all, other in
                if other.id != book.id { for contact in other.work?.engine.missing ?? [] { all[contact] = other.id } }
            }
        }
        for place in books.indices { try await books[place].attempt { try $0.guardRemovals(elsewhere[place]) } }
        for place in books.indices {
            try await books[place].attempt { try await $0.receive(departed: departed[place]) }
            for (contact, old) in books[place].work?.movedFrom ?? [:] {
                for other in books.indices where books[other].id == old { books[other].work?.engine.noteMoved(contact) }
            }
        }
        try await each(&books) { try await $0.finish() }
    }

    private func each(_ books: inout [OpenBook], _ body: (inout OpenBook) async throws -> Void) async throws {
        for place in books.indices {
            let start = clock.monotonicNow
            defer { books[place].outcome.report.duration += clock.monotonicNow - start }
            do {
                try await body(&books[place])
            } catch {
                try books[place].fail(error)
            }
        }
    }
}

/// A book that is being synced.
private struct OpenBook {
    let run: SyncSession
    var outcome: SyncBooks.Outcome
    /// The work; nil if there is none, and after an error.
    var work: SyncExecutor?
    /// Whether the remote book has any cards.
    private(set) var hasCards = false
    private var listing: SyncSession.Listing?
    private let progress: @Sendable (SyncProgress) -> Void

    var id: String { run.book.id }

    init(_ run: SyncSession, _ progress: @escaping @Sendable (SyncProgress) -> Void) {
        self.run = run
        self.progress = progress
        outcome = SyncBooks.Outcome(book: run.book)
    }

    mutating func open() async throws {
        listing = try await run.listing()
        guard let listing else {
            (outcome.report.standing, hasCards) = try await run.contacts.read { [id] in
                (try $0.syncProblems(of: id).count, try $0.hasLinks(in: id))
            }
            return
        }
        var work = SyncExecutor(run: run, tell: progress)
        try await work.begin(listing.changes)
        hasCards = work.engine.hasCards
        self.work = work
    }

    /// Runs a step of the work, if there is any.
    mutating func attempt(_ body: (inout SyncExecutor) async throws -> Void) async throws {
        guard var work else { return }
        do {
            self.work = nil
            try await body(&work)
            self.work = work
        } catch {
            outcome.report = work.report
            try fail(error)
        }
    }

    mutating func finish() async throws {
        try await attempt { try await $0.finish() }
        guard let work, let listing else { return }
        let duration = outcome.report.duration
        outcome.report = work.report
        outcome.report.duration = duration
        guard work.engine.isComplete, !run.options.isDryRun, !listing.isUnchanged else { return }
        try await run.keep { [id] in
            try $0.setSyncPosition(of: id, token: listing.changes.token, state: listing.state)
        }
    }

    /// Records an error that concerns this book alone; throws any other.
    mutating func fail(_ error: any Error) throws {
        work = nil
        outcome.failure = error
        guard error.concernsOneBook else { throw error }
    }
}

extension Error {
    /// Whether other books of the account can probably be synced.
    fileprivate var concernsOneBook: Bool {
        switch self {
        case let error as RemoteError:
            switch error {
            case .notFound, .refused, .malformed, .tokenExpired, .serverError: true
            case .unreachable, .untrusted, .denied, .needsOAuth, .busy: false
            }
        case let error as HubError: error.code == "book-emptied" || error.code == "confirmation-needed"
        default: false
        }
    }
}

/// Syncs one address book.
package struct SyncBook: Sendable {
    private let sync: SyncBooks

    /// Creates the use case for single books.
    package init(_ contacts: ContactStore, clock: any Clock) { sync = SyncBooks(contacts, clock: clock) }

    /// Syncs `book` over `link`. The caller holds the lease of the account.
    ///
    /// Throws ``RemoteError`` if the connection fails; earlier results are stored. Throws `book-emptied` if the remote
    /// side reports that all cards are gone without proof, and the errors of `consent`.
    package func callAsFunction(
        _ book: Book, over link: any AddressBookClient, options: SyncOptions = SyncOptions(), operation: Operation,
        progress: @escaping @Sendable (SyncProgress) -> Void = { _ in }
    ) async throws -> BookSyncReport {
        let done = try await sync(
            [SyncBooks.Target(book, over: link)], options: options, operation: operation, progress: progress)
        if let failure = done.failure ?? done.outcomes.first?.failure { throw failure }
        return done.outcomes.first?.report ?? BookSyncReport()
    }
}
