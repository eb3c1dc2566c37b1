package import Sync

/// Decides what a sync of one book does: local contacts and the remote listing in, actions out.
///
/// It is a value without I/O. A driver asks for ``next()``, runs the action, and reports the outcome, until there are
/// no actions left. The rules: a change wins over a removal; equal sides are only linked; the same `UID` is the same
/// contact; nothing is removed because a whole side is empty; many removals need confirmation; one invalid card does
/// not stop the others; an item under the name of a new card is read before another name is used.
package struct SyncEngine: Sendable {
    /// The limits of the book and the user's options.
    package struct Rules: Sendable {
        /// Whether the remote side is read-only.
        package var isReadOnly: Bool
        /// Whether an empty remote book may empty the local one.
        package var isForced: Bool

        package init(isReadOnly: Bool = false, isForced: Bool = false) {
            self.isReadOnly = isReadOnly
            self.isForced = isForced
        }
    }

    /// The maximum number of cards per fetch.
    package static let batch = 100
    /// The maximum number of cards per request.
    private static let mostAtOnce = 5000
    /// The maximum number of attempts per contact in one sync.
    private static let attempts = 3
    /// The maximum number of removals without confirmation.
    private static let unasked = 10

    private let rules: Rules
    private let locals: [String: SyncLocal]
    /// The contacts by the path of their card.
    private let byPlace: [String: String]
    /// The cards that were skipped before, by path.
    private let held: [String: RemoteEntry]
    private var fetches: [String] = []
    private var sends: ArraySlice<SyncAction> = []
    /// The contacts without a remote card, unless a fetched card turns out to belong to one.
    private var creates: Set<String> = []
    /// The new cards that another item prevents from being created, by its path.
    private var obstructed: [String: (create: SyncAction, hasSameUID: Bool)] = [:]
    /// The new cards whose names are free after the removals.
    private var postponed: [SyncAction] = []
    private var removals: ArraySlice<SyncAction> = []
    private var trashes: [String: String] = [:]
    private var forgets: [String] = []
    private var problems: [SyncProblem] = []
    private var tries: [String: Int] = [:]
    private var mayRemove: Bool?
    private var question: SyncQuestion?
    /// The contacts of this book by source, to detect a common `UID` and select the one to sync.
    private let bySource: [Int: String]
    /// The contacts whose cards have disappeared; a card at a new path may be the same one.
    package private(set) var missing: Set<String> = []
    /// Whether everything listed is done, so that the token may be stored.
    package private(set) var isComplete = true
    /// The number of remote cards at unknown paths.
    package private(set) var newPlaces = 0
    /// Whether the remote side has any cards.
    package private(set) var hasCards = false
    /// Whether the remote side reports that the whole book is empty.
    private var isEmptied = false

    /// Creates the engine; `held` are the remote cards that were skipped before.
    package init(locals: [SyncLocal], held: [RemoteEntry] = [], rules: Rules = Rules()) {
        self.rules = rules
        self.locals = Dictionary(locals.map { ($0.contact, $0) }) { first, _ in first }
        byPlace = Dictionary(locals.compactMap { local in local.link.map { ($0.href, local.contact) } }) { first, _ in
            first
        }
        self.held = Dictionary(held.map { ($0.href, $0) }) { first, _ in first }
        let ranked = locals.filter(\.isHere).sorted {
            ($0.link == nil ? 1 : 0, $0.contact) < ($1.link == nil ? 1 : 0, $1.contact)
        }
        bySource = Dictionary(ranked.map { ($0.source, $0.contact) }) { first, _ in first }
    }

    /// Reads the remote listing and plans; ``guardRemovals(_:)`` comes next.
    package mutating func list(_ changes: RemoteChanges) {
        let entries = Dictionary(changes.entries.map { ($0.href, $0) }) { _, last in last }
        let removed = Set(changes.removed).subtracting(entries.keys)
        hasCards = !entries.isEmpty || !changes.isComplete && !byPlace.isEmpty
        isEmptied = changes.isComplete && entries.isEmpty
        for local in locals.values.sorted(by: { $0.contact < $1.contact }) {
            guard let link = local.link else {
                if local.isHere { planCreate(local) }
                continue
            }
            let isGone = changes.isComplete || removed.contains(link.href)
            let known = RemoteEntry(href: link.href, tag: local.unread ?? link.tag)
            let entry = entries[link.href] ?? (isGone ? nil : known)
            plan(local, link, entry)
        }
        let known = entries.values.filter { byPlace[$0.href] == nil }
        for entry in known.sorted(by: { $0.href < $1.href }) where held[entry.href]?.tag != entry.tag {
            fetches.append(entry.href)
        }
        // Cards that could not be fetched before may be available now.
        for href in held.keys.sorted() where held[href]?.tag.isEmpty == true && entries[href] == nil {
            if !changes.isComplete, !removed.contains(href) { fetches.append(href) }
        }
        for href in held.keys.sorted() {
            if removed.contains(href) || changes.isComplete && entries[href] == nil {
                forgets.append(href)
            } else if !missing.isEmpty, !fetches.contains(href) {
                // It may be the same contact as a card that has disappeared.
                fetches.append(href)
            }
        }
        newPlaces = fetches.count { byPlace[$0] == nil }
    }

    /// Asks for confirmation before any change if many removals are already certain. Throws if the remote side reports
    /// without proof that the whole book is empty.
    ///
    /// A card that is new in another book of the account may have been moved there. If another book has cards, the
    /// account is available, and a few removals need no confirmation.
    package mutating func guardRemovals(_ elsewhere: Elsewhere = Elsewhere()) throws(EmptiedBook) {
        let here = locals.values.count { $0.isHere && $0.link != nil }
        let believed = elsewhere.hasCards ? SyncEngine.unasked : 0
        if isEmptied, !rules.isForced, here - elsewhere.newPlaces > believed { throw EmptiedBook(count: here) }
        let surelyGone = trashes.keys.count { locals[$0]?.isChanged == false } - newPlaces - elsewhere.newPlaces
        ask(removedHere: max(0, surelyGone), removedThere: removals.count)
    }

    /// The other books of the account.
    package struct Elsewhere: Sendable {
        /// The number of new cards in them.
        package var newPlaces = 0
        /// Whether they have any cards.
        package var hasCards = false

        package init(newPlaces: Int = 0, hasCards: Bool = false) {
            self.newPlaces = newPlaces
            self.hasCards = hasCards
        }
    }

    /// Records that the contact's card was found in another book of the account.
    package mutating func noteMoved(_ contact: String) {
        trashes[contact] = nil
        missing.remove(contact)
    }

    /// Returns the next action; nil when all is done.
    package mutating func next() -> SyncAction? {
        if let question { return .ask(question) }
        if let batch = nextFetch() { return .fetch(batch) }
        keepChanged()
        planCreates()
        if let action = sends.popFirst() { return action }
        if mayRemove == nil {
            ask(removedHere: trashes.count, removedThere: removals.count)
            if let question { return .ask(question) }
            mayRemove = true
        }
        if let removal = nextRemoval() { return removal }
        sends += postponed
        postponed = []
        if let action = sends.popFirst() { return action }
        return problems.popLast().map(SyncAction.tell)
    }

    /// Whether so much of the book is still to be fetched that fetching all of it is cheaper, if it is not too large
    /// for one response.
    package var wantsMost: Bool {
        fetches.count > SyncEngine.batch && fetches.count >= byPlace.count && fetches.count <= SyncEngine.mostAtOnce
    }

    /// Returns the next cards to fetch, at most `limit`, which may be fetched while others are stored.
    package mutating func nextFetch(_ limit: Int = SyncEngine.batch) -> [String]? {
        if fetches.isEmpty || question != nil { return nil }
        let batch = Array(fetches.prefix(limit))
        fetches.removeFirst(batch.count)
        return batch
    }

    /// Returns the problems that were not reported yet, for a sync that ends early.
    package mutating func takeProblems() -> [SyncProblem] {
        defer { problems = [] }
        return problems
    }

    /// Returns the contacts to send next, at most `limit`.
    package func nextSends(_ limit: Int) -> [String] {
        sends.prefix(limit).compactMap { action in
            switch action {
            case .create(let contact, _, false), .update(let contact, _, false): contact
            default: nil
            }
        }
    }

    /// Records that another program changed the card at `href` right after it was written.
    package mutating func look(at href: String) {
        if !reachedRequestLimit(href) { fetches.append(href) }
    }

    /// Whether there are cards to fetch.
    package var hasFetches: Bool { !fetches.isEmpty }

    private mutating func nextRemoval() -> SyncAction? {
        guard mayRemove == true else {
            // Withheld changes must be listed again.
            if !trashes.isEmpty || !removals.isEmpty { isComplete = false }
            (trashes, removals) = ([:], [])
            return nil
        }
        if !trashes.isEmpty {
            defer { trashes = [:] }
            return .trash(trashes)
        }
        if let action = removals.popFirst() { return action }
        if !forgets.isEmpty {
            defer { forgets = [] }
            return .forget(forgets)
        }
        return nil
    }

    /// Records the user's answer.
    package mutating func consent(_ isGiven: Bool) {
        mayRemove = isGiven
        question = nil
    }
}

