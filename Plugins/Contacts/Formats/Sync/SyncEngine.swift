package import Links

/// Decides what a sync of one book does: local contacts and the other side's listing in, actions out.
///
/// It is a value without waiting or storing. A driver asks for ``next()``, does it, and says what came of it, until
/// there is nothing left. The rules: a change beats a removal; equal sides are only noted; the same `UID` is the same
/// contact; nothing is removed because a whole side is empty; much is removed only after asking; one bad card never
/// stops the others.
package struct SyncEngine: Sendable {
    /// What the book and the person allow.
    package struct Rules: Sendable {
        /// Whether the other side takes no changes.
        package var isReadOnly: Bool
        /// Whether an empty book there may empty the book here.
        package var isForced: Bool

        package init(isReadOnly: Bool = false, isForced: Bool = false) {
            self.isReadOnly = isReadOnly
            self.isForced = isForced
        }
    }

    /// The most cards that are fetched at once.
    package static let batch = 100
    /// The most cards that are asked for in one call.
    private static let mostAtOnce = 5000
    /// How often one contact is tried in one sync.
    private static let attempts = 3
    /// The most removals that are never asked for.
    private static let unasked = 10

    private let rules: Rules
    private let locals: [String: SyncLocal]
    /// Contacts by the place of their card.
    private let byPlace: [String: String]
    /// Cards that were left alone before, by place.
    private let held: [String: RemoteEntry]
    private var fetches: [String] = []
    private var sends: ArraySlice<SyncAction> = []
    /// Contacts that they do not have, unless a card that is fetched turns out to be one of them.
    private var creates: Set<String> = []
    private var removals: ArraySlice<SyncAction> = []
    private var trashes: [String: String] = [:]
    private var forgets: [String] = []
    private var problems: [SyncProblem] = []
    private var tries: [String: Int] = [:]
    private var mayRemove: Bool?
    private var question: SyncQuestion?
    /// Which contacts of this book have one `UID`, and which of them is the one that is synced.
    private let bySource: [Int: String]
    /// Contacts whose card is gone from its place; a card at a new place may be the same one.
    package private(set) var missing: Set<String> = []
    /// Whether all that was listed is done, so that the token may be kept.
    package private(set) var isComplete = true
    /// How many cards they have at places that were not known.
    package private(set) var newPlaces = 0
    /// Whether they have any card.
    package private(set) var hasCards = false
    /// Whether they say that the whole book is empty.
    private var isEmptied = false

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

    /// Takes the other side's listing and plans; ``guardRemovals(_:)`` comes next.
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
        // What could not even be fetched may come now.
        for href in held.keys.sorted() where held[href]?.tag.isEmpty == true && entries[href] == nil {
            if !changes.isComplete, !removed.contains(href) { fetches.append(href) }
        }
        for href in held.keys.sorted() {
            if removed.contains(href) || changes.isComplete && entries[href] == nil {
                forgets.append(href)
            } else if !missing.isEmpty, !fetches.contains(href) {
                // It may be the twin of a card that has gone.
                fetches.append(href)
            }
        }
        newPlaces = fetches.count { byPlace[$0] == nil }
    }

    /// Asks before anything is done when it is sure already that much would be removed. Throws when they say that the whole
    /// book is empty and nothing proves it.
    ///
    /// A card that is new in another book of the account may be one that was moved there. Where another book has cards, the
    /// account is not just away, and as few removals as are never asked for are believed.
    package mutating func guardRemovals(_ elsewhere: Elsewhere = Elsewhere()) throws(EmptiedBook) {
        let here = locals.values.count { $0.isHere && $0.link != nil }
        let believed = elsewhere.hasCards ? SyncEngine.unasked : 0
        if isEmptied, !rules.isForced, here - elsewhere.newPlaces > believed { throw EmptiedBook(count: here) }
        let surelyGone = trashes.keys.count { locals[$0]?.isChanged == false } - newPlaces - elsewhere.newPlaces
        ask(removedHere: max(0, surelyGone), removedThere: removals.count)
    }

    /// What the other books of the account hold.
    package struct Elsewhere: Sendable {
        /// How many cards are new there.
        package var newPlaces = 0
        /// Whether there are any cards.
        package var hasCards = false

        package init(newPlaces: Int = 0, hasCards: Bool = false) {
            self.newPlaces = newPlaces
            self.hasCards = hasCards
        }
    }

    /// The contact's card was found in another book of the account.
    package mutating func noteMoved(_ contact: String) {
        trashes[contact] = nil
        missing.remove(contact)
    }

    /// What to do next; nil when all is done.
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
        return problems.popLast().map(SyncAction.tell)
    }

    /// Whether so much of the book is still to be fetched that all of it may as well be, if it is not too large for one
    /// answer.
    package var wantsMost: Bool {
        fetches.count > SyncEngine.batch && fetches.count >= byPlace.count && fetches.count <= SyncEngine.mostAtOnce
    }

    /// The next cards to fetch, at most `limit`, which may be done while others are stored.
    package mutating func nextFetch(_ limit: Int = SyncEngine.batch) -> [String]? {
        if fetches.isEmpty || question != nil { return nil }
        let batch = Array(fetches.prefix(limit))
        fetches.removeFirst(batch.count)
        return batch
    }

    /// What was found so far and not told yet, for a sync that ends before its time.
    package mutating func takeProblems() -> [SyncProblem] {
        defer { problems = [] }
        return problems
    }

    /// The contacts that are to be sent next, at most `limit`.
    package func nextSends(_ limit: Int) -> [String] {
        sends.prefix(limit).compactMap { action in
            switch action {
            case .create(let contact, _, false), .update(let contact, _, false): contact
            default: nil
            }
        }
    }

    /// Somebody has changed the card at `href` right after it was written.
    package mutating func look(at href: String) {
        if !isTired(href) { fetches.append(href) }
    }

    /// Whether cards are to be fetched before all is done.
    package var hasFetches: Bool { !fetches.isEmpty }

    private mutating func nextRemoval() -> SyncAction? {
        guard mayRemove == true else {
            // What is withheld must be listed again.
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

    /// The person's answer to a question.
    package mutating func consent(_ isGiven: Bool) {
        mayRemove = isGiven
        question = nil
    }
}

/// The other side says that a book that held cards is empty, and nothing proves that somebody emptied it.
package struct EmptiedBook: Error, Hashable, Sendable {
    /// How many contacts the book had.
    package let count: Int
}

extension SyncEngine {
    /// The decision table for a contact that both sides had: `entry` is what they list at its place now.
    private mutating func plan(_ local: SyncLocal, _ link: RemoteEntry, _ entry: RemoteEntry?) {
        switch (local.isHere, entry) {
        case (_, let entry?) where !entry.tag.isEmpty && entry.tag == local.unread:
            // Nobody knows what is there: it is neither replaced nor removed until it can be read again.
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

    /// All is fetched: what nobody has shown to be there is given to them.
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

    /// A change beats a removal: what they removed but was changed here is given to them anew. A card that came at a new
    /// place may have been the one that was missing, so all must be fetched before.
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
    /// Takes what became of the card at `href`.
    package mutating func settle(_ href: String, as settlement: SyncSettlement) {
        switch settlement {
        case .vanished:
            // The next listing tells that it was removed.
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
            removals.append(.remove(contact: contact, RemoteEntry(href: href, tag: tag)))
        case .left(let problem): problems.append(problem)
        }
    }

    /// Takes their answer to a card that was given to them.
    /// - Returns: whether the card is theirs now, so that the link can be kept.
    package mutating func answer(_ answer: StoreAnswer, to action: SyncAction) -> Bool {
        switch action {
        case .create(let contact, let attempt, let isOld):
            return self.answer(answer, toCreating: contact, attempt: attempt, isOld: isOld)
        case .update(let contact, let entry, let isOld):
            return self.answer(answer, toUpdating: contact, entry, isOld: isOld)
        default: return false
        }
    }

    private mutating func answer(
        _ answer: StoreAnswer, toCreating contact: String, attempt: Int, isOld: Bool
    ) -> Bool {
        switch answer {
        case .stored: return true
        case .changedMeanwhile where attempt < SyncEngine.attempts:
            sends.append(.create(contact: contact, attempt: attempt + 1, inOldVersion: isOld))
        case .changedMeanwhile, .gone: problems.append(SyncProblem(.busy, contact: contact))
        case .uidTaken(let href?) where !isTired(contact): fetches.append(href)
        case .uidTaken(let href): problems.append(SyncProblem(.sameUID, contact: contact, href: href))
        case .refused(.version) where !isOld:
            sends.append(.create(contact: contact, attempt: attempt, inOldVersion: true))
        case .refused(let refusal): problems.append(SyncProblem(.refused(refusal), contact: contact))
        }
        return false
    }

    private mutating func answer(
        _ answer: StoreAnswer, toUpdating contact: String, _ entry: RemoteEntry, isOld: Bool
    ) -> Bool {
        switch answer {
        case .stored: return true
        case .changedMeanwhile where !isTired(contact): fetches.append(entry.href)
        case .changedMeanwhile: problems.append(SyncProblem(.busy, contact: contact, href: entry.href))
        case .gone:
            // A change beats a removal.
            sends.append(.create(contact: contact, attempt: 1, inOldVersion: isOld))
        case .uidTaken: problems.append(SyncProblem(.sameUID, contact: contact, href: entry.href))
        case .refused(.version) where !isOld:
            sends.append(.update(contact: contact, entry, inOldVersion: true))
        case .refused(let refusal):
            problems.append(SyncProblem(.refused(refusal), contact: contact, href: entry.href))
        }
        return false
    }

    /// Takes their answer to the wish to remove a card.
    /// - Returns: whether it is gone there.
    package mutating func answer(_ answer: RemoveAnswer, toRemoving contact: String, _ entry: RemoteEntry) -> Bool {
        switch answer {
        case .gone: return true
        case .changedMeanwhile where !isTired(contact): fetches.append(entry.href)
        case .changedMeanwhile: problems.append(SyncProblem(.busy, contact: contact, href: entry.href))
        case .refused(let refusal):
            problems.append(SyncProblem(.notRemovable(refusal), contact: contact, href: entry.href))
        }
        return false
    }

    /// Counts one more try; true when there were enough.
    private mutating func isTired(_ contact: String) -> Bool {
        tries[contact, default: 0] += 1
        return tries[contact, default: 0] >= SyncEngine.attempts
    }
}
