import Text

/// Decides what a sync of one collection does: local items and the remote listing in, actions out.
///
/// It is a value without I/O. A driver asks for ``next()``, runs the action, and reports the outcome, until there are
/// no actions left. The rules: a change wins over a removal; equal sides are only linked; the same `UID` is the same
/// item; nothing is removed because a whole side is empty; many removals need confirmation; one invalid item does
/// not stop the others; an item under the name of a new one is read before another name is used.
package struct SyncEngine<ID: Hashable & Comparable & Sendable>: Sendable {
    let policy: SyncPolicy
    let items: [ID: SyncItem<ID>]
    /// The items by the href of their link.
    let byHref: [ByteString: ID]
    /// The remote items that were skipped before, by href.
    private let held: [ByteString: RemoteEntry]
    /// The item of each identity that is synced.
    private let byIdentity: [Int: ID]

    private var fetches: ArraySlice<String> = []
    /// The hrefs that wait to be fetched.
    private var queued: Set<ByteString> = []
    private var sends: ArraySlice<SyncSend<ID>> = []
    /// The number of requests for each item.
    private var sendCounts: [ID: Int] = [:]
    /// The items without a remote one, unless a fetched item turns out to belong to one.
    var creates: Set<ID> = []
    /// The items that were deleted there and are created again, with the hrefs of their links.
    var recreates: [ID: String] = [:]
    /// The new items that another item prevents from being created, by its href.
    var obstructed: [ByteString: [(send: SyncSend<ID>, hasSameUID: Bool)]] = [:]
    /// The new items whose names are free after the removals.
    var postponed: [SyncSend<ID>] = []
    private var removals: [ID: RemoteEntry] = [:]
    private var removalOrder: ArraySlice<ID> = []
    /// The items to remove here, with the hrefs of their links.
    var removalsHere: [ID: String] = [:]
    var droppedLinks: [String] = []
    var problems: [SyncProblem<ID>] = []
    /// The unreadable items that belong to no local one.
    private var unreadable: Set<ByteString> = []
    /// The problems of remote items that belong to no local one, by href.
    var unlinkedProblems: [ByteString: SyncProblem<ID>] = [:]
    /// The items that a fetched item belongs to.
    var linked: Set<ID> = []
    private var mayRemove: Bool?
    private var question: SyncQuestion?
    private var attempts: [ID: Int] = [:]
    /// The etags that the server refused last, by item.
    var refusedEtags: [ID: ByteString] = [:]
    private var fetchesAgain: [ByteString: Int] = [:]
    /// Whether the remote side reports that the whole collection is empty.
    private var isEmptied = false
    /// The items whose remote items have disappeared; an item at a new href may be the same one.
    package internal(set) var missing: Set<ID> = []
    /// Whether everything listed is done, so that the token may be stored.
    package private(set) var isComplete = true
    /// The number of remote items at unknown hrefs.
    package private(set) var newItems = 0
    /// Whether the remote side has any items.
    package private(set) var hasItems = false
    /// Whether the listing ended early: items that it does not name may be in the rest of it.
    package private(set) var isCut = false

    /// Creates the engine; `held` are the remote items that were skipped before, with the tags that were read.
    package init(items: [SyncItem<ID>], held: [RemoteEntry] = [], policy: SyncPolicy = SyncPolicy()) {
        self.policy = policy
        self.items = Dictionary(items.map { ($0.id, $0) }) { first, _ in first }
        byHref = Dictionary(items.compactMap { item in item.link.map { (ByteString($0.href), item.id) } }) { first, _ in
            first
        }
        self.held = Dictionary(held.map { (ByteString($0.href), $0) }) { first, _ in first }
        let ranked = items.filter { $0.isHere && $0.identity != nil }.sorted {
            ($0.link == nil ? 1 : 0, $0.id) < ($1.link == nil ? 1 : 0, $1.id)
        }
        byIdentity = Dictionary(ranked.map { ($0.identity ?? 0, $0.id) }) { first, _ in first }
        if !policy.confirmsRemovals { mayRemove = true }
    }
}

// MARK: Planning

extension SyncEngine {
    /// Reads the remote listing and plans; ``guardRemovals(_:)`` comes next.
    package mutating func list(_ changes: RemoteChanges) {
        let listed = Dictionary(changes.entries.map { (ByteString($0.href), $0) }) { _, last in last }
        let removed = Set(changes.removed.map { ByteString($0) }).subtracting(listed.keys)
        func isGone(_ href: ByteString) -> Bool {
            listed[href] == nil && (changes.isComplete || removed.contains(href))
        }
        isCut = changes.isCut
        hasItems = !listed.isEmpty || !changes.isComplete && !byHref.isEmpty
        isEmptied = changes.isComplete && listed.isEmpty
        for item in items.values.sorted(by: { $0.id < $1.id }) {
            guard let link = item.link else {
                // The rest of the listing may have it.
                if item.isHere, !isCut { planCreate(item) }
                continue
            }
            let known = RemoteEntry(href: link.href, etag: item.unread ?? link.etag)
            let href = ByteString(link.href)
            plan(item, link, listed[href] ?? (isGone(href) ? nil : known))
        }
        for (href, entry) in listed.sorted(by: { $0.key < $1.key }) where byHref[href] == nil {
            if held[href]?.etag.hasSameBytes(as: entry.etag) != true { fetch(entry.href) }
        }
        // A skipped item may be one that has disappeared from its place, or one that was sent.
        let mayBeOurs = !missing.isEmpty || items.values.contains(where: \.wasSent)
        for (href, entry) in held.sorted(by: { $0.key < $1.key }) {
            if isGone(href) {
                droppedLinks.append(entry.href)
            } else if mayBeOurs || entry.etag.isEmpty {
                fetch(entry.href)
            }
        }
        newItems = fetches.count { byHref[ByteString($0)] == nil }
    }

