import HubKit
import NotesDomain
import Storage
import Sync
import TextCRDT

/// One connection to a server of hub: it moves frames between the WebSocket, the session that decides, and the store.
///
/// It may run beside another one of the same machine: what each of them stores is true, and texts merge.
struct SyncHub {
    /// When the connection ends.
    enum Lifetime: Sendable {
        /// Once everything of both sides was exchanged.
        case untilUpToDate
        /// When it is lost, or the task is cancelled.
        case open
    }

    /// What the connection waits for.
    enum Input: Sendable {
        case socket(NoteSocket.Event)
        /// Notes were changed here.
        case changed
        /// Cursors of clients of this machine wait to be sent.
        case cursors
        /// Contents of attachments were moved.
        case transferred(AttachmentTransfers.Order, Result<AttachmentTransfers.Result, any Error>)
    }

    let store: Store
    let account: Account
    let others: SyncNoteApp.Others
    let operation: Operation
    let clock: any Clock
    let bus: EventBus
    let blobs: BlobStore
    /// Moves the contents of attachments.
    let transfers: any ContentTransfers
    let lifetime: Lifetime
    /// The clients of this process, who see the cursors of each other; nil without any.
    let cursors: Cursors?
    /// Called whenever everything of both sides was exchanged, with what was done since.
    let onUpToDate: @Sendable (SyncHub.Counts) async -> Void

    /// What was done.
    struct Counts: Sendable {
        var received = SyncLogEntry.Counts()
        var sent = SyncLogEntry.Counts()
        /// The ids on the server of the notes that are counted as sent: what changes in parts counts once.
        var sentNotes: Set<String> = []
        /// The names of notes that were changed on both sides.
        var merged: [String] = []
        /// The number of notes that both sides had made with the same text, and that are one now.
        var joined = 0
        /// The names of notes that were to be removed and are back, since another machine has changed them.
        var broughtBack: [String] = []
        /// Notes whose changes the server refuses, by their ids on the server, with the reason.
        var refused: [String: String] = [:]
        /// Notes that could not be exchanged, by their ids on the server, with the reason. All others were.
        var failed: [String: String] = [:]
    }

    /// Exchanges notes over an open WebSocket. Returns what was done since everything was last exchanged; throws when the
    /// connection is lost.
    func run(_ socket: NoteSocket) async throws -> Counts {
        let (agent, cursor, sent) = try await store.write(
            Operation("notes agent", who: .service("sync"), kind: .cache)
        ) { [account] in
            (try $0.agent(), try $0.cursor(of: account.name), try $0.sentChange(to: account.name))
        }
        var run = Run(self, socket, ClientSession(agent: agent))
        if cursor != nil { run.queue = OutgoingQueue(since: sent) }
        run.isPairing = NoteMachine.isMachine(account.name) && sent == nil
        let inputs = AsyncStream<Input>.makeStream()
        run.presences = cursors.map { cursors in
            PresenceExchange(store, server: account.name, cursors, agent: agent) { inputs.continuation.yield(.cursors) }
        }
        defer { run.presences?.end() }
        let taken = AsyncStream<Void>.makeStream()
        let orders = AsyncStream<AttachmentTransfers.Order>.makeStream()
        run.transfer = { orders.continuation.yield($0) }
        let heartbeat = HeartbeatMonitor(clock: clock)
        let changes = bus.changes(of: ["domain.notes/*"])
        return try await withThrowingTaskGroup(of: Void.self) { group in
            defer {
                group.cancelAll()
                inputs.continuation.finish()
                taken.continuation.finish()
                orders.continuation.finish()
                socket.close()
            }
            group.addTask {
                // The next frame is read when the last one was taken in.
                for await _ in taken.stream {
                    let event = await socket.receive()
                    heartbeat.received()
                    inputs.continuation.yield(.socket(event))
                }
            }
            group.addTask { for await _ in changes { inputs.continuation.yield(.changed) } }
            group.addTask { await heartbeat.run(socket) }
            group.addTask { [transfers] in
                for await order in orders.stream {
                    let result: Result<AttachmentTransfers.Result, any Error>
                    do { result = .success(try await transfers.run(order)) } catch { result = .failure(error) }
                    inputs.continuation.yield(.transferred(order, result))
                }
            }
            taken.continuation.yield()
            try await run.perform(run.session.connected(cursor: cursor))
            for await input in inputs.stream {
                switch input {
                case .socket(.text(let text)): try await run.perform(run.session.receive(text))
                case .socket(.closed(let reason)): throw RemoteError.unreachable(reason: reason)
                case .socket(.other): break
                case .changed:
                    try await run.perform(run.session.changed())
                    try await run.presences?.place()
                case .cursors: break
                case .transferred(let order, let result): try await run.transferred(order, result)
                }
                try await run.readHeld()
                try await run.showCursors()
                if case .socket = input { taken.continuation.yield() }
                if run.isDone { return run.counts }
            }
            throw CancellationError()
        }
    }

