import ContactsDomain
import HubKit
import Sync

/// The sync loop of one book: runs the actions of the engine and reports the outcomes to it.
struct SyncExecutor {
    let run: SyncSession
    let tell: @Sendable (SyncProgress) -> Void
    var engine = SyncEngine(locals: [])
    var report = BookSyncReport()
    /// The sent cards whose links are not stored yet.
    var pending: [Receipt] = []
    /// The prepared cards by contact; stored before they are sent.
    var prepared: [String: SentCard] = [:]
    /// The results so far.
    private var problems: [SyncProblem] = []
    /// The contacts for which the server has returned internal errors before, and which have not changed since.
    private var knownErrors: Set<String> = []
    private var errors = ServerErrorStreak()
    /// The contacts that a sync of another book of the account has received from this one.
    private(set) var movedFrom: [String: String] = [:]
    private var departed: [String: String] = [:]
    private var progress = SyncProgress()

    /// The number of cards that are prepared and whose responses are stored together.
    private static let sendBatch = 50
    /// The maximum number of attempts for cards that change while they are compared.
    private static let attempts = 3

    private var contacts: ContactStore { run.contacts }
    private var book: Book { run.book }

    init(run: SyncSession, tell: @escaping @Sendable (SyncProgress) -> Void) {
        self.run = run
        self.tell = tell
    }

    /// A sent card that the remote side has stored.
    struct Receipt: Sendable {
        let card: SentCard
        let href: String
        /// The returned tag.
        let tag: String?
    }

    /// Reads the local side and plans.
    mutating func begin(_ changes: RemoteChanges) async throws {
        let book = book
        if !run.options.isDryRun { try await run.reviewConflicts() }
        let (locals, held, known) = try await contacts.read { transaction in
            let known = try transaction.syncProblems(of: book.id).filter { problem in
                guard problem.code == "server-error", let contact = problem.contact else { return false }
                return try transaction.contact(contact)?.revision == problem.revision
            }
            return (
                try transaction.syncLocals(of: book.id), try transaction.heldEntries(of: book.id),
                known.compactMap(\.contact)
            )
        }
        knownErrors = Set(known)
        engine = SyncEngine(
            locals: locals, held: held,
            rules: SyncEngine.Rules(isReadOnly: book.remote.isReadOnly, isForced: run.options.isForced))
        engine.list(changes)
        progress.toReceive = changes.entries.count
    }

    /// Stops before any change if the listing shows too many removals.
    mutating func guardRemovals(_ elsewhere: SyncEngine.Elsewhere) throws {
        do {
            try engine.guardRemovals(elsewhere)
        } catch {
            let contacts = error.count == 1 ? "1 contact" : "\(error.count) contacts"
            throw HubError(
                .conflict, code: "book-emptied",
                "\(book.name) of \(book.account) is empty there, but has \(contacts) here",
                details: ["nothing was removed here"],
                hint: "if that is intended: hub contacts sync \(book.account) --force")
        }
    }

    /// Receives the listed cards that need no confirmation. `departed` are contacts of other books of the account whose
    /// cards have moved here, with those books.
    mutating func receive(departed: [String: String]) async throws {
        self.departed = departed
        guard let places = engine.nextFetch() else { return }
        try await fetch(places)
    }

    /// Runs all remaining actions.
    mutating func finish() async throws {
        do {
            repeat {
                while let action = engine.next() { try await perform(action) }
                try await keepReceipts()
            } while engine.hasFetches
        } catch {
            // The links of cards sent so far are stored, so that the next sync need not look them up.
            try? await keepReceipts()
            problems += engine.takeProblems()
            try? await keepProblems(isWhole: false)
            throw error
        }
        try await keepProblems(isWhole: true)
    }

    private mutating func perform(_ action: SyncAction) async throws {
        switch action {
        case .ask(let question):
            let isGiven = run.options.isDryRun ? true : try await run.options.consent(question)
            if !isGiven { report.withheld = question }
            engine.consent(isGiven)
        case .fetch(let places): try await fetch(places)
        case .create(let contact, let attempt, let isOld):
            try await send(contact, action, isOld, attempt: attempt)
        case .update(let contact, _, let isOld): try await send(contact, action, isOld)
        case .remove(let contact, let entry): try await remove(contact, entry)
        case .trash(let contacts): try await trash(contacts)
        case .forget(let places):
            if run.options.isDryRun { return }
            try await run.keep { [book] transaction in
                for href in places { try transaction.dropLink(at: href, in: book.id) }
            }
        case .tell(let problem): problems.append(problem)
        }
    }
}

// MARK: Problems

