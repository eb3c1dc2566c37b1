import Text

/// Syncs one collection: runs the actions of the engine against a client and a local side.
///
/// It is the only loop of a sync. What is about to be sent is stored before the request, and its result after it; no
/// transaction waits for the remote side. So the process may be killed at any point: the next sync continues from what
/// is stored.
package struct SyncDriver<Local: LocalCollection> {
    /// The local side.
    package var local: Local
    /// The engine with its decisions.
    package var engine: SyncEngine<Local.ID>
    /// The numbers of items sent.
    package private(set) var sent = SyncLogEntry.Counts()
    /// The removals that the user did not confirm; none of them was done.
    package private(set) var withheld: SyncQuestion?
    let client: any CollectionClient
    private let options: SyncOptions
    private var policy: SyncPolicy
    private var position = SyncPosition(token: nil, state: nil)
    private var isUnchanged = false
    /// The prepared items by id; stored before they are sent.
    private var prepared: [Local.ID: (send: SyncSend<Local.ID>, item: Local.Outgoing)] = [:]
    /// The sent items whose links are not stored yet.
    private var receipts: [SyncReceipt<Local.Outgoing>] = []
    private var problems: [SyncProblem<Local.ID>] = []
    private var knownErrors: Set<Local.ID> = []
    private var errors = ServerErrorStreak()
    private var progress = SyncProgress()

    /// Creates the driver of one sync. The options and the client complete the policy.
    package init(_ local: Local, over client: any CollectionClient, policy: SyncPolicy, options: SyncOptions) {
        self.local = local
        self.client = client
        self.options = options
        self.policy = policy
        self.policy.isForced = options.isForced
        self.policy.mayRename = !client.keepsBytes
        engine = SyncEngine(items: [])
    }

    /// Syncs once. Throws ``RemoteError`` if the connection fails; earlier results are stored.
    package mutating func run() async throws {
        guard try await open() else { return }
        try engine.guardRemovals()
        try await finish()
    }

    /// Lists the remote side, reads the local one and plans. Nothing is changed yet.
    /// - Returns: false if nothing has changed on either side.
    package mutating func open() async throws -> Bool {
        let last = try await local.position()
        let state = try await client.state()
        isUnchanged = state != nil && state == last.state
        if isUnchanged, try await !local.hasWork() { return false }
        let checkpoint = last.token.flatMap { ListingCheckpoint($0) }
        let report = options.progress
        let changes =
            try await isUnchanged
            ? RemoteChanges(isComplete: false, entries: [])
            : client.allChanges(since: checkpoint?.token ?? last.token) { count in
                var progress = SyncProgress()
                progress.listed = count
                report(progress)
            }
        let listing = try await local.begin()
        knownErrors = listing.knownErrors
        engine = SyncEngine(items: listing.items, held: listing.held, policy: policy)
        // A listing from the first item on, as after an expired token, continues none.
        list(changes, continuing: changes.isComplete ? nil : checkpoint, state, listing)
        progress.toReceive = engine.fetchCount
        return true
    }

    /// Plans for a listing or its next part. The removals of one that ended early are left to its end.
    private mutating func list(
        _ changes: RemoteChanges, continuing previous: ListingCheckpoint?, _ state: String?,
        _ listing: LocalListing<Local.ID>
    ) {
        if let next = ListingCheckpoint(changes, continuing: previous) {
            position = SyncPosition(token: next.text, state: nil)
            engine.list(RemoteChanges(isComplete: false, entries: changes.entries, isCut: true))
        } else {
            position = SyncPosition(token: changes.token, state: state)
            engine.list(previous?.completed(by: changes, listing) ?? changes)
        }
    }

    /// Receives the listed items that need no confirmation.
    package mutating func receive() async throws {
        if let hrefs = engine.nextFetch() { try await fetch(hrefs) }
    }

    /// Runs all remaining actions and stores the position of the sync.
    package mutating func finish() async throws {
        do {
            repeat {
                while let action = engine.next() { try await perform(action) }
            } while try await storeReceipts()
        } catch {
            // The links of items sent so far are stored, so that the next sync need not look them up.
            _ = try? await storeReceipts()
            if !prepared.isEmpty { try? await local.storeRejection(of: prepared.values.map(\.item), nil) }
            try? await local.storeProblems(problems + engine.takeProblems(), isComplete: false)
            throw error
        }
        try await local.storeProblems(problems, isComplete: true)
        guard engine.isComplete, !options.isDryRun, !isUnchanged else { return }
        try await local.storePosition(position)
    }

    private mutating func perform(_ action: SyncAction<Local.ID>) async throws {
        switch action {
        case .confirm(let question):
            let isConfirmed = options.isDryRun ? true : try await options.confirm(question)
            if !isConfirmed { withheld = question }
            engine.confirm(isConfirmed)
        case .fetch(let hrefs): try await fetch(hrefs)
        case .send(let send): try await self.send(send)
        case .remove(let id, let entry): try await remove(id, entry)
        case .removeHere(let items): try await local.removeHere(items)
        case .dropLinks(let hrefs): if !options.isDryRun { try await local.dropLinks(hrefs) }
        case .report(let problem): problems.append(problem)
        }
    }
}

