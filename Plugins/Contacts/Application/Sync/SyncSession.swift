import ContactsDomain
import HubKit
import Sync

/// The building blocks of a sync of one book: listing the remote side, and storing both sides.
struct SyncSession: Sendable {
    let contacts: ContactStore
    let book: Book
    let link: any AddressBookClient
    let options: SyncOptions
    let operation: Operation

    /// The listing of the remote side, with its token.
    struct Listing: Sendable {
        let changes: RemoteChanges
        /// The state of the book, to be stored when all is done; nil if nothing has changed in it.
        let state: String?
        let isUnchanged: Bool
    }

    /// Returns the listing; nil if nothing has changed on either side.
    func listing() async throws -> Listing? {
        let position = try await contacts.read { [book] in try $0.syncPosition(of: book.id) }
        let (isFirst, rules) = (position.token == nil && position.state == nil, contacts.rules)
        // The transliteration takes long to load: before a first sync it is loaded while the server answers.
        async let _: Void = { @concurrent () async in if isFirst { rules.open() } }()
        let state = try await link.state()
        let isUnchanged = state != nil && state == position.state
        if isUnchanged, try await contacts.read({ [book] in try !$0.hasSyncWork(in: book) }) { return nil }
        let changes = try await isUnchanged ? RemoteChanges(isComplete: false, entries: []) : listed(position.token)
        return Listing(changes: changes, state: state, isUnchanged: isUnchanged)
    }

    /// Lists the changes; everything if the token has expired.
    private func listed(_ token: String?) async throws -> RemoteChanges {
        guard let token else { return try await link.changes(since: nil) }
        do {
            return try await link.changes(since: token)
        } catch RemoteError.tokenExpired {
            return try await link.changes(since: nil)
        }
    }

    /// Writes state that has no history.
    @discardableResult
    func keep<T: Sendable>(_ body: @escaping @Sendable (Transaction) throws -> T) async throws -> T {
        let unrecorded = Operation(operation.name, who: operation.who, kind: .cache)
        return try await contacts.store.write(unrecorded, body)
    }
}

extension SyncSession {
    /// Receives cards in order. Cards of existing contacts are compared outside transactions; a contact that keeps
    /// changing is left to the next sync.
    func receive(
        _ fetched: [FetchedCard], _ scope: ReceivingScope, _ attempts: Int
    ) async throws -> [ReceivedCard] {
        var results = [ReceivedCard?](repeating: nil, count: fetched.count)
        var plans: [Int: ReceivingPlan] = [:]
        var open = Array(fetched.indices)
        for attempt in 0... {
            let (places, known, isLast) = (open, plans, attempt == attempts)
            let found: [Received] =
                options.isDryRun
                ? try await contacts.read { try $0.receive(fetched, places, known, scope, isDryRun: true, isLast) }
                : try await contacts.write(operation) { [rules = contacts.rules] in
                    try $0.receiveAll(fetched, places, known, scope, rules, isLast)
                }
            plans = [:]
            for (place, one) in zip(places, found) {
                switch one {
                case .done(let result): results[place] = result
                case .open(let state): plans[place] = ReceivingPlan(state, meeting: fetched[place], in: scope.book)
                }
            }
            open = places.filter { results[$0] == nil }
            if open.isEmpty { break }
        }
        return results.compactMap(\.self)
    }

    /// Returns the outgoing cards of contacts, stored before they are sent; missing or moved contacts are left out.
    func outgoing(_ ids: [String], isOldVersion: Bool) async throws -> [String: SentCard] {
        let (book, isStrict) = (book, !link.keepsBytes)
        let drafts = try await contacts.read { transaction in
            try ids.compactMap { try transaction.draft($0, to: book) }
        }
        let cards = drafts.map { SentCard($0, for: book, isStrict: isStrict, isOldVersion: isOldVersion) }
        return try await contacts.write(operation) { transaction in
            var sent: [String: SentCard] = [:]
            for card in cards { sent[card.contact] = try transaction.announce(card, to: book) }
            return sent
        }
    }

    /// Closes the conflicts that no longer exist because the contact was changed here.
    func reviewConflicts() async throws {
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
}

/// The result of a received card.
enum Received: Sendable {
    case done(ReceivedCard)
    /// The card belongs to this contact and has to be compared with it.
    case open(ReceivingState)
}

extension Transaction {
    /// Receives the cards at `places`, with the plans that were made for some of them.
    fileprivate func receive(
        _ fetched: [FetchedCard], _ places: [Int], _ plans: [Int: ReceivingPlan], _ scope: ReceivingScope,
        isDryRun: Bool, _ isLast: Bool
    ) throws -> [Received] {
        try places.map { place in
            let card = fetched[place]
            if let plan = plans[place], let done = try apply(plan, of: card, scope, isDryRun: isDryRun) {
                return .done(done)
            }
            if let done = try receive(card, scope, isDryRun: isDryRun) { return .done(done) }
            guard let state = try receivingState(card, scope), !isLast else {
                return .done(ReceivedCard(settlement: .left(SyncProblem(.busy, href: card.href))))
            }
            return .open(state)
        }
    }

    /// Stores fetched cards with their index rows, and publishes the events.
    fileprivate func receiveAll(
        _ fetched: [FetchedCard], _ places: [Int], _ plans: [Int: ReceivingPlan], _ scope: ReceivingScope,
        _ rules: IndexingOptions, _ isLast: Bool
    ) throws -> [Received] {
        var ids: [String] = []
        var entries: [ContactIndexRow] = []
        var added: [ContactSummary] = []
        var changed: [ContactSummary] = []
        let received = try receive(fetched, places, plans, scope, isDryRun: false, isLast)
        for case .done(let result) in received {
            if let entry = result.entry {
                entries.append(entry)
                added.append(entry.summary)
                continue
            }
            guard case .linked(let id, _, _) = result.settlement, let row = try contact(id) else { continue }
            let isTouched = result.change != .none || result.isMerged
            if isTouched { ids.append(id) }
            let summary = ContactSummary(id: id, row.card.details)
            if result.change == .new { added.append(summary) } else if isTouched { changed.append(summary) }
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
}

extension Contact {
    /// Whether the contact is the same in both rows.
    func isSameVersion(as other: Contact) -> Bool {
        revision == other.revision && changedAt == other.changedAt && deletedAt == other.deletedAt && book == other.book
    }
}