/// The remote side reports without proof that a book with cards is empty.
package struct EmptiedBook: Error, Hashable, Sendable {
    /// The number of contacts of the book.
    package let count: Int
}

extension SyncEngine {
    /// The decision table for a contact on both sides: `entry` is the remote card at its path.
    private mutating func plan(_ local: SyncLocal, _ link: RemoteEntry, _ entry: RemoteEntry?) {
        switch (local.isHere, entry) {
        case (_, let entry?) where !entry.tag.isEmpty && entry.tag == local.unread:
            // The remote content is unknown: it is neither replaced nor removed until it can be read again.
            problems.append(SyncProblem(.unreadable, contact: local.contact, href: link.href))
        case (_, let entry?) where entry.tag != link.tag || link.tag.isEmpty || local.unread != nil:
            fetches.append(entry.href)
        case (true, _?):
            if local.isChanged { planUpdate(local, link) }
        case (true, nil):
            missing.insert(local.contact)
            trashes[local.contact] = link.href
        case (false, let entry?):
            if rules.isReadOnly {
                return problems.append(SyncProblem(.readOnlyRemoval, contact: local.contact, href: entry.href))
            }
            removals.append(.remove(contact: local.contact, entry))
        case (false, nil): forgets.append(link.href)
        }
    }

    private mutating func planCreate(_ local: SyncLocal) {
        if rules.isReadOnly { return problems.append(SyncProblem(.readOnly, contact: local.contact)) }
        guard bySource[local.source] == local.contact else {
            return problems.append(SyncProblem(.sameUIDHere, contact: local.contact))
        }
        creates.insert(local.contact)
    }

