import ContactsDomain
import HubKit
import Links

/// The loop: does what the engine wants and tells it what came of it.
struct SyncWork {
    let run: SyncRun
    /// Whether they write cards anew; nil before that is known.
    var rewrites: Bool?
    let tell: @Sendable (SyncProgress) -> Void
    var engine = SyncEngine(locals: [])
    var report = BookSyncReport()
    /// Cards that they have taken and whose link is not kept yet.
    var pending: [Receipt] = []
    private var progress = SyncProgress()

    /// Cards whose receipts are kept together.
    private static let receiptBatch = 50

    private var contacts: ContactStore { run.contacts }
    private var book: Book { run.book }

    init(run: SyncRun, rewrites: Bool?, tell: @escaping @Sendable (SyncProgress) -> Void) {
        self.run = run
        self.rewrites = rewrites
        self.tell = tell
    }

    /// A card that they have taken.
    struct Receipt: Sendable {
        let card: SentCard
        let href: String
        /// The tag; nil when what they made of the card must be fetched.
        let tag: String?
        let isNew: Bool
    }

    /// Looks at our side and plans.
    mutating func begin(_ changes: RemoteChanges) async throws {
        let (book, rules) = (run.book, contacts.rules)
        if !run.options.isDryRun {
            try await contacts.write(run.operation) { try $0.reviewConflicts(in: book, rules) }
        }
        let (locals, held) = try await contacts.read { transaction in
            (try transaction.syncLocals(of: book.id), try transaction.heldEntries(of: book.id))
        }
        engine = SyncEngine(
            locals: locals, held: held,
            rules: SyncEngine.Rules(isReadOnly: book.remote.isReadOnly, isForced: run.options.isForced))
        do {
            try engine.list(changes)
        } catch {
            throw HubError(
                .conflict, code: "book-emptied",
                "\(book.name) of \(book.account) is empty there, and \(error.count) contacts of it are here",
                details: ["nothing was removed here"],
                hint: "if it is meant to be empty: hub contacts sync \(book.account) --force")
        }
        progress.toReceive = changes.entries.count
    }

    /// Does all there is to do.
    mutating func finish() async throws {
        do {
            while let action = engine.next() { try await perform(action) }
        } catch {
            // What they have taken so far need not be found out again.
            try? await keepReceipts()
            throw error
        }
        try await keepReceipts()
    }

    private mutating func perform(_ action: SyncAction) async throws {
        switch action {
        case .ask(let question):
            let isGiven = run.options.isDryRun ? true : try await run.options.consent(question)
            if !isGiven { report.withheld = question }
            engine.consent(isGiven)
        case .fetch(let places): try await fetch(places)
        case .create(let contact, let attempt, let isOld): try await send(contact, action, isOld, attempt: attempt)
        case .update(let contact, _, let isOld): try await send(contact, action, isOld)
        case .remove(let contact, let entry): try await remove(contact, entry)
        case .trash(let contacts): try await trash(contacts)
        case .forget(let places):
            if run.options.isDryRun { return }
            try await run.keep { [book] transaction in
                for href in places { try transaction.dropLink(at: href, in: book.id) }
            }
        case .tell(let problem): try await note(problem)
        }
    }