    /// The state of one connection.
    private struct Run {
        let sync: SyncHub
        let socket: NoteSocket
        var session: ClientSession
        var queue = OutgoingQueue()
        var contents = OutgoingContents()
        /// The hashes of contents that the server does not give; they are not asked for again over this connection.
        var unfetched: Set<String> = []
        /// Begins to move contents.
        var transfer: (AttachmentTransfers.Order) -> Void = { _ in }
        var isTransferring = false
        var knowsAttachments = true
        /// Whether nothing is sent before all notes of a machine are here, so that those which both have are found.
        var isPairing = false
        /// What is to be read and sent then.
        private var heldRead: ClientSession.Action?
        var counts = Counts()
        var isDone = false
        /// The cursors of others; nil without clients to show them to.
        var presences: PresenceExchange?

        init(_ sync: SyncHub, _ socket: NoteSocket, _ session: ClientSession) {
            (self.sync, self.socket, self.session) = (sync, socket, session)
        }

        /// Carries out actions, and those that follow from them, in their order.
        mutating func perform(_ first: [ClientSession.Action]) async throws {
            var actions = first[...]
            while let action = actions.popFirst() { actions = try await perform(action) + actions }
        }

        /// Sends what waited for all notes of a machine, once they are here.
        mutating func readHeld() async throws {
            guard let read = heldRead, session.isCaughtUp else { return }
            heldRead = nil
            try await perform([read])
        }

        /// Tells the server where the cursors of this machine's clients are.
        mutating func showCursors() async throws {
            guard session.isLive, let outgoing = try await presences?.outgoing() else { return }
            for (presence, agent) in outgoing { try await perform(session.present(presence, by: agent)) }
        }

