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
    let transfers: AttachmentTransfers
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
                    result = try await sync.store.write(sync.operation) { [blobs = sync.blobs] in
                        try $0.merge(delta, from: account, cursor) { blobs.size(of: $0) != nil }
                    }
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
                if !note.patch.isEmpty || note.change != nil, counts.sentNotes.insert(note.note).inserted {
                    counts.sent.changed += 1
                }
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
            case .serverKnowsFiles:
                queue.add(contents.takeFiles())
                return session.changed()
            case .upToDate:
                let isBusy = try await startTransfers()
                if sync.lifetime == .untilUpToDate {
                    if isBusy { break }
                    isDone = true
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
    fileprivate func merge(
        _ delta: NoteDelta, from account: Account, _ cursor: String?, hasContent: (BlobID) -> Bool
    ) throws -> MergeResult {
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
        var (isAttached, isHeaded) = (false, false)
        if let metadata = delta.metadata {
            try apply(metadata, to: &remote)
            if let attachments = metadata.attachments {
                isAttached = try apply(attachments, to: &remote, from: server, hasContent: hasContent)
            }
            if let file = metadata.file { isHeaded = try apply(file, to: &remote) }
        }
        remote.state = .synced
        if let version = delta.version {
            remote.version = try document(of: remote.note).joined(remote.version, version)
        }
        try setHubRemote(remote, on: server)
        if let cursor { try setCursor(cursor, of: server) }
        let after = try note(remote.note)
        guard isNew || isText || isAttached || isHeaded || before != after else {
            return .merged(note: remote.note, .none)
        }
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
        var access = AccessChange(from: remote.access, to: metadata.access).applied(to: note.access)
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

    /// Applies what the file of a note has before its text on the server. What was changed here since stays, and is sent.
    /// - Returns: whether there is a change here.
    private func apply(_ file: NoteFile, to remote: inout HubRemote) throws -> Bool {
        guard try note(remote.note) != nil else { return false }
        let local = try frontMatter(of: remote.note).map { FileHead($0).naming(remote.remote) }
        let merged = local.map { FileHead.merged(base: remote.head, current: file.head, change: $0) } ?? file.head
        remote.head = file.head
        return try setHead(merged, stem: file.stem, of: remote.note)
    }

    /// Applies the attachments of a server, as far as they have changed there. Those whose content is not here are fetched later.
    /// - Returns: whether there is a change here.
    private func apply(
        _ attachments: [AttachmentReference], to remote: inout HubRemote, from server: String,
        hasContent: (BlobID) -> Bool
    ) throws -> Bool {
        let (id, known, paths) = (remote.note, Set(remote.attachments), Set(attachments.map(\.path)))
        guard try note(id) != nil else { return false }
        var isChanged = false
        let local = try attachmentReferences(of: id)
        for gone in remote.attachments where !paths.contains(gone.path) {
            // What was replaced here is not what was removed there.
            if local.contains(where: { $0.path == gone.path && $0.hash == gone.hash }) {
                isChanged = try removeAttachment(gone.path, of: id) || isChanged
            }
        }
        remote.attachments.removeAll { !paths.contains($0.path) }
        for wanted in try wantedAttachments(from: server) where wanted.note == id {
            try forgetWanted(wanted.reference.path, for: id)
        }
        for reference in attachments where !known.contains(reference) {
            guard let blob = BlobID(reference.hash) else { continue }
            if hasContent(blob) {
                isChanged = try receive(reference, blob, to: &remote) || isChanged
            } else {
                try want(reference, for: id, from: server)
            }
        }
        return isChanged
    }

    /// Takes in an attachment of a server whose content is here, unless another file was attached here in its place.
    /// - Returns: whether there is a change here.
    private func receive(_ reference: AttachmentReference, _ blob: BlobID, to remote: inout HubRemote) throws -> Bool {
        let known = remote.attachments.first { $0.path == reference.path }
        let local = try attachmentReferences(of: remote.note).first { $0.path == reference.path }
        remote.attachments.removeAll { $0.path == reference.path }
        remote.attachments.append(reference)
        guard local == nil || local == known else { return false }
        return try setAttachment(
            StoredAttachment(path: reference.path, blob: blob, size: reference.size, link: reference.link),
            of: remote.note)
    }

    /// Takes in attachments whose contents were fetched.
    /// - Returns: the number of changed notes.
    fileprivate func receive(_ hashes: Set<String>, from server: String) throws -> Int {
        var changed: Set<String> = []
        for wanted in try wantedAttachments(from: server) where hashes.contains(wanted.reference.hash) {
            try forgetWanted(wanted.reference.path, for: wanted.note)
            guard var remote = try hubRemote(of: wanted.note, on: server), try note(wanted.note) != nil,
                let blob = BlobID(wanted.reference.hash)
            else { continue }
            if try receive(wanted.reference, blob, to: &remote) { changed.insert(wanted.note) }
            try setHubRemote(remote, on: server)
        }
        try reindexNotes(changed.sorted())
        for id in changed.sorted() { try emit(NotesEvents.changed, NoteRecord.kind.item(id, in: self).summary) }
        return changed.count
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