    /// The decision table for an item with a link: `entry` is the remote item at its href.
    private mutating func plan(_ item: SyncItem<ID>, _ link: RemoteEntry, _ entry: RemoteEntry?) {
        switch (item.isHere, entry) {
        case (_, let entry?) where !entry.etag.isEmpty && item.unread?.hasSameBytes(as: entry.etag) == true:
            // The remote content is unknown: it is neither replaced nor removed until it can be read again.
            problems.append(SyncProblem(.unreadable, id: item.id, href: link.href))
        case (_, let entry?)
        where !entry.etag.hasSameBytes(as: link.etag) || link.etag.isEmpty || item.unread != nil:
            fetch(entry.href)
        case (true, _?):
            if item.isChanged { planUpdate(item, link) }
        case (true, nil):
            missing.insert(item.id)
            if item.isChanged || policy.remoteDeletion == .createsAgain {
                recreates[item.id] = link.href
            } else {
                removalsHere[item.id] = link.href
            }
        case (false, let entry?): remove(item.id, entry)
        case (false, nil): droppedLinks.append(link.href)
        }
    }

    private mutating func planCreate(_ item: SyncItem<ID>) {
        if policy.isReadOnly { return problems.append(SyncProblem(.readOnly, id: item.id)) }
        if let identity = item.identity, byIdentity[identity] != item.id {
            return problems.append(SyncProblem(.sameUIDHere, id: item.id))
        }
        creates.insert(item.id)
    }

    private mutating func planUpdate(_ item: SyncItem<ID>, _ link: RemoteEntry) {
        if item.isHeld { return }
        if policy.isReadOnly { return problems.append(SyncProblem(.readOnly, id: item.id, href: link.href)) }
        if policy.fetchesBeforeUpdate { fetch(link.href) } else { send(SyncSend(item.id, replacing: link)) }
    }

    /// Sends the items without a remote one. A remote item at a new href may belong to one, so all must be fetched
    /// before. An item that may have been stored under another name waits while there are items that cannot be read.
    private mutating func planCreates() {
        if recreates.isEmpty, creates.isEmpty { return }
        let waiting =
            recreates.sorted { $0.key < $1.key }.map { ($0.key, Optional($0.value)) }
            + creates.subtracting(recreates.keys).sorted().map { ($0, nil) }
        (recreates, creates) = ([:], [])
        let unknown = policy.mayRename ? unreadable.min()?.repairedText : nil
        for (id, href) in waiting {
            if policy.isReadOnly {
                problems.append(SyncProblem(.readOnly, id: id, href: href))
            } else if let unknown, items[id]?.wasSent == true {
                unlinkedProblems[ByteString(unknown)] = nil
                problems.append(SyncProblem(.unreadable, id: id, href: unknown))
            } else {
                send(SyncSend(id))
            }
        }
    }

    /// Asks for confirmation before any change if many removals are already certain. Throws if the remote side reports
    /// without proof that the whole collection is empty.
    ///
    /// An item that is new in another collection of the account may have been moved there. If another collection has
    /// items, the account is available, and a few removals need no confirmation.
    package mutating func guardRemovals(_ others: OtherCollections = OtherCollections()) throws(EmptiedCollection) {
        if !policy.confirmsRemovals { return }
        let linkedHere = items.values.count { $0.isHere && $0.link != nil }
        let believed = others.hasItems ? SyncLimits.unconfirmedRemovals : 0
        if isEmptied, !policy.isForced, linkedHere - others.newItems > believed {
            throw EmptiedCollection(count: linkedHere)
        }
        ask(removedHere: max(0, removalsHere.count - newItems - others.newItems), removedThere: removals.count)
    }

    private mutating func ask(removedHere: Int, removedThere: Int) {
        let total = items.values.count { $0.link != nil }
        let limit = max(SyncLimits.unconfirmedRemovals, total / 4)
        let emptiesThere = removedThere > 1 && removedThere == total
        if removedHere > limit || removedThere > limit || emptiesThere {
            question = SyncQuestion(removedHere: removedHere, removedThere: removedThere, total: total)
        }
    }

