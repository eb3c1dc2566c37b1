import NotesDomain
import TextCRDT
import Time

/// The store of a server and its sessions, in memory, for protocol tests.
final class SimulatedServer {
    struct StoredNote {
        var document = NoteDocument()
        var access: NoteAccess
        var tags: [String] = []
        var isDeleted = false
        var change = 0
        var accessChange = 0
        var metadataChange = 0
        var batches: [NoteField: [EditBatch]] = [:]
        var revocations: [(name: String, change: Int)] = []
    }

    struct Connection {
        var session: ServerSession
        var toClient: [String] = []
    }

    var notes: [String: StoredNote] = [:]
    var connections: [Int: Connection] = [:]
    var epoch = "e1"
    /// The number of the last change.
    var change = 0
    var closed: [Int: UInt16] = [:]
    /// Whether frames leave the queue at once, as on a fast connection.
    var isFast = true
    /// Whether sessions get the edits of requests as they were stored, without reading them.
    var handsOver = false
    private var handed: [StoredEdits] = []

    // MARK: Connections

    func connect(_ id: Int, as actor: Actor) {
        connections[id] = Connection(session: ServerSession(actor: actor, epoch: epoch, latest: change))
    }

    func disconnect(_ id: Int) {
        guard var connection = connections.removeValue(forKey: id) else { return }
        for case .announce(let announcement) in connection.session.disconnected() { tell(announcement, besides: id) }
    }

    private func tell(_ announcement: PresenceAnnouncement, besides id: Int) {
        guard let note = notes[announcement.presence.note],
            let placed = note.document.placed(announcement.presence)
        else { return }
        var announcement = announcement
        announcement.presence = placed
        for other in connections.keys.sorted() where other != id {
            guard let client = connections[other]?.session.client else { continue }
            let way = try? delta(announcement.presence.note, announcement.presence.field, for: client)
            with(other) { $0.presence(announcement, on: note.access, after: way ?? nil) }
        }
    }

    func receive(_ frame: String, from id: Int) {
        with(id) { $0.receive(frame) }
    }

    /// The frames for a client so far.
    func take(_ id: Int) -> [String] {
        defer { connections[id]?.toClient = [] }
        return connections[id]?.toClient ?? []
    }

    /// Says that bytes left the queue of a slow connection.
    func written(_ count: Int, to id: Int) { with(id) { $0.written(count) } }

    private func with(_ id: Int, _ body: (inout ServerSession) -> [ServerSession.Action]) {
        guard var session = connections[id]?.session else { return }
        let actions = body(&session)
        connections[id]?.session = session
        run(actions, from: id)
    }

    private func run(_ actions: [ServerSession.Action], from id: Int) {
        for action in actions {
            switch action {
            case .send(let frame):
                connections[id]?.toClient.append(frame)
                if isFast { with(id) { $0.written(frame.utf8.count) } }
            case .readChanges(let after, let limit):
                guard let client = connections[id]?.session.client else { return }
                var page = page(after: after, limit: limit)
                try? page.addTexts(for: client, after: after, from: self)
                with(id) { [page] in $0.changes(page) }
            case .perform(let request):
                guard let session = connections[id]?.session else { return }
                let before = change
                let outcome = perform(request, session)
                with(id) { $0.finished(request, outcome) }
                if change > before { announce() }
            case .announce(let announcement): tell(announcement, besides: id)
            case .close(let code, _):
                closed[id] = code
                connections[id] = nil
            }
        }
    }

    private func announce() {
        for id in connections.keys.sorted() { with(id) { $0.stored(handed) + $0.changed(change) } }
        handed = []
    }

    // MARK: Requests

    private func perform(_ request: NoteRequest, _ session: ServerSession) -> ServerSession.Outcome {
        if let refusal = session.client.refusal(of: request, on: notes[request.note]?.access) { return refusal }
        let user = session.actor.name ?? ""
        var note = notes[request.note] ?? StoredNote(access: NoteAccess(owner: user, members: [user]))
        do {
            switch request.kind {
            case .push(let patch):
                let before = note.document.version
                let edits = try note.document.merge(patch)
                if note.document.version == before, notes[request.note] != nil { return .done }
                let isNew = notes[request.note] == nil
                commit(request.note, note, since: before, by: user)
                if !isNew { handOver(edits, of: request.note, since: before) }
            case .edit(let edit):
                let before = note.document.version
                var texts = OpenTexts(note.document)
                let (others, own) = try texts.perform(
                    edit, in: request.note, by: session.agent ?? "",
                    known: session.client.knownVersion(request.note, edit.field))
                note.document = texts.document
                if note.document.version != before {
                    commit(request.note, note, since: before, by: user)
                    var edits = NoteEdits()
                    edits[edit.field] = own.edits
                    handOver(edits, of: request.note, since: before)
                }
                return .edited(others: others, own: own)
            case .set(let change): set(request.note, note, change)
            case .open(let version):
                if session.client.mode == .edits {
                    return .texts(
                        NoteField.allCases.map { field in
                            let way = note.document.way(field, since: version?[field])
                            return TextDelta(
                                note: request.note, field: field, from: way.from, to: way.to, edits: way.edits,
                                acknowledged: note.document[field].nextSequence(of: session.agent ?? ""))
                        })
                }
                return .note(
                    NoteDelta(
                        note: request.note, metadata: metadata(note),
                        patch: note.document.patch(since: version ?? NoteVersion()), version: note.document.version))
            case .unlock, .answer: break
            }
            return .done
        } catch TextCRDTError.missingParents {
            return .refused(.missing, "")
        } catch {
            return .refused(.invalid, "\(error)")
        }
    }

