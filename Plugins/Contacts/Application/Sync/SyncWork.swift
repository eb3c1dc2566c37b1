import ContactsDomain
import HubKit
import Links

/// The loop of one book: does what the engine wants and tells it what came of it.
struct SyncWork {
    let run: SyncRun
    let tell: @Sendable (SyncProgress) -> Void
    var engine = SyncEngine(locals: [])
    var report = BookSyncReport()
    /// Cards that they have taken and whose link is not kept yet.
    var pending: [Receipt] = []
    /// Cards that are ready to be sent, by contact; what is sent is kept before.
    var prepared: [String: SentCard] = [:]
    /// What was found so far.
    private var problems: [SyncProblem] = []
    /// Contacts with which the server had an error of its own before, and which have not changed since.
    private var knownErrors: Set<String> = []
    private var errors = ServerErrorStreak()
    /// Contacts that a sync of another book of the account took over from this one, by this one's card.
    private(set) var movedFrom: [String: String] = [:]
    private var departed: [String: String] = [:]
    private var progress = SyncProgress()

    /// Cards whose receipts are kept together, and that are made ready together.
    private static let sendBatch = 50
    /// How often cards are looked at again that are changed while they are compared.
    private static let attempts = 3

    private var contacts: ContactStore { run.contacts }
    private var book: Book { run.book }

    init(run: SyncRun, tell: @escaping @Sendable (SyncProgress) -> Void) {
        self.run = run
        self.tell = tell
    }

    /// A card that they have taken.
    struct Receipt: Sendable {
        let card: SentCard
        let href: String
        /// The tag that they told.
        let tag: String?
    }

    /// Looks at our side and plans.
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

    /// Stops before anything is done when the listing shows that too much is gone.
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

    /// Takes in what was listed, as far as nothing must be asked before. `departed` are contacts of other books of the
    /// account whose card has gone there, with those books.
    mutating func receive(departed: [String: String]) async throws {
        self.departed = departed
        guard let places = engine.nextFetch() else { return }
        try await fetch(places)
    }

    /// Does all that is left to do.
    mutating func finish() async throws {
        do {
            repeat {
                while let action = engine.next() { try await perform(action) }
                try await keepReceipts()
            } while engine.hasFetches
        } catch {
            // What they have taken so far need not be found out again.
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

extension SyncWork {
    /// Keeps what was left as it is, and tells what was not before.
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
            // A read-only book is not looked at again until something changes.
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

extension SyncWork {
    /// Fetches batch after batch; while one is stored the next is on its way.
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
            fetched, ReceivingScope(book: book, missing: engine.missing, departed: departed), SyncWork.attempts)
        var settled = Set<String>()
        for (card, result) in zip(fetched, received) {
            settled.insert(card.place.href)
            engine.settle(card.place.href, as: result.settlement)
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

extension SyncWork {
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
        let answer: StoreAnswer
        if case .update(_, let entry, _) = action {
            answer = try await link.update(entry.href, to: sent.bytes, ifStill: entry.tag)
        } else {
            answer = try await link.create(sent.bytes, name: attempt == 1 ? sent.name : "\(sent.name)-\(attempt)")
        }
        try note(answer.refusal, contact)
        guard engine.answer(answer, to: action), case .stored(let href, let tag) = answer else { return }
        prepared[contact] = nil
        pending.append(Receipt(card: sent, href: href, tag: tag))
        if isNew { report.sent.new += 1 } else { report.sent.changed += 1 }
        progress.sent += 1
        tell(progress)
        if pending.count >= SyncWork.sendBatch { try await keepReceipts() }
    }

    /// The contact's card as it is sent, made ready with those that follow.
    private mutating func outgoing(_ contact: String, _ isOld: Bool) async throws -> SentCard? {
        if isOld { return try await run.outgoing([contact], isOldVersion: true)[contact] }
        if let card = prepared[contact] { return card }
        let following = engine.nextSends(SyncWork.sendBatch - 1)
        prepared = try await run.outgoing([contact] + following, isOldVersion: false)
        return prepared[contact]
    }

    /// Counts errors of the server in a row.
    private mutating func note(_ refusal: ItemRefusal?, _ contact: String) throws {
        do throws(LinkError) {
            try errors.note(refusal, isKnown: knownErrors.contains(contact))
        } catch {
            if let refusal { problems.append(SyncProblem(.refused(refusal), contact: contact)) }
            throw error
        }
    }

    /// Keeps what they have taken, as they made it.
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
    /// Moves contacts to the trash whose cards were removed there; one that was changed meanwhile stays.
    fileprivate func trashRemoved(_ ids: [String], in book: Book, _ rules: IndexRules) throws {
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
