import ContactsDomain
import HubKit
import Storage
import Sync

extension LocalBook {
    /// Receives cards in order. Cards of existing contacts are compared outside transactions; a contact that changes
    /// each time is left to the next sync.
    mutating func receive(_ items: [FetchedCard], missing: Set<String>) async throws -> [FetchOutcome<String>] {
        let scope = ReceivingScope(
            book: book, missing: missing, departed: departed, unanswered: try await unanswered(among: items))
        var results = [ReceivedCard?](repeating: nil, count: items.count)
        var plans: [Int: ReceivingPlan] = [:]
        var open = Array(items.indices)
        for attempt in 0... {
            let (places, known, isLast) = (open, plans, attempt == SyncLimits.attempts)
            let found: [Received] =
                isDryRun
                ? try await contacts.read { try $0.receive(items, places, known, scope, isDryRun: true, isLast) }
                : try await contacts.write(operation) { [rules = contacts.rules] in
                    try $0.receiveAll(items, places, known, scope, rules, isLast)
                }
            plans = [:]
            for (place, one) in zip(places, found) {
                switch one {
                case .done(let result): results[place] = result
                case .open(let state): plans[place] = ReceivingPlan(state, meeting: items[place], in: book)
                }
            }
            open = places.filter { results[$0] == nil }
            if open.isEmpty { break }
            await onCompared()
        }
        let received = results.compactMap(\.self)
        for (card, result) in zip(items, received) { add(result, card) }
        return received.map(\.outcome)
    }

    /// Finds new cards that were sent before a response was lost, by their content: the server may have given them other
    /// `UID`s and other lines.
    private func unanswered(among items: [FetchedCard]) async throws -> [ByteString: String] {
        let sent = try await contacts.read { [book] in try $0.unansweredCards(in: book.id) }
        if sent.isEmpty { return [:] }
        var open = Dictionary(grouping: sent) { ByteString($0.sent.details.displayName) }
        var found: [ByteString: String] = [:]
        for item in items where item.isReadable {
            let name = ByteString(item.card.details.displayName)
            guard let place = open[name]?.firstIndex(where: { item.card.isPart(of: $0.sent) }) else { continue }
            found[ByteString(item.href)] = open[name]?.remove(at: place).contact
        }
        return found
    }

    /// Moves the contacts to the trash whose cards were deleted on the remote side.
    mutating func removeHere(_ items: [String: String]) async throws {
        report.received.removed += items.count
        if isDryRun { return }
        let (book, rules) = (book, contacts.rules)
        let ids = items.keys.sorted()
        for start in stride(from: 0, to: ids.count, by: SyncLimits.fetchBatch) {
            let part = Array(ids[start..<min(ids.count, start + SyncLimits.fetchBatch)])
            try await contacts.write(operation) { transaction in
                try transaction.trashRemoved(part, in: book, rules)
                for id in part { if let href = items[id] { try transaction.dropLink(at: href, in: book.id) } }
            }
        }
    }
}

/// The result of a received card.
private enum Received: Sendable {
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
            let state = try receivingState(card, scope)
            if let state, !isLast { return .open(state) }
            let problem = SyncProblem(.changedHere, id: state?.contact, href: card.href)
            return .done(try leave(card, problem, in: scope.book, isDryRun))
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
            guard case .linked(let id, _, _) = result.outcome, let row = try contact(id) else { continue }
            let isTouched = result.change != .none || result.isMerged
            if isTouched { ids.append(id) }
            let summary = ContactSummary(id: id, row.card.details)
            if result.change == .new { added.append(summary) } else if isTouched { changed.append(summary) }
        }
        try replaceEntries(of: [], by: entries)
        if !ids.isEmpty || !entries.isEmpty { try reindexContacts(ids, rules) }
        let outdated = try followRenames(received, in: scope.book, rules)
        if added.count + changed.count >= SyncLimits.fetchBatch {
            try emitBulkChange(count: added.count + changed.count)
        } else {
            for contact in added { try emit(ContactEvents.added, contact) }
            for contact in changed { try emit(ContactEvents.changed, contact) }
        }
        if outdated.isEmpty { return received }
        return received.map { one in
            guard case .done(var result) = one, case .linked(let id, let etag, _) = result.outcome,
                outdated.contains(id)
            else { return one }
            result.outcome = .linked(id, etag: etag, sends: true)
            return .done(result)
        }
    }

    /// Makes the cards here that name a card by the `UID` that the server gave it name it by its own.
    /// - Returns: the contacts whose cards on the server name others by `UID`s that it does not know.
    private func followRenames(
        _ received: [Received], in book: Book, _ rules: IndexingOptions
    ) throws -> Set<String> {
        var uids: [ByteString: ByteString] = [:]
        for case .done(let result) in received {
            if let renamed = result.renamed, renamed.ours != renamed.theirs { uids[renamed.theirs] = renamed.ours }
        }
        if uids.isEmpty { return [] }
        _ = try changeReferences(to: Set(uids.keys), rules) { $0.referring(by: uids) }
        let referring = try referringContacts(to: Set(uids.values))
        return Set(try outdatedReferences(in: book.id, of: referring).map(\.id))
    }

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

extension Contact {
    /// Whether the contact is the same in both rows.
    func isSameVersion(as other: Contact) -> Bool {
        revision == other.revision && changedAt == other.changedAt && deletedAt == other.deletedAt && book == other.book
    }
}