    /// After all cards are fetched, contacts without a remote card are sent.
    private mutating func planCreates() {
        if creates.isEmpty { return }
        sends += creates.sorted().map { .create(contact: $0, attempt: 1, inOldVersion: false) }
        creates = []
    }

    private mutating func planUpdate(_ local: SyncLocal, _ link: RemoteEntry) {
        if local.isHeld { return }
        if rules.isReadOnly { return problems.append(SyncProblem(.readOnly, contact: local.contact, href: link.href)) }
        sends.append(.update(contact: local.contact, link, inOldVersion: false))
    }

    /// A change wins over a removal: a contact that was deleted remotely but changed here is sent again. A card at a
    /// new path may be the missing one, so all must be fetched before.
    private mutating func keepChanged() {
        for contact in trashes.keys.sorted() where locals[contact]?.isChanged == true {
            let href = trashes.removeValue(forKey: contact)
            if rules.isReadOnly {
                problems.append(SyncProblem(.readOnly, contact: contact, href: href))
            } else {
                sends.append(.create(contact: contact, attempt: 1, inOldVersion: false))
            }
        }
    }

    private mutating func ask(removedHere: Int, removedThere: Int) {
        let linked = locals.values.filter { $0.link != nil }
        let limit = max(SyncEngine.unasked, linked.count / 4)
        let emptiesThere = removedThere > 1 && removedThere == linked.count
        if removedHere > limit || removedThere > limit || emptiesThere {
            question = SyncQuestion(removedHere: removedHere, removedThere: removedThere, total: linked.count)
        }
    }
}

extension SyncEngine {
    /// Records the outcome of the card at `href`; `source` is the identity of that card.
    package mutating func settle(_ href: String, as settlement: FetchOutcome, source: Int? = nil) {
        record(href, settlement)
        if let (create, hasSameUID) = obstructed.removeValue(forKey: href) {
            resolve(create, at: href, settlement, source: source, hasSameUID: hasSameUID)
        }
    }

    private mutating func record(_ href: String, _ settlement: FetchOutcome) {
        switch settlement {
        case .vanished:
            // The next listing reports the removal.
            return
        case .linked(let contact, let tag, let isSent):
            trashes[contact] = nil
            creates.remove(contact)
            missing.remove(contact)
            guard isSent else { return }
            if rules.isReadOnly { return problems.append(SyncProblem(.readOnly, contact: contact, href: href)) }
            sends.append(.update(contact: contact, RemoteEntry(href: href, tag: tag), inOldVersion: false))
        case .unwanted(let contact, let tag):
            if rules.isReadOnly {
                return problems.append(SyncProblem(.readOnlyRemoval, contact: contact, href: href))
            }
            let removal = SyncAction.remove(contact: contact, RemoteEntry(href: href, tag: tag))
            if !removals.contains(removal) { removals.append(removal) }
        case .left(let problem): problems.append(problem)
        }
    }