// MARK: Receiving

extension SyncDriver {
    /// Fetches batch after batch; each batch is stored while the next one is fetched.
    private mutating func fetch(_ hrefs: [String]) async throws {
        let source = try await ItemSource(client, local.reader, fetchesAll: engine.wantsMost)
        var hrefs = hrefs
        var items = try await source.items(at: hrefs)
        while true {
            guard let following = engine.nextFetch(source.batch) else { return try await store(items, of: hrefs) }
            async let more = { @concurrent in try await source.items(at: following) }()
            try await store(items, of: hrefs)
            items = try await more
            hrefs = following
        }
    }

    private mutating func store(_ items: [Local.Incoming], of hrefs: [String]) async throws {
        let outcomes = try await local.receive(items, missing: engine.missing)
        // Before the others: the remote side may have stored a vanished item at another href.
        let found = Set(items.map { ByteString($0.href) })
        for href in hrefs where !found.contains(ByteString(href)) { engine.apply(.vanished, at: href) }
        for (item, outcome) in zip(items, outcomes) { apply(outcome, at: item.href, identity: item.identity) }
        progress.received += items.count
        options.progress(progress)
    }

    private mutating func apply(_ outcome: FetchOutcome<Local.ID>, at href: String, identity: Int? = nil) {
        if case .linked(let id, _, _) = outcome { prepared[id] = nil }
        engine.apply(outcome, at: href, identity: identity)
    }
}

/// Fetches and parses the items of a sync: some were fetched with the whole collection, the others are requested.
private struct ItemSource<Incoming: Sendable>: Sendable {
    private let client: any CollectionClient
    private let reader: @Sendable (RemoteItem) -> Incoming
    private let known: [ByteString: RemoteItem]

    /// The preferred number of items per call: for a collection that is already fetched, more than for one request.
    var batch: Int { known.isEmpty ? SyncLimits.fetchBatch : 4 * SyncLimits.fetchBatch }

    /// With `fetchesAll` most of the collection is needed, so all of it is requested at once where that is cheaper.
    init(
        _ client: any CollectionClient, _ reader: @escaping @Sendable (RemoteItem) -> Incoming, fetchesAll: Bool
    ) async throws(RemoteError) {
        self.client = client
        self.reader = reader
        let all = fetchesAll ? try await client.everything() ?? [] : []
        known = Dictionary(all.map { (ByteString($0.href), $0) }) { first, _ in first }
    }