    private func handOver(_ edits: NoteEdits, of id: String, since before: NoteVersion) {
        guard handsOver, let note = notes[id] else { return }
        let fields = NoteField.allCases.filter { note.document[$0].version != before[$0] }
        let agents = fields.flatMap { note.document[$0].events(since: before[$0]).map(\.agent) }
        handed.append(
            StoredEdits(
                note: id, change: change, metadata: metadata(note), agents: Set(agents.map { AgentName($0) }),
                texts: fields.map {
                    TextDelta(
                        note: id, field: $0, from: before[$0], to: note.document[$0].version, edits: edits[$0],
                        acknowledged: 0)
                }, patch: note.document.patch(since: before), version: note.document.version))
    }

    /// A legacy client's PUT; returns the version that it has read then.
    func put(_ id: String, content: String, base: NoteVersion, agent: String) throws -> NoteVersion {
        guard var note = notes[id] else { return base }
        let before = note.document.version
        let merge = try note.document.merge(title: nil, content: content, base: base, by: agent)
        guard note.document.version != before else { return merge.written }
        commit(id, note, since: before, by: agent)
        announce()
        return merge.written
    }

    private func commit(_ id: String, _ changed: StoredNote, since before: NoteVersion, by user: String) {
        var note = changed
        change += 1
        note.change = change
        for field in NoteField.allCases {
            for range in note.document[field].events(since: before[field]) {
                note.batches[field, default: []].append(
                    EditBatch(
                        agent: range.agent, sequences: range.sequences, person: user,
                        at: Instant(milliseconds: Int64(change)), change: change))
            }
        }
        notes[id] = note
    }

    func set(_ id: String, _ stored: StoredNote, _ changes: NoteChange) {
        var note = stored
        change += 1
        note.change = change
        note.metadataChange = change
        note.tags = NoteTag.changed(note.tags, adding: changes.addedTags, removing: changes.removedTags)
        if !changes.access.isEmpty {
            note.access = changes.access.applied(to: note.access)
            note.accessChange = change
            note.revocations += changes.access.revoked.map { ($0, change) }
        }
        note.isDeleted = changes.isDeleted ?? note.isDeleted
        notes[id] = note
    }

    private func metadata(_ note: StoredNote) -> NoteMetadata {
        NoteMetadata(
            access: note.access, tags: note.tags, isDeleted: note.isDeleted,
            changedAt: Instant(milliseconds: Int64(note.change)))
    }

    func page(after: Int, limit: Int) -> ChangePage {
        let changed = notes.filter { $0.value.change > after }.sorted { $0.value.change < $1.value.change }
        let part = changed.prefix(limit)
        let hasMore = changed.count > part.count
        return ChangePage(
            notes: part.map { id, note in
                ChangedNote(
                    id, metadata(note), change: note.change, accessChange: note.accessChange,
                    isMetadataChanged: note.metadataChange > after,
                    agents: NoteField.allCases.reduce(into: []) { agents, field in
                        agents.formUnion(EditJournal(note.batches[field] ?? []).agents(afterChange: after))
                    },
                    revoked: Set(note.revocations.filter { $0.change > after }.map(\.name)))
            }, end: hasMore ? part.last?.value.change ?? after : change, hasMore: hasMore)
    }
}

extension SimulatedServer: NoteTextReader {
    func patch(_ id: String, afterChange change: Int?) throws -> (patch: NotePatch, version: NoteVersion) {
        guard let note = notes[id] else { return (NotePatch(), NoteVersion()) }
        var since = NoteVersion()
        if let change {
            for field in NoteField.allCases {
                since[field] = EditJournal(note.batches[field] ?? []).version(afterChange: change)
            }
        }
        return (note.document.patch(since: since), note.document.version)
    }

    func edits(_ id: String, _ field: NoteField, since version: Version?) throws -> (
        from: Version?, to: Version, edits: [TextEdit]
    ) {
        notes[id]?.document.way(field, since: version) ?? (nil, Version([]), [])
    }

    func nextSequence(_ id: String, _ field: NoteField, of agent: String) throws -> Int {
        notes[id]?.document[field].nextSequence(of: agent) ?? 0
    }
}
