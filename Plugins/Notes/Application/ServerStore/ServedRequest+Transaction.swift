import HubKit
import NotesDomain
import Storage
import TextCRDT

/// How a request of a client of hub's protocol is carried out, in one transaction: access is checked, the request is done, and its result
/// is read.
extension Transaction {
    /// Merges what a request pushes; nil for one that will be refused.
    func merged(
        _ patch: NotePatch, by asked: ServedRequest
    ) throws -> MergedPush? {
        let note = try note(asked.request.note)
        guard asked.client.refusal(of: asked.request, on: note?.access) == nil else { return nil }
        return MergedPush(patch, into: try note.map { try document(of: $0.id) } ?? NoteDocument())
    }

    /// Carries out a request; `merged` is what it pushes, merged before.
    func perform(
        _ asked: ServedRequest, _ merged: MergedPush?, _ notes: OpenNotes, _ committed: CommittedEdits
    ) throws -> ServerSession.Outcome {
        let (request, client) = (asked.request, asked.client)
        let outcome: ServerSession.Outcome? =
            switch request.kind {
            case .push(let patch):
                try notes.change(request.note, in: self) { try push(patch, merged, to: &$0, asked, committed) }
            case .edit(let edit):
                try notes.change(request.note, in: self) { try carryOut(edit, in: &$0, asked, committed) }
            case .open(let version):
                try notes.change(request.note, in: self) { note in
                    client.refusal(of: request, on: note.record.access) ?? note.opened(at: version, by: client)
                }
            default: nil
            }
        if let outcome { return outcome }
        let note = try note(request.note)
        if note == nil, client.actor == .machine, case .set(let change) = request.kind {
            return try carryOutMissing(change, asked)
        }
        // A machine that sends a note again has changed it since, which counts more.
        if note == nil, client.actor != .machine, try isPurged(request.note) {
            return .refused(.notFound, "The note was permanently deleted")
        }
        if let refusal = client.refusal(of: request, on: note?.access) { return refusal }
        guard let note else {
            guard case .push(let patch) = request.kind else { return .refused(.notFound, "Note not found") }
            return try create(patch, merged, asked)
        }
        switch request.kind {
        case .set(let change):
            if client.actor == .machine { try checkSeen(change, of: note) }
            if change.isPurged {
                try purge(note.id)
            } else {
                try carryOut(change, on: note, client)
            }
        case .unlock(let reason):
            guard note.deletedAt == nil, !note.access.owner.isEmpty else {
                throw RequestRefusal(.notFound, "Note not found")
            }
            try requestAccess(to: note, by: asked.person, reason: reason)
            try record(.request, of: note.id, by: client.user)
        case .answer(let requester, let allow):
            try answerRequest(for: note, by: requester, allow: allow, client)
        case .push, .edit, .open: break
        }
        return .done
    }

    /// Throws if the owner of the note, or who makes it, may not have what a request adds.
    func checkLimits(of asked: ServedRequest, _ meter: AccountMeter) throws {
        guard asked.addsSomething else { return }
        let note = try note(asked.request.note)
        if asked.client.refusal(of: asked.request, on: note?.access) != nil { return }
        var more = asked.growth(isNew: note == nil)
        for reference in asked.attached {
            let known = try note.map { try attachments(of: $0.id) }?.first { $0.path == reference.path }
            more.attachments += max(0, reference.size - (known?.size ?? 0))
        }
        try take(more, for: note?.access.owner ?? asked.client.actor.name ?? "", meter)
    }

    // MARK: Texts

    private func push(
        _ patch: NotePatch, _ merged: MergedPush?, to note: inout OpenNote, _ asked: ServedRequest,
        _ committed: CommittedEdits
    ) throws -> ServerSession.Outcome {
        if let refusal = asked.client.refusal(of: asked.request, on: note.record.access) { return refusal }
        let before = note.texts.version
        let edits: NoteEdits
        do throws(RequestRefusal) { edits = try note.merge(patch, merged) } catch { return error.outcome }
        guard note.texts.version != before else { return .done }
        try claim(note.texts.document.agents(since: before), asked.client)
        try store(edits, of: &note, since: before, by: asked.person, isMerge: true, telling: committed)
        return .done
    }

