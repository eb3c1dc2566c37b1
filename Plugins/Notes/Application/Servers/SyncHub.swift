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
    }

    let store: Store
    let account: Account
    let others: SyncNoteApp.Others
    let operation: Operation
    let clock: any Clock
    let bus: EventBus
    let lifetime: Lifetime
    /// The clients of this process, who see the cursors of each other; nil without any.
    let live: LiveNotes?
    /// Called whenever everything of both sides was exchanged, with what was done since.
    let onUpToDate: @Sendable (SyncHub.Counts) async -> Void

    /// What was done.
    struct Counts: Sendable {
        var received = SyncLogEntry.Counts()
        var sent = SyncLogEntry.Counts()
        /// The names of notes that were changed on both sides.
        var merged: [String] = []
        /// Notes whose changes the server refuses, by their ids on the server, with the reason.
        var refused: [String: String] = [:]
        /// Notes that could not be exchanged, by their ids on the server, with the reason. All others were.
        var failed: [String: String] = [:]
    }

    /// Exchanges notes over an open WebSocket. Returns what was done since everything was last exchanged; throws when the
    /// connection is lost.
    func run(_ socket: NoteSocket) async throws -> Counts {
        let (agent, cursor) = try await store.write(
            Operation("notes agent", who: .service("sync"), kind: .cache)
        ) { [account] in (try $0.agent(), try $0.cursor(of: account.name)) }
        var run = Run(self, socket, ClientSession(agent: agent))
        let inputs = AsyncStream<Input>.makeStream()
        run.presences = live.map { live in
            PresenceExchange(store, server: account.name, live, agent: agent) { inputs.continuation.yield(.cursors) }
        }
        defer { run.presences?.end() }
        let taken = AsyncStream<Void>.makeStream()
        let heartbeat = HeartbeatMonitor(clock: clock)
        let changes = bus.changes(of: ["domain.notes/*"])
        return try await withThrowingTaskGroup(of: Void.self) { group in
            defer {
                group.cancelAll()
                inputs.continuation.finish()
                taken.continuation.finish()
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
                }
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

        /// Tells the server where the cursors of this machine's clients are.
        mutating func showCursors() async throws {
            guard session.isLive, let outgoing = try await presences?.outgoing() else { return }
            for (presence, agent) in outgoing { try await perform(session.present(presence, by: agent)) }
        }

        private mutating func perform(_ action: ClientSession.Action) async throws -> [ClientSession.Action] {
            let (server, others, account) = (sync.account.name, sync.others, sync.account)
            switch action {
            case .send(let text): socket.send(text)
            case .readOutgoing(let limit, let excluding):
                let found = try await sync.store.write(sync.operation) { [queue] transaction in
                    var queue = queue
                    let (notes, isComplete, failed) = try transaction.outgoing(
                        &queue, to: account, others, limit: limit, excluding: excluding)
                    return (queue: queue, notes: notes, isComplete: isComplete, failed: failed)
                }
                queue = found.queue
                counts.failed.merge(found.failed) { $1 }
                return session.outgoing(found.notes, isComplete: found.isComplete)
            case .merge(let delta, let cursor):
                let result: MergeResult
                do {
                    result = try await sync.store.write(sync.operation) { try $0.merge(delta, from: account, cursor) }
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
                }
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
                if !note.patch.isEmpty || note.change != nil { counts.sent.changed += 1 }
                try await keep { try $0.confirm(note, on: server) }
            case .forgetNoteState(let note):
                try await keep { transaction in
                    guard var remote = try transaction.hubRemote(note, on: server) else { return }
                    remote.version = NoteVersion()
                    try transaction.setHubRemote(remote, on: server)
                }
                try await lookAgain(at: note)
            case .refused(let note, _, let message):
                counts.refused[note] = message
                try await lookAgain(at: note)
            case .upToDate:
                if sync.lifetime == .untilUpToDate { isDone = true }
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

/// What a received note has changed here.
private enum MergedChange: Sendable {
    case none, new, changed, removed
    /// Both sides had changed the note with this name.
    case merged(String)
}

/// The result of a received note.
private enum MergeResult: Sendable {
    case merged(note: String, MergedChange)
    /// The events follow others that are missing here; the version that is here.
    case missing(NoteVersion)
}

extension Transaction {
    /// Merges a note of a server, and keeps the cursor.
    fileprivate func merge(_ delta: NoteDelta, from account: Account, _ cursor: String?) throws -> MergeResult {
        let server = account.name
        var remote: HubRemote
        var isNew = false
        if let known = try hubRemote(delta.note, on: server) {
            remote = known
        } else if try note(delta.note) != nil, try link(of: delta.note) == nil {
            remote = HubRemote(note: delta.note, remote: delta.note)
        } else {
            isNew = true
            let isID = delta.note.utf8.count == Identifier.length && Identifier.isPrefix(delta.note)
            let isFree = try isID && note(delta.note) == nil
            remote = HubRemote(note: isFree ? delta.note : Identifier.make(), remote: delta.note)
        }
        let wasChanged = try !isNew && version(of: remote.note) != remote.version
        if !isNew, try note(remote.note) == nil {
            // Deleted for good here: only the cursor moves on.
            if let cursor { try setCursor(cursor, of: server) }
            return .merged(note: remote.note, .none)
        }
        if isNew {
            guard try isWhole(delta.patch) else { return .missing(NoteVersion()) }
            _ = try insertNote(
                id: remote.note, folder: NoteFileName.folder(account.folder))
            remote.folder = NoteFileName.folder(account.folder)
        }
        var missing = NoteVersion()
        guard let isText = try mergeTexts(of: &remote, with: delta.patch, from: server, missing: &missing) else {
            return .missing(missing)
        }
        let before = try note(remote.note)
        if let metadata = delta.metadata { try apply(metadata, to: &remote) }
        remote.state = .synced
        if let version = delta.version {
            remote.version = try document(of: remote.note).joined(remote.version, version)
        }
        try setHubRemote(remote, on: server)
        if let cursor { try setCursor(cursor, of: server) }
        let after = try note(remote.note)
        guard isNew || isText || before != after else { return .merged(note: remote.note, .none) }
        try reindexNotes([remote.note])
        let record = try NoteRecord.kind.item(remote.note, in: self)
        let isGone = record.deletedAt != nil
        try emit(isGone ? NotesEvents.deleted : isNew ? NotesEvents.created : NotesEvents.changed, record.summary)
        if isNew { return .merged(note: remote.note, isGone ? .none : .new) }
        if isGone { return .merged(note: remote.note, before?.deletedAt == nil ? .removed : .none) }
        return .merged(note: remote.note, isText && wasChanged ? .merged(record.displayName) : .changed)
    }

    /// Merges edits of a server. Returns whether the texts have changed; nil when others have to be merged before, `missing` then
    /// being the version that is here.
    private func mergeTexts(
        of remote: inout HubRemote, with patch: NotePatch, from server: String, missing: inout NoteVersion
    ) throws -> Bool? {
        var failure: TextCRDTError?
        var isOlder = false
        let isChanged = try changeTexts(of: remote.note, by: server, isMerge: true) { document, agent in
            func own() -> [Int] { NoteField.allCases.map { document[$0].nextSequence(of: agent) } }
            let known = own()
            do throws(TextCRDTError) {
                let edits = try document.merge(patch)
                isOlder = own() != known
                return edits
            } catch {
                failure = error
                return NoteEdits()
            }
        }
        switch failure {
        case nil:
            // Another store has gone on under the name of this one, which is an older copy of it.
            if isOlder { try renewAgent() }
            return isChanged
        case .missingParents: missing = try version(of: remote.note)
        case .conflict:
            // Only all edits tell from which one on they differ.
            guard try isWhole(patch) else { break }
            guard try renameConflicts(of: remote.note, with: patch, since: remote.version) else {
                throw HubError.unreadableNote
            }
            // What the server has of the renamed edits is known from its answer alone.
            remote.version = NoteVersion()
            return try mergeTexts(of: &remote, with: patch, from: server, missing: &missing)
        default: throw HubError.unreadableNote
        }
        return nil
    }

    /// Whether a patch follows nothing that it does not have.
    private func isWhole(_ patch: NotePatch) throws -> Bool {
        var document = NoteDocument()
        do throws(TextCRDTError) {
            try document.merge(patch)
            return true
        } catch {
            if case .missingParents = error { return false }
            throw HubError.unreadableNote
        }
    }

    /// Applies what is beside the texts, as far as it has changed on the server.
    private func apply(_ metadata: NoteMetadata, to remote: inout HubRemote) throws {
        guard let note = try note(remote.note) else { return }
        let tags = NoteTag.changed(
            note.tags, adding: metadata.tags.filter { !remote.tags.contains($0) },
            removing: remote.tags.filter { !metadata.tags.contains($0) })
        try setTags(tags, of: note.id)
        if metadata.folder != remote.folder { try setFolder(NoteFileName.folder(metadata.folder), of: note.id) }
        var access = AccessChange(from: remote.access.members, to: metadata.access.members).applied(to: note.access)
        access.owner = metadata.access.owner
        if access != note.access { try setAccess(access, of: note.id) }
        if metadata.isDeleted != remote.isDeleted, metadata.isDeleted != (note.deletedAt != nil) {
            try NoteRecord.kind.setDeleted(note.id, at: metadata.isDeleted ? now : nil, in: self)
        }
        remote.tags = metadata.tags
        remote.folder = metadata.folder
        remote.access = metadata.access
        remote.isDeleted = metadata.isDeleted
    }

    /// Records that a note is no longer there for the person here; returns whether it is in the trash then.
    ///
    /// A note that was deleted for good stays if it was changed here since.
    fileprivate func lose(_ id: String, _ loss: ServerFrame.Loss, on server: String) throws -> Bool {
        guard var remote = try hubRemote(id, on: server) else { return false }
        guard loss == .deleted, let note = try note(remote.note), note.deletedAt == nil,
            try version(of: note.id) == remote.version
        else {
            remote.state = loss == .locked ? .locked : .left
            try setHubRemote(remote, on: server)
            return false
        }
        remote.state = .left
        try setHubRemote(remote, on: server)
        try NoteRecord.kind.setDeleted(note.id, at: now, in: self)
        try reindexNotes([note.id])
        try emit(NotesEvents.deleted, note.summary)
        return true
    }
}

extension HubError {
    /// The error for a note of a server that cannot be merged.
    fileprivate static var unreadableNote: HubError {
        HubError(.invalid, code: "note-invalid", "the server's data is invalid")
    }
}