    private mutating func note(_ problem: SyncProblem) async throws {
        let book = book
        let isDryRun = run.options.isDryRun
        let summary = try await contacts.read { transaction in
            try problem.contact.flatMap { id in
                try transaction.contact(id).map { ContactSummary(id: id, $0.card.details) }
            }
        }
        if problem.reason == .readOnly, let contact = problem.contact, !isDryRun {
            // It is told once and not looked at again until it changes.
            try await run.keep { try $0.noteSeen(contact, in: book.id) }
        }
        report.problems.append(BookSyncReport.Problem(contact: summary, cause: problem))
    }
}

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
        let (book, missing, rules) = (run.book, engine.missing, contacts.rules)
        let isDryRun = run.options.isDryRun
        let received: [ReceivedCard]
        if isDryRun {
            received = try await contacts.read { transaction in
                try fetched.map { try transaction.receive($0, in: book, missing: missing, isDryRun: true) }
            }
        } else {
            received = try await contacts.write(run.operation) { transaction in
                try transaction.receive(fetched, in: book, missing: missing, rules)
            }
        }
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
        if case .linked(let contact, _, _) = result.settlement, !result.conflicts.isEmpty {
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

    private mutating func send(
        _ contact: String, _ action: SyncAction, _ isOld: Bool, attempt: Int = 1
    ) async throws {
        let isNew = if case .create = action { true } else { false }
        if run.options.isDryRun {
            if isNew { report.sent.new += 1 } else { report.sent.changed += 1 }
            return
        }
        let (book, link) = (run.book, run.link)
        let sent = try await contacts.write(run.operation) { transaction in
            try transaction.outgoing(contact, to: book, isOldVersion: isOld)
        }
        // Somebody removed it meanwhile: the next sync sees to it.
        guard let sent else { return }
        if let limit = book.remote.maximumCardSize, sent.bytes.count > limit {
            let reason = "\(sent.bytes.count) bytes, and they take \(limit)"
            _ = engine.answer(.refused(.tooLarge(reason: reason)), to: action)
            return
        }
        let answer: StoreAnswer
        if case .update(_, let entry, _) = action {
            answer = try await link.update(entry.href, to: sent.bytes, ifStill: entry.tag)
        } else {
            answer = try await link.create(sent.bytes, name: attempt == 1 ? sent.name : "\(sent.name)-\(attempt)")
        }
        guard engine.answer(answer, to: action), case .stored(let href, let tag) = answer else { return }
        let isTrusted = rewrites == false
        pending.append(Receipt(card: sent, href: href, tag: isTrusted ? tag : nil, isNew: isNew))
        if isNew { report.sent.new += 1 } else { report.sent.changed += 1 }
        progress.sent += 1
        tell(progress)
        // The first answer of a book tells whether its tags can be trusted.
        if pending.count >= SyncWork.receiptBatch || rewrites == nil { try await keepReceipts() }
    }

    /// Keeps what they have taken: as it was sent, or as they made it where that may differ.
    private mutating func keepReceipts() async throws {
        let receipts = pending
        pending = []
        if receipts.isEmpty { return }
        let book = run.book
        let unsure = receipts.filter { $0.tag == nil }.map(\.href)
        var theirs: [String: RemoteCard] = [:]
        if !unsure.isEmpty {
            for card in try await run.link.fetch(unsure) { theirs[card.href] = card }
        }
        let known = theirs
        try await run.keep { transaction in
            for receipt in receipts {
                if let card = known[receipt.href] {
                    try transaction.keepSent(
                        receipt.card, at: card.href, tag: card.tag, theirs: Card(card.bytes), in: book)
                } else if let tag = receipt.tag {
                    try transaction.keepSent(
                        receipt.card, at: receipt.href, tag: tag, theirs: Card(receipt.card.bytes), in: book)
                }
            }
        }
        guard rewrites == nil, let first = receipts.lazy.compactMap({ known[$0.href] }).first,
            let sent = receipts.first(where: { $0.href == first.href })
        else { return }
        let isRewritten = first.bytes != sent.card.bytes
        rewrites = isRewritten
        try await run.keep { try $0.setRewrites(isRewritten, book: book.id) }
    }

    private mutating func remove(_ contact: String, _ entry: RemoteEntry) async throws {
        if run.options.isDryRun {
            report.sent.removed += 1
            return
        }
        let answer = try await run.link.remove(entry.href, ifStill: entry.tag)
        guard engine.answer(answer, toRemoving: contact, entry) else { return }
        report.sent.removed += 1
        try await run.keep { [book] in try $0.dropLink(at: entry.href, in: book.id) }
    }
}

extension Transaction {
    /// Stores fetched cards with all their derived rows, and tells of them.
    fileprivate func receive(
        _ cards: [FetchedCard], in book: Book, missing: Set<String>, _ rules: IndexRules
    ) throws -> [ReceivedCard] {
        var ids: [String] = []
        var entries: [ContactEntry] = []
        var added: [ContactSummary] = []
        var changed: [ContactSummary] = []
        let received = try cards.map { card in
            let result = try receive(card, in: book, missing: missing, isDryRun: false)
            if let entry = result.entry {
                entries.append(entry)
                added.append(entry.summary)
                return result
            }
            guard case .linked(let id, _, _) = result.settlement, let row = try contact(id) else { return result }
            let isTouched = result.change != .none || result.isMerged
            if isTouched { ids.append(id) }
            let summary = ContactSummary(id: id, row.card.details)
            if result.change == .new { added.append(summary) } else if isTouched { changed.append(summary) }
            return result
        }
        try replaceEntries(of: [], by: entries)
        if !ids.isEmpty || !entries.isEmpty { try reindexContacts(ids, rules) }
        if added.count + changed.count >= SyncEngine.batch {
            try emitBulkChange(count: added.count + changed.count)
        } else {
            for contact in added { try emit(ContactEvents.added, contact) }
            for contact in changed { try emit(ContactEvents.changed, contact) }
        }
        return received
    }

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