    /// Creates a note by a push.
    private func create(
        _ patch: NotePatch, _ merged: MergedPush?, _ asked: ServedRequest
    ) throws -> ServerSession.Outcome {
        let id = asked.request.note
        guard id.utf8.count == Identifier.length, Identifier.isPrefix(id) else {
            throw RequestRefusal(.invalid, "The id of a note is a digit, a letter and 18 letters and digits of base 32")
        }
        let (document, edits) = try (merged ?? MergedPush(patch, into: NoteDocument())).result.get()
        try claim(document.agents(since: NoteVersion()), asked.client)
        let owner = asked.client.actor.name ?? ""
        if asked.client.actor == .machine { try forgetText(of: id) }
        _ = try insertNote(id: id, access: NoteAccess(owner: owner, members: owner.isEmpty ? [] : [owner]))
        try changeTexts(of: id, by: asked.person, isMerge: true) { stored, _ in
            stored = document
            return edits
        }
        guard let note = try reindexedNote(id, words: .later) else { throw NoteRecord.kind.notFound(id) }
        try emit(NotesEvents.created, note.summary)
        return .done
    }

    private func carryOut(
        _ edit: EditRequest, in note: inout OpenNote, _ asked: ServedRequest, _ committed: CommittedEdits
    ) throws -> ServerSession.Outcome {
        let (client, agent) = (asked.client, AgentName(asked.client.agent ?? ""))
        if let refusal = client.refusal(of: asked.request, on: note.record.access) { return refusal }
        // As over HTTP: what is typed must not disappear with a note that someone has just deleted.
        guard note.record.deletedAt == nil else { return .refused(.notFound, "The note is in the trash") }
        let isNew = note.accounts[agent] != client.user
        if isNew, let refusal = try refusal(ofAgents: [agent], client) { return refusal }
        let before = note.texts.version
        let result: (others: TextDelta?, own: TextDelta)
        do throws(TextCRDTError) {
            result = try note.perform(edit, of: client)
        } catch {
            return RequestRefusal(error).outcome
        }
        if note.texts.version != before {
            if isNew { try setPerson(client.user, ofAgents: [agent]) }
            note.accounts[agent] = client.user
            var edits = NoteEdits()
            edits[edit.field] = result.own.edits
            try store(edits, of: &note, since: before, by: asked.person, telling: committed)
        }
        return .edited(others: result.others, own: result.own)
    }

    /// Stores edits that an open note has got, and tells all clients once they are stored. The event comes at the beginning and at a pause,
    /// and what is shown is read again at once.
    func store(
        _ edits: NoteEdits, of note: inout OpenNote, since before: NoteVersion, by person: String,
        isMerge: Bool = false, _ recording: Recording = .atOnce, wireID: String? = nil,
        telling committed: CommittedEdits
    ) throws {
        var stored = try store(edits, of: &note, since: before, by: person, isMerge: isMerge, recording)
        if let wireID { stored.wireID = wireID }
        whenCommitted { [stored] in committed(stored) }
        if case .later = recording {
            // The event comes with the history.
            afterCommit(NotesEvents.changed)
        } else if let last = note.lastEdit, now - last < TypingOperations.pause {
            afterCommit(NotesEvents.changed)
        } else {
            try emit(NotesEvents.changed, note.record.summary)
        }
        note.lastEdit = now
    }

    private func refusal(ofAgents agents: Set<AgentName>, _ client: ServedClient) throws -> ServerSession.Outcome? {
        var owners: [AgentName: String] = [:]
        for agent in agents { owners[agent] = try person(ofAgent: agent.text) }
        return client.refusal(ofAgents: agents, owner: { owners[$0] })
    }

    private func claim(_ agents: Set<AgentName>, _ client: ServedClient) throws {
        // A machine also brings what others have written on its servers.
        if client.actor == .machine { return }
        if case .refused(let code, let message)? = try refusal(ofAgents: agents, client) {
            throw RequestRefusal(code, message)
        }
        try setPerson(client.user, ofAgents: agents)
    }

    // MARK: Beside the texts