extension SyncExecutor {
    /// Stores the problems of this sync and reports the new ones.
    private mutating func keepProblems(isWhole: Bool) async throws {
        let (book, problems) = (book, problems)
        self.problems = []
        let found = try await contacts.read { transaction in
            try problems.map { problem in
                let row = try problem.contact.flatMap { try transaction.contact($0) }
                let stored = StoredProblem(
                    book: book.id, item: problem.item, contact: problem.contact, code: problem.code,
                    reason: problem.text, revision: row?.revision, since: transaction.now)
                return (
                    stored,
                    BookSyncReport.Problem(
                        contact: row.map { ContactSummary(id: $0.id, $0.card.details) }, cause: problem)
                )
            }
        }
        if run.options.isDryRun { return report.problems += found.map(\.1) }
        let (news, standing) = try await run.keep { transaction in
            // A read-only book is not checked again until something changes.
            for problem in problems {
                guard problem.reason == .readOnly || problem.reason == .readOnlyRemoval else { continue }
                if let contact = problem.contact { try transaction.noteSeen(contact, in: book.id) }
            }
            let news = try transaction.saveProblems(found.map(\.0), of: book.id, isWhole: isWhole)
            return (news, try transaction.syncProblems(of: book.id).count { !news.contains($0.item) })
        }
        report.problems += found.filter { news.contains($0.0.item) }.map(\.1)
        report.standing = standing
    }
}

// MARK: Receiving

extension SyncExecutor {
    /// Fetches batch after batch; each batch is stored while the next is fetched.
    private mutating func fetch(_ places: [String]) async throws {
        let (isWhole, rules) = (engine.wantsMost, contacts.rules)
        let supply = try await CardSupply(run.link, rules, isWhole: isWhole)
        var places = places
        var cards = try await supply.cards(at: places)
        while true {
            guard let following = engine.nextFetch(supply.batch) else { return try await store(cards, of: places) }
            async let more = { @concurrent in try await supply.cards(at: following) }()
            try await store(cards, of: places)
            cards = try await more
            places = following
        }
    }

    private mutating func store(_ fetched: [FetchedCard], of places: [String]) async throws {
        let received = try await run.receive(
            fetched, ReceivingScope(book: book, missing: engine.missing, departed: departed), SyncExecutor.attempts)
        var settled = Set<String>()
        for (card, result) in zip(fetched, received) {
            settled.insert(card.place.href)
            engine.settle(card.place.href, as: result.settlement, source: card.source)
            add(result, card)
        }
        for href in places where !settled.contains(href) { engine.settle(href, as: .vanished) }
        progress.received += fetched.count
        tell(progress)
    }

    private mutating func add(_ result: ReceivedCard, _ card: FetchedCard) {
        switch result.change {
        case .none: break
        case .new: report.received.new += 1
        case .changed: report.received.changed += 1
        }
        if result.isMerged { report.merged += 1 }
        if let twin = result.twin { report.twins.append(ContactSummary(id: twin, card.card.details)) }
        guard case .linked(let contact, _, _) = result.settlement else { return }
        prepared[contact] = nil
        if let old = result.movedFrom { movedFrom[contact] = old }
        if !result.conflicts.isEmpty {
            report.conflicts.removeAll { $0.contact.id == contact }
            report.conflicts.append(
                BookSyncReport.KeptConflict(
                    contact: ContactSummary(id: contact, card.card.details), fields: result.conflicts))
        }
    }

    private mutating func trash(_ gone: [String: String]) async throws {
        report.received.removed += gone.count
        if run.options.isDryRun { return }
        let (book, rules) = (run.book, contacts.rules)
        let ids = gone.keys.sorted()
        for start in stride(from: 0, to: ids.count, by: 100) {
            let part = Array(ids[start..<min(ids.count, start + 100)])
            try await contacts.write(run.operation) { transaction in
                try transaction.trashRemoved(part, in: book, rules)
                for id in part { if let href = gone[id] { try transaction.dropLink(at: href, in: book.id) } }
            }
        }
    }
}

// MARK: Sending

