import ContactsDomain
import HubKit
import Storage
import Sync

/// The local side of the sync of one address book: the contacts of the book, and the links to their cards.
///
/// A contact and its link are saved in one commit. All local changes of a sync are one operation.
struct LocalBook: LocalCollection {
    let contacts: ContactStore
    let book: Book
    /// Whether cards are made valid in every line before they are sent.
    let isStrict: Bool
    let isDryRun: Bool
    let operation: Operation
    let onCompared: @Sendable () async -> Void
    /// Makes pictures smaller; nil to send all as they are.
    let pictures: PictureFitting?
    /// The results so far.
    var report = BookSyncReport()
    /// The contacts of other books of the account whose cards have moved here, with those books.
    var departed: [String: String] = [:]
    /// The contacts that this sync has received from other books of the account, with those books.
    private(set) var movedFrom: [String: String] = [:]

    init(
        _ contacts: ContactStore, _ target: SyncBooks.Target, _ options: SyncOptions, _ operation: Operation,
        _ onCompared: @escaping @Sendable () async -> Void, pictures: PictureFitting? = nil
    ) {
        self.pictures = pictures
        self.contacts = contacts
        book = target.book
        isStrict = !target.link.keepsBytes
        isDryRun = options.isDryRun
        self.operation = operation
        self.onCompared = onCompared
    }

    var reader: @Sendable (RemoteItem) -> FetchedCard { { [rules = contacts.rules] in FetchedCard($0, rules) } }

    func position() async throws -> SyncPosition {
        try await contacts.read { [book] in try $0.syncPosition(of: book.id) }
    }

    func hasWork() async throws -> Bool { try await contacts.read { [book] in try $0.hasSyncWork(in: book) } }

    func begin() async throws -> LocalListing<String> {
        if !isDryRun {
            try await learnUIDs()
            try await reviewConflicts()
        }
        return try await contacts.read { [book] transaction in
            let known = try transaction.syncProblems(of: book.id).filter { problem in
                guard problem.code == "server-error", let contact = problem.contact else { return false }
                return try transaction.contact(contact)?.revision == problem.revision
            }
            return LocalListing(
                items: try transaction.syncItems(of: book.id), held: try transaction.heldEntries(of: book.id),
                knownErrors: Set(known.compactMap(\.contact)))
        }
    }

    func dropLinks(_ hrefs: [String]) async throws {
        try await keep { [book] transaction in
            for href in hrefs { try transaction.dropLink(at: href, in: book.id) }
        }
    }

    func storePosition(_ position: SyncPosition) async throws {
        try await keep { [book] in try $0.setSyncPosition(of: book.id, position) }
    }

    /// Stores the problems and reports the new ones.
    mutating func storeProblems(_ problems: [SyncProblem<String>], isComplete: Bool) async throws {
        let found = try await contacts.read { [book] transaction in
            try problems.map { problem in
                let row = try problem.id.flatMap { try transaction.contact($0) }
                let stored = StoredProblem(
                    book: book.id, item: problem.item, contact: problem.id, code: problem.code,
                    reason: problem.text, revision: row?.revision, since: transaction.now)
                let contact = row.map { ContactSummary(id: $0.id, $0.card.details) }
                return (stored, BookSyncReport.Problem(contact: contact, cause: problem))
            }
        }
        if isDryRun { return report.problems += found.map(\.1) }
        let (news, standing) = try await keep { [book] transaction in
            // A read-only book is not checked again until something changes.
            for problem in problems where problem.reason == .readOnly || problem.reason == .readOnlyRemoval {
                if let contact = problem.id { try transaction.noteSeen(contact, in: book.id) }
            }
            let news = try transaction.saveProblems(found.map(\.0), of: book.id, isWhole: isComplete)
            return (news, try transaction.syncProblems(of: book.id).count { !news.contains($0.item) })
        }
        report.problems += found.filter { news.contains($0.0.item) }.map(\.1)
        report.standing = standing
    }

    /// Records the `UID`s of a server that was synced before they were recorded.
    private func learnUIDs() async throws {
        let (book, rules) = (book, contacts.rules)
        var start: String? = ""
        while let after = start {
            let found = try await keep { try $0.learnUIDs(in: book.id, after: after, limit: SyncLimits.fetchBatch) }
            if !found.renamed.isEmpty {
                _ = try await contacts.write(operation) { transaction in
                    try transaction.changeReferences(to: Set(found.renamed.keys), rules) {
                        $0.referring(by: found.renamed)
                    }
                }
            }
            start = found.end
        }
    }

    /// Closes the conflicts that no longer exist because the contact was changed here.
    private func reviewConflicts() async throws {
        let (book, rules) = (book, contacts.rules)
        let open = try await contacts.read { transaction in
            try transaction.conflicts().filter { $0.book == book.id }.compactMap { conflict in
                try transaction.contact(conflict.contact).map { (conflict, $0) }
            }
        }
        if open.isEmpty { return }
        let merges = open.map { conflict, row in
            (
                row,
                CardMerge(
                    ours: row.card, ourBase: conflict.base, theirBase: conflict.base, theirs: conflict.theirs)
            )
        }
        try await contacts.write(operation) { transaction in
            for (row, merge) in merges {
                // A change at this moment is left to the next sync.
                guard let now = try transaction.contact(row.id), now.isSameVersion(as: row) else { continue }
                if !merge.conflicts.isEmpty {
                    try transaction.noteSeen(row.id, in: book.id)
                    continue
                }
                if row.card.bytes != merge.card.bytes {
                    try transaction.updateContact(row.id, card: merge.card)
                    try transaction.reindexContacts([row.id], rules)
                    try transaction.emit(ContactEvents.changed, ContactSummary(id: row.id, merge.card.details))
                }
                try transaction.closeConflict(of: row.id, in: book.id)
            }
        }
    }

    /// Writes state that has no history.
    @discardableResult
    func keep<T: Sendable>(_ body: @escaping @Sendable (Transaction) throws -> T) async throws -> T {
        let unrecorded = Operation(operation.name, who: operation.who, kind: .cache)
        return try await contacts.store.write(unrecorded, body)
    }

    /// Adds the result of a received card to the report.
    mutating func add(_ result: ReceivedCard, _ card: FetchedCard) {
        switch result.change {
        case .none: break
        case .new: report.received.new += 1
        case .changed: report.received.changed += 1
        }
        if result.isMerged { report.merged += 1 }
        if let twin = result.twin { report.twins.append(ContactSummary(id: twin, card.card.details)) }
        guard case .linked(let contact, _, _) = result.outcome else { return }
        if let old = result.movedFrom { movedFrom[contact] = old }
        if result.conflicts.isEmpty { return }
        report.conflicts.removeAll { $0.contact.id == contact }
        report.conflicts.append(
            BookSyncReport.KeptConflict(
                contact: ContactSummary(id: contact, card.card.details), fields: result.conflicts))
    }
}