    private func carryOut(_ change: NoteChange, on note: NoteRecord, _ client: ServedClient) throws {
        let new = try change.applied(to: note)
        let isAttached = try carryOutAttachments(change, on: note, client)
        let isHeaded = try change.head.map { head in
            let known = try frontMatter(of: note.id).map { FileHead($0) }
            return try setHead(head.merged(into: known), stem: head.stem, of: note.id)
        }
        guard
            new.tags != note.tags || new.access != note.access || new.folder != note.folder || new.isMoved
                || isAttached || isHeaded ?? false || change.facts.map({ $0 != NoteFacts(note) }) ?? false
        else { return }
        try setTags(new.tags, of: note.id)
        var access = new.access
        if let facts = change.facts {
            access = NoteAccess(owner: facts.owner, members: access.members, readers: access.readers)
        }
        if access != note.access {
            try setAccess(access, of: note.id)
            let detail = AuditEntry.detail(from: note.access, to: access)
            try record(.access, of: note.id, by: client.user, detail: detail)
        }
        if let facts = change.facts, facts.isPinned != note.isPinned { try setPinned(facts.isPinned, of: note.id) }
        if new.folder != note.folder { try setFolder(new.folder, of: note.id) }
        if new.isMoved {
            try NoteRecord.kind.setDeleted(note.id, at: note.deletedAt == nil ? now : nil, in: self)
            try record(note.deletedAt == nil ? .deletion : .restoration, of: note.id, by: client.user)
        }
        try reindexNotes([note.id])
        if let facts = change.facts {
            // What the machine has not seen yet is newer.
            let isNewest = try change.seen.map { try version(of: note.id) == $0.version } ?? false
            try setTimes(
                created: min(facts.createdAt, note.createdAt),
                changed: isNewest ? facts.changedAt : max(facts.changedAt, note.changedAt), of: note.id)
            try recordFacts(of: note.id)
        }
        let changed = try NoteRecord.kind.item(note.id, in: self)
        let moved = note.deletedAt == nil ? NotesEvents.deleted : NotesEvents.created
        try emit(new.isMoved ? moved : NotesEvents.changed, changed.summary)
    }

    /// Adds and removes attachments. The content must be what the client has sent, or can read in a note: its hash alone gives
    /// no access to it.
    /// - Returns: whether there is a change.
    private func carryOutAttachments(
        _ change: NoteChange, on note: NoteRecord, _ client: ServedClient
    ) throws -> Bool {
        var isChanged = false
        for path in change.detached where try removeAttachment(path, of: note.id) { isChanged = true }
        for reference in change.attached {
            guard let blob = BlobID(reference.hash) else { throw RequestRefusal(.invalid, "The hash is invalid") }
            let uploaded = try uploadedSize(of: blob, by: client.user)
            // A machine has sent the content before it says so: see ``NotesPlugin/perform(_:of:as:operation:)``.
            let size =
                try (client.actor == .machine ? reference.size : nil) ?? uploaded
                ?? size(of: blob) { note in
                    AccessRule.decide(.read, by: client.actor, on: note.access, legacy: .off) == nil
                }
            guard let size else {
                throw RequestRefusal(
                    .unavailable, "The content of the attachment \(reference.path) is not on the server")
            }
            if try setAttachment(
                StoredAttachment(path: reference.path, blob: blob, size: size, link: reference.link), of: note.id)
            {
                isChanged = true
            }
            try forgetUpload(blob, by: client.user)
        }
        return isChanged
    }

    // MARK: Machines

    /// Throws `changed` if a machine moves a note to the trash, or deletes it for good, that was changed since the machine has seen it.
    private func checkSeen(_ change: NoteChange, of note: NoteRecord) throws {
        guard let seen = change.seen, change.isPurged || change.isDeleted == true, note.deletedAt == nil else { return }
        let isSeen = try version(of: note.id) == seen.version && (seen.changedAt ?? note.changedAt) == note.changedAt
        if !isSeen { throw RequestRefusal(.changed, "The note was changed here in the meantime") }
    }

    /// Carries out a change of a note that is not here: an empty one is made, and one that was deleted for good on both sides stays so.
    private func carryOutMissing(_ change: NoteChange, _ asked: ServedRequest) throws -> ServerSession.Outcome {
        let id = asked.request.note
        if change.isPurged { return .done }
        guard change.facts != nil, change.seen?.version == NoteVersion(), id.utf8.count == Identifier.length,
            Identifier.isPrefix(id)
        else { return .refused(.missing, "The note is not here") }
        try forgetText(of: id)
        _ = try insertNote(id: id)
        let note = try NoteRecord.kind.item(id, in: self)
        try carryOut(change, on: note, asked.client)
        return .done
    }

    private func answerRequest(
        for note: NoteRecord, by requester: String, allow: Bool, _ client: ServedClient
    ) throws {
        guard var request = try request(for: note.id, by: requester), let change = request.answer(allow: allow, at: now)
        else {
            // The same answer again changes nothing.
            if allow, note.access.isUnlocked(for: requester) { return }
            throw RequestRefusal(.notFound, "No request of this name is pending for the note")
        }
        try setRequest(request)
        guard !change.isEmpty else { return }
        let access = change.applied(to: note.access)
        try changed(note.id) { try setAccess(access, of: note.id) }
        let detail = AuditEntry.detail(from: note.access, to: access)
        try record(.access, of: note.id, by: client.user, detail: detail)
    }
}