    /// Returns the parsed items at `hrefs`, without those that no longer exist.
    func items(at hrefs: [String]) async throws(RemoteError) -> [Incoming] {
        let missing = hrefs.filter { known[ByteString($0)] == nil }
        let found = hrefs.compactMap { known[ByteString($0)] }
        let items = missing.isEmpty ? found : found + (try await client.fetch(missing))
        return items.map(reader)
    }
}

// MARK: Sending

extension SyncDriver {
    private mutating func send(_ send: SyncSend<Local.ID>) async throws {
        if options.isDryRun { return count(send) }
        // It was removed or changed meanwhile; the next sync handles that.
        guard let item = try await outgoing(send) else { return }
        if let limit = policy.maximumSize, item.bytes.count > limit {
            let result = PutResult.refused(.tooLarge(reason: "\(item.bytes.count) bytes, limit \(limit)"))
            _ = engine.answer(result, to: send)
            return try await local.storeRejection(of: [item], result)
        }
        prepared[send.id] = nil
        let result: PutResult
        if let entry = send.replaced {
            result = try await client.update(entry.href, to: item.bytes, ifMatch: entry.etag)
        } else {
            result = try await client.create(item.bytes, name: item.name)
        }
        if !result.isStored { try await local.storeRejection(of: [item], result) }
        try note(result.refusal, send.id)
        guard engine.answer(result, to: send), case .stored(let href, let etag) = result else { return }
        receipts.append(SyncReceipt(item: item, href: href, etag: etag))
        count(send)
        progress.sent += 1
        options.progress(progress)
        if receipts.count >= SyncLimits.sendBatch { try await storeReceipts() }
    }

    private mutating func count(_ send: SyncSend<Local.ID>) {
        if send.replaced == nil { sent.new += 1 } else { sent.changed += 1 }
    }

    /// Returns the prepared item of a request, prepared together with the following ones.
    private mutating func outgoing(_ send: SyncSend<Local.ID>) async throws -> Local.Outgoing? {
        if let known = prepared[send.id], known.send == send { return known.item }
        guard send.attempt == 1, !send.inOldVersion else { return try await local.prepare([send])[send.id] }
        let sends = [send] + engine.nextSends(SyncLimits.sendBatch - 1).filter { $0.id != send.id }
        let items = try await local.prepare(sends)
        for send in sends { prepared[send.id] = items[send.id].map { (send, $0) } }
        return items[send.id]
    }

    /// Counts consecutive errors of the server.
    private mutating func note(_ refusal: ItemRefusal?, _ id: Local.ID) throws {
        do throws(RemoteError) {
            try errors.note(refusal, isKnown: knownErrors.contains(id))
        } catch {
            if let refusal { problems.append(SyncProblem(.refused(refusal), id: id)) }
            throw error
        }
    }

    /// Reads sent items back where their content or etag is not certain, and stores their links.
    /// - Returns: whether there were any.
    @discardableResult
    private mutating func storeReceipts() async throws -> Bool {
        let receipts = receipts
        self.receipts = []
        if receipts.isEmpty { return false }
        let unsure = receipts.filter { !client.keepsBytes || $0.etag == nil }.map(\.href)
        let items = unsure.isEmpty ? [] : try await client.fetch(unsure)
        let fetched = Dictionary(items.map { (ByteString($0.href), $0) }) { first, _ in first }
        let outcomes = try await local.storeReceipts(receipts, fetched)
        for href in unsure where fetched[ByteString(href)] == nil { engine.apply(.vanished, at: href) }
        for (href, outcome) in outcomes { apply(outcome, at: href) }
        return true
    }

    private mutating func remove(_ id: Local.ID, _ entry: RemoteEntry) async throws {
        if options.isDryRun { return sent.removed += 1 }
        let result = try await client.remove(entry.href, ifMatch: entry.etag)
        if case .refused(let refusal) = result { try note(refusal, id) } else { try note(nil, id) }
        guard engine.answer(result, toRemoving: id, entry) else { return }
        sent.removed += 1
        try await local.dropLinks([entry.href])
    }
}
