import HubKit
import NotesDomain
import Storage
import TextCRDT

/// The requests of clients of hub's protocol.
extension PostgresNoteServerStore {
    func perform(_ request: ServedRequest) async throws -> ServerSession.Outcome {
        let merged = try await merged(request)
        do {
            return try await database.write([request.request.note]) { turn in
                try await turn.checkLimits(of: request, meter)
                return try await turn.perform(request, merged)
            }
        } catch let refusal as RequestRefusal {
            return refusal.outcome
        }
    }

    /// Merges a push of many edits before its turn, on a thread of its own; nil for others, and for one that will be refused.
    private func merged(_ asked: ServedRequest) async throws -> MergedPush? {
        guard case .push(let patch) = asked.request.kind, patch.count > MergedPush.minimumSize else { return nil }
        let note = try await database.read { try await $0.note(asked.request.note) }
        guard asked.client.refusal(of: asked.request, on: note?.head.access) == nil else { return nil }
        let document = note?.open.texts.document ?? NoteDocument()
        return try await BackgroundThread.run { MergedPush(patch, into: document) }
    }
}

extension PostgresTurn {
    /// Throws if the owner of the note, or who makes it, may not have what a request adds.
    fileprivate func checkLimits(of asked: ServedRequest, _ meter: AccountMeter) async throws {
        guard asked.addsSomething else { return }
        let head = notes[asked.request.note]?.head
        if asked.client.refusal(of: asked.request, on: head?.access) != nil { return }
        var more = asked.growth(isNew: head == nil)
        for reference in asked.attached {
            let known = head?.attachments.first { $0.path == reference.path }
            more.attachments += max(0, reference.size - (known?.size ?? 0))
        }
        try await take(more, for: head?.access.owner ?? asked.client.actor.name ?? "", meter)
    }

    /// Carries out a request: checks access, does it, and reads its result.
    fileprivate func perform(_ asked: ServedRequest, _ merged: MergedPush?) async throws -> ServerSession.Outcome {
        let (request, client) = (asked.request, asked.client)
        let note = notes[request.note]
        if note == nil, try await isPurged(request.note) {
            return .refused(.notFound, "The note was permanently deleted")
        }
        if let refusal = client.refusal(of: request, on: note?.head.access) { return refusal }
        guard let note else {
            guard case .push(let patch) = request.kind else { return .refused(.notFound, "Note not found") }
            return try await create(patch, merged, asked)
        }
        switch request.kind {
        case .push(let patch): try await push(patch, merged, to: note, asked)
        case .edit(let edit): return try await carryOut(edit, in: note, asked)
        case .open(let version): return note.open.opened(at: version, by: client)
        case .set(let change): try await carryOut(change, on: note, client)
        case .unlock(let reason):
            guard note.head.deletedAt == nil, !note.head.access.owner.isEmpty else {
                throw RequestRefusal(.notFound, "Note not found")
            }
            try await requestAccess(to: note.head.id, by: asked.person, reason: reason)
            record(.request, of: note.head.id, by: client.user)
        case .answer(let requester, let allow):
            try await answerRequest(for: note, by: requester, allow: allow, client)
        }
        return .done
    }

    // MARK: Texts

    private func push(
        _ patch: NotePatch, _ merged: MergedPush?, to note: PostgresNote, _ asked: ServedRequest
    ) async throws {
        let before = note.open.texts.version
        let known = merged.flatMap { $0.before == before ? $0 : nil }
        let (document, edits) = try (known ?? MergedPush(patch, into: note.open.texts.document)).result.get()
        guard document.version != before else { return }
        try await claim(document.agents(since: before), asked.client)
        _ = try change(note.head.id) { note in
            note.open.texts.replace(by: document, after: edits)
            try store(edits, of: &note, since: before, by: asked.person, isMerge: true)
        }
    }

    private func create(
        _ patch: NotePatch, _ merged: MergedPush?, _ asked: ServedRequest
    ) async throws -> ServerSession.Outcome {
        let id = asked.request.note
        guard id.utf8.count == Identifier.length, Identifier.isPrefix(id) else {
            throw RequestRefusal(.invalid, "The id of a note is a digit, a letter and 18 letters and digits of base 32")
        }
        let (document, _) = try (merged ?? MergedPush(patch, into: NoteDocument())).result.get()
        try await claim(document.agents(since: NoteVersion()), asked.client)
        let owner = asked.client.actor.name ?? ""
        let access = NoteAccess(owner: owner, members: owner.isEmpty ? [] : [owner])
        try create(
            PostgresHead(id: id, wireID: .random(), access: access, at: now), document, by: asked.person)
        return .done
    }

    private func carryOut(
        _ edit: EditRequest, in note: PostgresNote, _ asked: ServedRequest
    ) async throws -> ServerSession.Outcome {
        let (client, agent, id) = (asked.client, AgentName(asked.client.agent ?? ""), note.head.id)
        // What is typed must not disappear with a note that someone has just deleted.
        guard note.head.deletedAt == nil else { return .refused(.notFound, "The note is in the trash") }
        var isRecorded = note.open.accounts[agent] == client.user
        if !isRecorded {
            let (people, recorded) = try await people(ofAgents: [agent])
            if let refusal = client.refusal(ofAgents: [agent], owner: { people[$0] }) { return refusal }
            isRecorded = recorded.contains(agent)
        }
        let outcome = try change(id) { note -> ServerSession.Outcome in
            let before = note.open.texts.version
            let result: (others: TextDelta?, own: TextDelta)
            do throws(TextCRDTError) {
                result = try note.open.perform(edit, of: client)
            } catch {
                throw RequestRefusal(error)
            }
            if note.open.texts.version != before {
                if !isRecorded { setPerson(client.user, ofAgents: [agent]) }
                note.open.accounts[agent] = client.user
                var edits = NoteEdits()
                edits[edit.field] = result.own.edits
                try store(edits, of: &note, since: before, by: asked.person)
            }
            return .edited(others: result.others, own: result.own)
        }
        return outcome ?? .refused(.notFound, "Note not found")
    }