extension SyncExecutor {
    private mutating func send(
        _ contact: String, _ action: SyncAction, _ isOld: Bool, attempt: Int = 1
    ) async throws {
        let isNew = if case .create = action { true } else { false }
        if run.options.isDryRun {
            if isNew { report.sent.new += 1 } else { report.sent.changed += 1 }
            return
        }
        let (book, link) = (run.book, run.link)
        // It was removed meanwhile; the next sync handles that.
        guard let sent = try await outgoing(contact, isOld) else { return }
        if let limit = book.remote.maximumCardSize, sent.bytes.count > limit {
            let reason = "\(sent.bytes.count) bytes, limit \(limit)"
            _ = engine.answer(.refused(.tooLarge(reason: reason)), to: action)
            return
        }
        let answer: PutResult
        if case .update(_, let entry, _) = action {
            answer = try await link.update(entry.href, to: sent.bytes, ifStill: entry.tag)
        } else {
            answer = try await link.create(sent.bytes, name: attempt == 1 ? sent.name : "\(sent.name)-\(attempt)")
        }
        try note(answer.refusal, contact)
        if !answer.isStored, let previous = sent.previous {
            // The earlier one may have been stored, this one was not.
            prepared[contact] = nil
            try await run.keep {
                try $0.noteSending(contact, ours: previous.ours, sent: previous.theirs.bytes, to: book.id)
            }
        }
        guard engine.answer(answer, to: action), case .stored(let href, let tag) = answer else { return }
        prepared[contact] = nil
        pending.append(Receipt(card: sent, href: href, tag: tag))
        if isNew { report.sent.new += 1 } else { report.sent.changed += 1 }
        progress.sent += 1
        tell(progress)
        if pending.count >= SyncExecutor.sendBatch { try await keepReceipts() }
    }

    /// Returns the contact's outgoing card, prepared together with the following ones.
    private mutating func outgoing(_ contact: String, _ isOld: Bool) async throws -> SentCard? {
        if isOld { return try await run.outgoing([contact], isOldVersion: true)[contact] }
        if let card = prepared[contact] { return card }
        let following = engine.nextSends(SyncExecutor.sendBatch - 1)
        prepared = try await run.outgoing([contact] + following, isOldVersion: false)
        return prepared[contact]
    }

    /// Counts consecutive errors of the server.
    private mutating func note(_ refusal: ItemRefusal?, _ contact: String) throws {
        do throws(RemoteError) {
            try errors.note(refusal, isKnown: knownErrors.contains(contact))
        } catch {
            if let refusal { problems.append(SyncProblem(.refused(refusal), contact: contact)) }
            throw error
        }
    }

    /// Stores the links of the sent cards.
    private mutating func keepReceipts() async throws {
        let receipts = pending
        pending = []
        if receipts.isEmpty { return }
        let (book, link) = (run.book, run.link)
        let unsure = link.keepsBytes ? receipts.filter { $0.tag == nil } : receipts
        var theirs: [String: RemoteCard] = [:]
        if !unsure.isEmpty {
            for card in try await link.fetch(unsure.map(\.href)) where card.failure == nil { theirs[card.href] = card }
        }
        var kept: [KeptCard] = []
        for receipt in receipts {
            let known = theirs[receipt.href]
            if known == nil, !link.keepsBytes || receipt.tag == nil { continue }
            let card = KeptCard(receipt, known)
            if card.isForeign { engine.look(at: receipt.href) }
            if !card.lost.isEmpty {
                let contact = ContactSummary(id: receipt.card.contact, receipt.card.ours.details)
                report.losses.append(BookSyncReport.Loss(contact: contact, fields: card.lost))
            }
            kept.append(card)
        }
        let cards = kept
        try await run.keep { transaction in for card in cards { try transaction.keepSent(card, in: book) } }
    }

    private mutating func remove(_ contact: String, _ entry: RemoteEntry) async throws {
        if run.options.isDryRun {
            report.sent.removed += 1
            return
        }
        let answer = try await run.link.remove(entry.href, ifStill: entry.tag)
        if case .refused(let refusal) = answer { try note(refusal, contact) } else { try note(nil, contact) }
        guard engine.answer(answer, toRemoving: contact, entry) else { return }
        report.sent.removed += 1
        try await run.keep { [book] in try $0.dropLink(at: entry.href, in: book.id) }
    }
}

extension Transaction {
    /// Moves contacts to the trash whose cards were removed on the remote side, except those that were changed
    /// meanwhile.
    fileprivate func trashRemoved(_ ids: [String], in book: Book, _ rules: IndexingOptions) throws {
        var removed: [ContactSummary] = []
        for id in ids {
            guard let row = try contact(id), row.deletedAt == nil, row.book == book.id else { continue }
            if let base = try syncBase(of: id, in: book.id), base.ours.syncHash != row.card.syncHash { continue }
            try setDeleted(id, at: now)
            try closeConflict(of: id, in: book.id)
            removed.append(ContactSummary(id: id, row.card.details))
        }
        try reindexContacts(removed.map(\.id), rules)
        try emit(ContactEvents.removed, removed)
    }
}