    /// Records the user's answer.
    package mutating func confirm(_ isConfirmed: Bool) {
        mayRemove = isConfirmed
        question = nil
    }

    /// Leaves all removals here to a later sync, which lists again: what is missing may be in the rest of the listing of
    /// another collection of the account.
    package mutating func postponeRemovals() {
        if !removalsHere.isEmpty || !recreates.isEmpty { isComplete = false }
        (removalsHere, recreates) = ([:], [:])
    }

    /// Records that the remote item was found in another collection of the account.
    package mutating func markMoved(_ id: ID) {
        removalsHere[id] = nil
        recreates[id] = nil
        missing.remove(id)
    }
}

// MARK: Actions

extension SyncEngine {
    /// Returns the next action; nil when all is done.
    package mutating func next() -> SyncAction<ID>? {
        if let question { return .confirm(question) }
        if let batch = nextFetch() { return .fetch(batch) }
        planCreates()
        if let send = sends.popFirst() { return .send(send) }
        if mayRemove == nil {
            ask(removedHere: removalsHere.count, removedThere: removals.count)
            if let question { return .confirm(question) }
            mayRemove = true
        }
        if let removal = nextRemoval() { return removal }
        for send in postponed { self.send(send) }
        postponed = []
        if let send = sends.popFirst() { return .send(send) }
        if problems.isEmpty { problems = takeProblems() }
        return problems.popLast().map(SyncAction.report)
    }

    /// Returns the next items to fetch, at most `limit`, which may be fetched while others are stored.
    package mutating func nextFetch(_ limit: Int = SyncLimits.fetchBatch) -> [String]? {
        if fetches.isEmpty || question != nil { return nil }
        let batch = Array(fetches.prefix(limit))
        fetches = fetches.dropFirst(batch.count)
        queued.subtract(batch.map { ByteString($0) })
        return batch
    }

    private mutating func nextRemoval() -> SyncAction<ID>? {
        guard mayRemove == true else {
            // Withheld changes must be listed again.
            if !removalsHere.isEmpty || !removals.isEmpty { isComplete = false }
            (removalsHere, removals, removalOrder) = ([:], [:], [])
            return nil
        }
        if !removalsHere.isEmpty {
            defer { removalsHere = [:] }
            return .removeHere(removalsHere)
        }
        if let id = removalOrder.popFirst(), let entry = removals.removeValue(forKey: id) { return .remove(id, entry) }
        if droppedLinks.isEmpty { return nil }
        defer { droppedLinks = [] }
        return .dropLinks(droppedLinks)
    }

    /// Returns the requests that come next and can be prepared together, at most `limit`.
    package func nextSends(_ limit: Int) -> [SyncSend<ID>] {
        sends.prefix(limit).filter { $0.attempt == 1 && !$0.inOldVersion }
    }

    /// Returns the problems that were not reported yet, for a sync that ends early.
    package mutating func takeProblems() -> [SyncProblem<ID>] {
        defer { (problems, unlinkedProblems) = ([], [:]) }
        return problems + unlinkedProblems.sorted { $0.key < $1.key }.map(\.value)
    }

    /// Whether so much of the collection is still to be fetched that fetching all of it is cheaper, if it is not too
    /// large for one response.
    package var wantsMost: Bool {
        fetches.count > SyncLimits.fetchBatch && fetches.count >= byHref.count
            && fetches.count <= SyncLimits.wholeCollection
    }

    /// The number of items to fetch, as far as known.
    package var fetchCount: Int { fetches.count }

    // MARK: Queues

    mutating func fetch(_ href: String) {
        if queued.insert(ByteString(href)).inserted { fetches.append(href) }
    }

    /// Fetches an item that another program has just changed, unless it keeps changing.
    mutating func fetchAgain(_ href: String) {
        let key = ByteString(href)
        fetchesAgain[key, default: 0] += 1
        if fetchesAgain[key, default: 0] < SyncLimits.attempts { fetch(href) }
    }

    mutating func send(_ send: SyncSend<ID>) {
        sendCounts[send.id, default: 0] += 1
        if sendCounts[send.id, default: 0] <= SyncLimits.sends { return sends.append(send) }
        problems.append(SyncProblem(.busy, id: send.id, href: send.replaced?.href))
    }

    mutating func remove(_ id: ID, _ entry: RemoteEntry) {
        if policy.isReadOnly { return problems.append(SyncProblem(.readOnlyRemoval, id: id, href: entry.href)) }
        if removals.updateValue(entry, forKey: id) == nil { removalOrder.append(id) }
    }

    mutating func markUnreadable(_ href: String) { unreadable.insert(ByteString(href)) }

    mutating func markReadable(_ href: String) { unreadable.remove(ByteString(href)) }

    /// Counts an attempt; returns true if the maximum is reached.
    mutating func reachedAttemptLimit(_ id: ID) -> Bool {
        attempts[id, default: 0] += 1
        return attempts[id, default: 0] >= SyncLimits.attempts
    }
}