    private func claim(_ agents: Set<AgentName>, _ client: ServedClient) async throws {
        let (people, recorded) = try await people(ofAgents: agents)
        if case .refused(let code, let message)? = client.refusal(ofAgents: agents, owner: { people[$0] }) {
            throw RequestRefusal(code, message)
        }
        setPerson(client.user, ofAgents: agents.subtracting(recorded))
    }

    // MARK: Beside the texts

    private func carryOut(_ change: NoteChange, on note: PostgresNote, _ client: ServedClient) async throws {
        let (record, id) = (note.open.record, note.head.id)
        let new = try change.applied(to: record)
        let attachments = try await carryOutAttachments(change, on: note, client)
        let file = try change.head.flatMap { try PostgresTurn.file(of: note, after: $0) }
        guard
            new.tags != record.tags || new.access != record.access || new.folder != record.folder || new.isMoved
                || attachments != note.head.attachments || file != nil
        else { return }
        _ = try self.change(id) { note in
            setMetadata(&note) { head in
                (head.tags, head.access, head.folder, head.attachments) = (
                    new.tags, new.access, new.folder, attachments
                )
                if new.isMoved { head.deletedAt = head.deletedAt == nil ? now : nil }
                if let file { head.file = file }
            }
        }
        if new.access != record.access {
            let detail = AuditEntry.detail(from: record.access, to: new.access)
            self.record(.access, of: id, by: client.user, detail: detail)
        }
        if new.isMoved {
            self.record(note.head.deletedAt == nil ? .deletion : .restoration, of: id, by: client.user)
        }
    }

    /// Returns what the file of a note has after a change of what is before its text; nil if that is what it had.
    private static func file(
        of note: PostgresNote, after change: HeadChange
    ) throws(RequestRefusal) -> (head: String?, stem: [UInt8]?, title: String?)? {
        let old = note.head.file.head.map { FileHead($0) }
        let head = try change.merged(into: old)
        if let old, old.isSame(as: head) { return nil }
        // Only its own file says whether the id belongs in it.
        let new = old.map { head.with(id: $0.hasID ? note.head.id : nil) } ?? head.naming(note.head.id)
        let stem =
            note.head.file.stem ?? change.stem?.bytes ?? ByteString(NoteFileName.stem(note.open.record.title)).bytes
        return (new.text, stem, MarkdownFile(text: new.text).frontMatter?[.title])
    }

    /// Adds and removes attachments, and returns those that there are then. The content must be what the client has sent, or can read in
    /// a note: its hash alone gives no access to it.
    private func carryOutAttachments(
        _ change: NoteChange, on note: PostgresNote, _ client: ServedClient
    ) async throws -> [AttachmentReference] {
        var attachments = note.head.attachments
        for path in change.detached where attachments.contains(where: { $0.path == path }) {
            attachments.removeAll { $0.path == path }
            removeAttachment(path, of: note.head.id)
        }
        for reference in change.attached {
            guard BlobID(reference.hash) != nil else { throw RequestRefusal(.invalid, "The hash is invalid") }
            let size = try await size(of: reference.hash, sentBy: client.user) { access in
                AccessRule.decide(.read, by: client.actor, on: access, legacy: .off) == nil
            }
            guard let size else {
                throw RequestRefusal(
                    .unavailable, "The content of the attachment \(reference.path) is not on the server")
            }
            let new = AttachmentReference(
                path: reference.path, hash: reference.hash, size: size, link: reference.link)
            forgetUpload(reference.hash, by: client.user)
            if attachments.contains(new) { continue }
            attachments.removeAll { $0.path == new.path }
            guard attachments.count < NoteLimits.attachments else {
                throw HubError(
                    .invalid, code: "too-many-attachments",
                    "a note can have \(NumberFormat.grouped(NoteLimits.attachments)) attachments")
            }
            attachments.append(new)
            setAttachment(new, of: note.head.id)
        }
        return attachments.sorted { $0.path.bytes.lexicographicallyPrecedes($1.path.bytes) }
    }

    private func answerRequest(
        for note: PostgresNote, by requester: String, allow: Bool, _ client: ServedClient
    ) async throws {
        guard var request = try await request(for: note.head.id, by: requester).request,
            let change = request.answer(allow: allow, at: now)
        else {
            // The same answer again changes nothing.
            if allow, note.head.access.isUnlocked(for: requester) { return }
            throw RequestRefusal(.notFound, "No request of this name is pending for the note")
        }
        setRequest(request)
        guard !change.isEmpty else { return }
        let access = change.applied(to: note.head.access)
        _ = try self.change(note.head.id) { note in setMetadata(&note) { $0.access = access } }
        let detail = AuditEntry.detail(from: note.head.access, to: access)
        record(.access, of: note.head.id, by: client.user, detail: detail)
    }
}

extension NoteAppID {
    /// An id that no other note has.
    static func random() -> NoteAppID {
        var generator = SystemRandomNumberGenerator()
        return NoteAppID((0..<12).map { _ in UInt8.random(in: 0...255, using: &generator) })
    }
}