        private mutating func perform(_ action: ClientSession.Action) async throws -> [ClientSession.Action] {
            let (server, others, account) = (sync.account.name, sync.others, sync.account)
            switch action {
            case .send(let text): socket.send(text)
            case .readOutgoing where isPairing && !session.isCaughtUp: heldRead = action
            case .readOutgoing(let limit, let excluding):
                let found = try await sync.store.write(sync.operation) { [queue, contents] transaction in
                    var (queue, contents) = (queue, contents)
                    let (notes, isComplete, failed) = try transaction.outgoing(
                        &queue, to: account, others, limit: limit, excluding: excluding, contents: &contents)
                    return (queue: queue, contents: contents, notes: notes, isComplete: isComplete, failed: failed)
                }
                (queue, contents) = (found.queue, found.contents)
                counts.failed.merge(found.failed) { $1 }
                return session.outgoing(found.notes, isComplete: found.isComplete)
            case .merge(let delta, let cursor):
                let result: MergeResult
                do {
                    // Content that is here must not be collected before the note names it.
                    let hasContents = delta.metadata?.attachments?.isEmpty == false
                    let lock = hasContents ? try await sync.blobs.keep() : nil
                    defer { withExtendedLifetime(lock) {} }
                    let merge: @Sendable (Transaction) throws -> MergeResult = { [blobs = sync.blobs] in
                        try $0.merge(delta, from: account, cursor) { blobs.size(of: $0) != nil }
                    }
                    // What comes first is much, and would come again with the cursor of before.
                    result =
                        session.isCaughtUp
                        ? try await sync.store.write(sync.operation, merge)
                        : try await sync.store.writePart(sync.operation, merge)
                } catch let error as HubError where error.concernsOneNote {
                    return [.unreadable(note: delta.note, reason: error.message, cursor: cursor)]
                }
                switch result {
                case .missing(let version): return session.missing(delta.note, have: version)
                case .merged(let note, let change):
                    counts.failed[delta.note] = nil
                    // Changes of a note that was locked could not be sent before.
                    queue.add([note])
                    count(change)
                    try await presences?.place()
                    // What is beside the text can be compared only now.
                    if NoteMachine.isMachine(server) { return session.changed() }
                }
            case .lost(let note, let loss, let cursor) where NoteMachine.isMachine(server):
                let lost = try await sync.store.write(NoteServers.kind.operation) { transaction in
                    if let cursor { try transaction.setCursor(cursor, of: server) }
                    return loss == .deleted ? try transaction.loseFromMachine(note, on: server) : nil
                }
                switch lost {
                case .purged: counts.received.removed += 1
                case .kept(let id): queue.add([id])
                case nil: break
                }
                try await presences?.lose(note)
            case .lost(let note, let loss, let cursor):
                let isRemoved = try await sync.store.write(sync.operation) { transaction in
                    if let cursor { try transaction.setCursor(cursor, of: server) }
                    return try transaction.lose(note, loss, on: server)
                }
                if isRemoved { counts.received.removed += 1 }
                try await presences?.lose(note)
            case .unreadable(let note, let reason, let cursor):
                if let cursor { try await keep { try $0.setCursor(cursor, of: server) } }
                counts.failed[note] = reason
            case .keepCursor(let cursor): try await keep { try $0.setCursor(cursor, of: server) }
            case .forgetServerState:
                try await keep { try $0.forgetVersions(on: server) }
                queue = OutgoingQueue()
            case .confirmed(let note):
                counts.refused[note.note] = nil
                if !note.patch.isEmpty || note.change != nil, counts.sentNotes.insert(note.note).inserted {
                    counts.sent.changed += 1
                }
                let isUnknown = try await sync.store.write(NoteServers.kind.operation) { transaction in
                    try transaction.confirm(note, on: server)
                    return try NoteMachine.isMachine(server) && !note.patch.isEmpty
                        && transaction.hubRemote(note.note, on: server).map { $0.facts == nil } ?? false
                }
                // A machine is asked what it has beside the text of a note that was new to it, or that it may have had before.
                if isUnknown { return session.request(note.note, .open(note.version)) }
            case .forgetNoteState(let note):
                try await keep { transaction in
                    guard var remote = try transaction.hubRemote(note, on: server) else { return }
                    if NoteMachine.isMachine(server) {
                        remote = HubRemote(note: remote.note, remote: remote.remote)
                    }
                    remote.version = NoteVersion()
                    try transaction.setHubRemote(remote, on: server)
                }
                try await lookAgain(at: note)
            case .refused(let note, .changed, _) where NoteMachine.isMachine(server):
                let name = try await sync.store.write(sync.operation) {
                    try $0.bringBack(note, from: server)
                }
                if let name { counts.broughtBack.append(name) }
                return session.missing(note, have: NoteVersion())
            case .refused(let note, _, let message):
                counts.refused[note] = message
                try await lookAgain(at: note)
            case .serverKnowsFiles:
                queue.add(contents.takeFiles())
                return session.changed()
            case .upToDate:
                let isBusy = try await startTransfers()
                if sync.lifetime == .untilUpToDate {
                    if isBusy { break }
                    isDone = true
                }
                if NoteMachine.isMachine(server), !isBusy, counts.refused.isEmpty, counts.failed.isEmpty {
                    let sent = queue.position
                    if try await sync.store.read({ try $0.sentChange(to: server) }) != sent {
                        try await keep { try $0.setSentChange(sent, to: server) }
                    }
                }
                await sync.onUpToDate(counts)
                if !isDone { counts = Counts() }
            case .accessRequested(let note, let requester, let reason):
                try await sync.store.write(sync.operation) {
                    try $0.requestAccess(
                        toRemote: note, on: server, owner: account.user ?? "", by: requester, reason: reason)
                }
            case .presence(let presence, let user, let agent):
                try await presences?.receive(presence, user: user, agent: agent)
            case .close(let code, let reason):
                socket.close(code, reason: reason)
                throw RemoteError.malformed(reason: "the server sent an invalid frame")
            }
            return []
        }