    /// Decides about a new card after the item at `href`, which has its name or its `UID`, was read.
    ///
    /// That item may be the card itself, sent by a request whose response was lost. So another name is used only if the
    /// item is a card with another `UID`.
    private mutating func resolve(
        _ action: SyncAction, at href: String, _ settlement: FetchOutcome, source: Int?, hasSameUID: Bool
    ) {
        guard case .create(let contact, let attempt, let isOld) = action else { return }
        let isSame = hasSameUID || source != nil && source == locals[contact]?.source
        switch settlement {
        case .linked(contact, _, _), .unwanted(contact, _): return
        case .left(let problem) where problem.isPassing:
            // Reported once, with the contact.
            problems.removeAll { $0.contact == nil && $0.href == href }
            problems.append(SyncProblem(problem.reason, contact: contact, href: href))
        case .vanished where !reachedRequestLimit(contact): sends.append(action)
        case .unwanted where !reachedRequestLimit(contact): postponed.append(action)
        case .vanished, .unwanted: problems.append(SyncProblem(.busy, contact: contact, href: href))
        case .linked, .left:
            if isSame {
                problems.append(SyncProblem(.sameUID, contact: contact, href: href))
            } else if attempt < SyncEngine.attempts {
                sends.append(.create(contact: contact, attempt: attempt + 1, inOldVersion: isOld))
            } else {
                problems.append(SyncProblem(.busy, contact: contact, href: href))
            }
        }
    }

    /// Records the response to a sent card.
    /// - Returns: whether the remote side has stored the card, so that the link can be stored.
    package mutating func answer(_ answer: PutResult, to action: SyncAction) -> Bool {
        switch action {
        case .create(let contact, let attempt, let isOld):
            return self.answer(answer, to: action, contact, attempt: attempt, isOld: isOld)
        case .update(let contact, let entry, let isOld):
            return self.answer(answer, toUpdating: contact, entry, isOld: isOld)
        default: return false
        }
    }

    private mutating func answer(
        _ answer: PutResult, to create: SyncAction, _ contact: String, attempt: Int, isOld: Bool
    ) -> Bool {
        switch answer {
        case .stored: return true
        case .nameTaken(let href): look(at: href, for: create, hasSameUID: false)
        case .changedMeanwhile, .gone: problems.append(SyncProblem(.busy, contact: contact))
        case .uidTaken(let href?): look(at: href, for: create, hasSameUID: true)
        case .uidTaken(nil): problems.append(SyncProblem(.sameUID, contact: contact))
        case .refused(.version) where !isOld:
            sends.append(.create(contact: contact, attempt: attempt, inOldVersion: true))
        case .refused(let refusal): problems.append(SyncProblem(.refused(refusal), contact: contact))
        }
        return false
    }

    /// Fetches the item that prevents a card from being created.
    private mutating func look(at href: String, for create: SyncAction, hasSameUID: Bool) {
        obstructed[href] = (create, hasSameUID)
        if !fetches.contains(href) { fetches.append(href) }
    }

    private mutating func answer(
        _ answer: PutResult, toUpdating contact: String, _ entry: RemoteEntry, isOld: Bool
    ) -> Bool {
        switch answer {
        case .stored: return true
        case .changedMeanwhile where !reachedRequestLimit(contact): fetches.append(entry.href)
        case .changedMeanwhile, .nameTaken: problems.append(SyncProblem(.busy, contact: contact, href: entry.href))
        case .gone:
            // A change wins over a removal. The card may have moved to the name that is used now.
            missing.insert(contact)
            sends.append(.create(contact: contact, attempt: 1, inOldVersion: isOld))
        case .uidTaken: problems.append(SyncProblem(.sameUID, contact: contact, href: entry.href))
        case .refused(.version) where !isOld:
            sends.append(.update(contact: contact, entry, inOldVersion: true))
        case .refused(let refusal):
            problems.append(SyncProblem(.refused(refusal), contact: contact, href: entry.href))
        }
        return false
    }

    /// Records the response to a deletion.
    /// - Returns: whether the remote card is deleted.
    package mutating func answer(_ answer: DeleteResult, toRemoving contact: String, _ entry: RemoteEntry) -> Bool {
        switch answer {
        case .gone: return true
        case .changedMeanwhile where !reachedRequestLimit(contact): fetches.append(entry.href)
        case .changedMeanwhile: problems.append(SyncProblem(.busy, contact: contact, href: entry.href))
        case .refused(let refusal):
            problems.append(SyncProblem(.notRemovable(refusal), contact: contact, href: entry.href))
        }
        return false
    }

    /// Counts an attempt; returns true if the maximum is reached.
    private mutating func reachedRequestLimit(_ contact: String) -> Bool {
        tries[contact, default: 0] += 1
        return tries[contact, default: 0] >= SyncEngine.attempts
    }
}
