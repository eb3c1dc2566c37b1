package import ContactsDomain
package import Sync
package import System

/// Syncs remote address books with the contacts here.
///
/// All books are listed before any is changed, and cards are received before any are treated as removed: so a card that
/// was moved from one book to another stays the same contact. A book that cannot be synced does not stop the others.
package struct SyncBooks: Sendable {
    /// A book with its connection.
    package struct Target: Sendable {
        let book: Book
        let link: any CollectionClient

        package init(_ book: Book, over link: any CollectionClient) {
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

        /// Whether the book was synced, with all removals.
        var isComplete: Bool { failure == nil && report.withheld == nil }
    }

    /// The results of a sync.
    package struct Result: Sendable {
        /// The results in the order of the books.
        package var outcomes: [Outcome]
        /// The error of the account that ended the sync; nil if it did not end early.
        package var failure: (any Error)?

        /// Adds the results of a further sync of some of the books.
        mutating func add(_ other: Result) {
            failure = failure ?? other.failure
            for outcome in other.outcomes {
                guard let place = outcomes.firstIndex(where: { $0.book.id == outcome.book.id }) else { continue }
                outcomes[place].report.add(outcome.report)
                outcomes[place].failure = outcome.failure
            }
        }
    }

    let contacts: ContactStore
    let clock: any Clock
    /// Called when cards were compared and nothing of it is stored yet, outside of any transaction; for tests.
    let onCompared: @Sendable () async -> Void
    /// Makes pictures smaller before they are sent; nil to send all as they are.
    let pictures: PictureFitting?
    /// The form in which tags reach the server.
    let tags: TagForm

    package init(
        _ contacts: ContactStore, clock: any Clock, pictures: PictureFitting? = nil, tags: TagForm = .categories,
        onCompared: @escaping @Sendable () async -> Void = {}
    ) {
        self.pictures = pictures
        self.tags = tags
        self.contacts = contacts
        self.clock = clock
        self.onCompared = onCompared
    }

    /// Syncs books of one account. The caller holds its lock.
    package func sync(
        _ targets: [Target], options: SyncOptions = SyncOptions(), operation: Operation,
        progress: @escaping @Sendable (SyncProgress) -> Void = { _ in }
    ) async throws -> Result {
        try await contacts.refreshIndexIfNeeded()
        let groups = TagGroups(contacts: contacts, operation: operation)
        let books = targets.map(\.book).filter { !$0.remote.isReadOnly }
        guard tags == .groups else {
            if !options.isDryRun { try await groups.forget(books) }
            return try await syncOnce(targets, options, operation, progress)
        }
        var result = try await syncOnce(targets, options, operation, progress)
        guard result.failure == nil else { return result }
        // Not before all groups of the server are here: one for a new tag may be among them.
        var changed: Set<String> = []
        for place in result.outcomes.indices where result.outcomes[place].isComplete {
            let book = result.outcomes[place].book
            guard books.contains(book) else { continue }
            let count = try await groups.merge(book, isDryRun: options.isDryRun)
            if options.isDryRun {
                result.outcomes[place].report.plannedTags = count
            } else if count > 0 {
                changed.insert(book.id)
            }
        }
        // What a merge changes is sent at once.
        let again = targets.filter { changed.contains($0.book.id) }
        if !again.isEmpty { result.add(try await syncOnce(again, options, operation, progress)) }
        // A server without tags drops them from cards; as groups it has them.
        for place in result.outcomes.indices { result.outcomes[place].report.losses.removeLossOfTags() }
        return result
    }

    private func syncOnce(
        _ targets: [Target], _ options: SyncOptions, _ operation: Operation,
        _ progress: @escaping @Sendable (SyncProgress) -> Void
    ) async throws -> Result {
        var options = options
        options.progress = progress
        var books = targets.map { OpenBook(contacts, $0, options, operation, onCompared, pictures) }
        var failure: (any Error)?
        do {
            try await sync(&books)
        } catch {
            failure = error
        }
        return Result(outcomes: books.map(\.outcome), failure: failure)
    }

    private func sync(_ books: inout [OpenBook]) async throws {
        try await each(&books) { try await $0.open() }
        // A contact that is missing in one book may have moved to the part of another that is not listed yet.
        if books.contains(where: { $0.driver?.engine.isCut == true }) {
            for place in books.indices { books[place].driver?.engine.postponeRemovals() }
        }
        let elsewhere = books.map { book in
            books.reduce(into: OtherCollections()) { sum, other in
                if other.id == book.id { return }
                sum.newItems += other.driver?.engine.newItems ?? 0
                sum.hasItems = sum.hasItems || other.hasCards
            }
        }
        let departed = books.map { book in
            books.reduce(into: [String: String]()) { all, other in
                if other.id != book.id { for contact in other.driver?.engine.missing ?? [] { all[contact] = other.id } }
            }
        }
        for place in books.indices { try await books[place].attempt { try $0.guardRemovals(elsewhere[place]) } }
        for place in books.indices {
            try await books[place].attempt { driver in
                driver.local.departed = departed[place]
                try await driver.receive()
            }
            for (contact, old) in books[place].driver?.local.movedFrom ?? [:] {
                for other in books.indices where books[other].id == old {
                    books[other].driver?.engine.markMoved(contact)
                }
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
    var outcome: SyncBooks.Outcome
    /// The driver; nil if there is nothing to do, and after an error.
    var driver: SyncDriver<LocalBook>?
    /// Whether the remote book has any cards.
    private(set) var hasCards = false
    private let contacts: ContactStore

    var id: String { outcome.book.id }

    init(
        _ contacts: ContactStore, _ target: SyncBooks.Target, _ options: SyncOptions, _ operation: Operation,
        _ onCompared: @escaping @Sendable () async -> Void, _ pictures: PictureFitting?
    ) {
        self.contacts = contacts
        outcome = SyncBooks.Outcome(book: target.book)
        var policy = SyncPolicy()
        policy.isReadOnly = target.book.remote.isReadOnly
        policy.hasOldVersion = true
        policy.maximumSize = target.book.remote.maximumCardSize
        driver = SyncDriver(
            LocalBook(contacts, target, options, operation, onCompared, pictures: pictures), over: target.link,
            policy: policy,
            options: options)
    }

    mutating func open() async throws {
        guard var driver else { return }
        self.driver = nil
        let (position, rules) = (try await driver.local.position(), contacts.rules)
        let isFirst = position == SyncPosition(token: nil, state: nil)
        // The transliteration takes long to load: before a first sync it is loaded while the server answers.
        async let _: Void = { @concurrent () async in if isFirst { rules.open() } }()
        if try await driver.open() {
            hasCards = driver.engine.hasItems
            self.driver = driver
        } else {
            (outcome.report.standing, hasCards) = try await contacts.read { [id] in
                (try $0.syncProblems(of: id).count, try $0.hasLinks(in: id))
            }
        }
    }

    /// Runs a step of the sync, if there is anything to do.
    mutating func attempt(_ body: (inout SyncDriver<LocalBook>) async throws -> Void) async throws {
        guard var driver else { return }
        self.driver = nil
        do {
            try await body(&driver)
            self.driver = driver
        } catch {
            report(driver)
            try fail(error)
        }
    }

    mutating func finish() async throws {
        try await attempt { try await $0.finish() }
        if let driver { report(driver) }
    }

    private mutating func report(_ driver: SyncDriver<LocalBook>) {
        let duration = outcome.report.duration
        outcome.report = driver.local.report
        outcome.report.sent = driver.sent
        outcome.report.withheld = driver.withheld
        outcome.report.duration = duration
    }

    /// Records an error that concerns this book alone; throws any other.
    mutating func fail(_ error: any Error) throws {
        driver = nil
        outcome.failure = error
        guard error.concernsOneBook else { throw error }
    }
}

extension SyncDriver<LocalBook> {
    /// Stops before any change if the listing shows too many removals.
    fileprivate mutating func guardRemovals(_ others: OtherCollections) throws {
        do {
            try engine.guardRemovals(others)
        } catch {
            let (book, contacts) = (local.book, NumberFormat.counted(error.count, "contact"))
            throw HubError(
                .conflict, code: "book-emptied",
                "\(book.name) of \(book.account) is empty there, but has \(contacts) here",
                details: ["nothing was removed here"],
                hint: "if that is intended: hub contacts sync \(book.account) --force")
        }
    }
}

extension Error {
    /// Whether other books of the account can probably be synced.
    fileprivate var concernsOneBook: Bool {
        switch self {
        case let error as RemoteError:
            switch error {
            case .notFound, .refused, .malformed, .tokenExpired, .serverError: true
            case .unreachable, .untrusted, .denied, .needsOAuth, .signInNeeded, .busy: false
            }
        case let error as HubError: error.code == "book-emptied" || error.code == "confirmation-needed"
        default: false
        }
    }
}