        /// Begins to move contents of attachments that one of both sides lacks.
        /// - Returns: whether some are on their way.
        private mutating func startTransfers() async throws -> Bool {
            if isTransferring { return true }
            var order = AttachmentTransfers.Order()
            guard knowsAttachments else { return false }
            order.send = contents.pending.keys.sorted()
            let wanted = try await sync.store.read { [name = sync.account.name] in
                try $0.wantedAttachments(from: name)
            }
            var known = unfetched
            order.fetch = wanted.map { ($0.reference.hash, $0.reference.size) }.filter { known.insert($0.0).inserted }
            guard !order.isEmpty else { return false }
            isTransferring = true
            transfer(order)
            return true
        }

        /// Takes in contents that were moved. What failed is tried again over the next connection.
        mutating func transferred(
            _ order: AttachmentTransfers.Order, _ result: Result<AttachmentTransfers.Result, any Error>
        ) async throws {
            isTransferring = false
            switch result {
            case .success(let result):
                if result.isUnknown {
                    knowsAttachments = false
                    counts.failed[""] = "the server runs an older version of hub, which has no attachments"
                }
                for hash in result.sent { queue.add(contents.finish(hash)) }
                for (hash, reason) in result.unsent {
                    for note in contents.pending[hash] ?? [] {
                        counts.failed[note] = "an attachment was not sent: \(reason)"
                    }
                    contents.refuse(hash)
                }
                unfetched.formUnion(result.unfetched.keys)
                let changed = try await sync.store.write(sync.operation) {
                    [server = sync.account.name, fetched = result.fetched, failed = result.unfetched] in
                    (
                        received: try $0.receive(Set(fetched.map(\.id.text)), from: server),
                        failed: try $0.wantedAttachments(from: server).compactMap { wanted in
                            failed[wanted.reference.hash].map { (wanted.note, $0) }
                        }
                    )
                }
                withExtendedLifetime(result.fetched) {}
                counts.received.changed += changed.received
                for (note, reason) in changed.failed {
                    counts.failed[note] = "an attachment was not received: \(reason)"
                }
            case .failure(let error):
                if error is CancellationError { throw error }
                for hash in order.send { contents.refuse(hash) }
                unfetched.formUnion(order.fetch.map(\.hash))
                counts.failed[""] = "attachments were not exchanged: \(error)"
            }
            try await perform(session.changed())
        }

        /// Has a note looked at once more for changes that the server lacks.
        private mutating func lookAgain(at remote: String) async throws {
            let server = sync.account.name
            if let known = try await sync.store.read({ try $0.hubRemote(remote, on: server) }) {
                queue.add([known.note])
            }
        }

        private mutating func count(_ change: MergedChange) {
            switch change {
            case .none: break
            case .new: counts.received.new += 1
            case .changed: counts.received.changed += 1
            case .removed: counts.received.removed += 1
            case .joined:
                counts.received.changed += 1
                counts.joined += 1
            case .merged(let name):
                counts.received.changed += 1
                counts.merged.append(name)
            }
        }

        private func keep(_ body: @escaping @Sendable (Transaction) throws -> Void) async throws {
            try await sync.store.write(NoteServers.kind.operation, body)
        }
    }
}
