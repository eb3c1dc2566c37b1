import HubKit
import NotesDomain
import Storage
import TextCRDT

/// A request of a client that is not carried out; what it has changed is rolled back.
private struct RequestRefusal: Error {
    let code: RefusalCode
    let message: String

    init(_ code: RefusalCode, _ message: String) {
        self.code = code
        self.message = message
    }
}

extension NotesPlugin {
    /// Carries out a request of a client of hub's protocol, which is one transaction: access is checked, the request is done, and
    /// its result is read. `person` is the author of its edits.
    func perform(
        _ request: NoteRequest, of session: ServerSession, as person: String, operation: Operation
    ) async -> ServerSession.Outcome {
        do {
            var merged: MergedPush?
            if case .push(let patch) = request.kind, patch.count > MergedPush.minimumSize {
                merged = try await store.read { try $0.merged(patch, by: request, of: session) }
            }
            let outcome = try await store.write(operation) { [openNotes, live, merged] transaction in
                try transaction.perform(
                    Request(request: request, session: session, person: person, merged: merged), openNotes, live)
            }
            indexed.catchUpLater()
            return outcome
        } catch let refusal as RequestRefusal {
            return refusal.outcome
        } catch let error as NoteAppError {
            return .refused(.unavailable, error.message)
        } catch let error as HubError where error.kind == .invalid {
            return .refused(.tooLarge, error.message)
        } catch {
            log.error("a request of \(TerminalSanitizer.line(person)) failed: \(error)")
            return .refused(.unavailable, "The server cannot store this now")
        }
    }
}

/// A request with what it takes to carry it out.
private struct Request {
    let request: NoteRequest
    let session: ServerSession
    let person: String
    let merged: MergedPush?
}

/// A note with many edits that a client pushes, merged before its turn to write: others do not wait for it.
private struct MergedPush: Sendable {
    /// The bytes of edits from which on they are merged before.
    static let minimumSize = 4096

    /// The version without these edits.
    let before: NoteVersion
    let result: Result<(document: NoteDocument, edits: NoteEdits), RequestRefusal>

    init(_ patch: NotePatch, into old: NoteDocument) {
        before = old.version
        var document = old
        do throws(TextCRDTError) {
            let edits = try document.merge(patch)
            result = .success((document, edits))
        } catch {
            result = .failure(RequestRefusal(error))
        }
    }
}

extension RequestRefusal {
    var outcome: ServerSession.Outcome { .refused(code, message) }

    /// The refusal of edits that a client should not have sent.
    fileprivate init(_ error: TextCRDTError) {
        switch error {
        case .missingParents: self.init(.missing, "The edits follow others that the server does not have")
        case .outOfBounds, .malformed: self.init(.invalid, "The edits are invalid")
        case .tooManyEvents: self.init(.tooLarge, "The history of the note is too long")
        case .tooComplex: self.init(.tooLarge, "The edits follow each other in too many ways")
        case .conflict(let event):
            self.init(.agentTaken, "Another replica has used the agent \(event.agent)")
        }
    }
}

extension Transaction {
    /// Merges what a request pushes; nil for one that will be refused.
    fileprivate func merged(
        _ patch: NotePatch, by request: NoteRequest, of session: ServerSession
    ) throws -> MergedPush? {
        let note = try note(request.note)
        guard session.refusal(of: request, on: note?.access) == nil else { return nil }
        return MergedPush(patch, into: try note.map { try document(of: $0.id) } ?? NoteDocument())
    }

    fileprivate func perform(
        _ asked: Request, _ notes: OpenNotes, _ live: HubClients
    ) throws -> ServerSession.Outcome {
        let (request, session) = (asked.request, asked.session)
        let outcome: ServerSession.Outcome? =
            switch request.kind {
            case .push(let patch):
                try notes.change(request.note, in: self) { try push(patch, to: &$0, asked, live) }
            case .edit(let edit):
                try notes.change(request.note, in: self) { try carryOut(edit, in: &$0, asked, live) }
            case .open(let version):
                try notes.change(request.note, in: self) { note in
                    session.refusal(of: request, on: note.record.access) ?? open(note, at: version, session)
                }
            default: nil
            }
        if let outcome { return outcome }
        let note = try note(request.note)
        if note == nil, try isPurged(request.note) {
            return .refused(.notFound, "The note was permanently deleted")
        }
        if let refusal = session.refusal(of: request, on: note?.access) { return refusal }
        guard let note else {
            guard case .push(let patch) = request.kind else { return .refused(.notFound, "Note not found") }
            return try create(patch, asked)
        }
        switch request.kind {
        case .set(let change): try carryOut(change, on: note, session)
        case .unlock(let reason):
            guard note.deletedAt == nil, !note.access.owner.isEmpty else {
                throw RequestRefusal(.notFound, "Note not found")
            }
            try requestAccess(to: note, by: asked.person, reason: reason)
        case .answer(let requester, let allow):
            try answerRequest(for: note, by: requester, allow: allow)
        case .push, .edit, .open: break
        }
        return .done
    }

    // MARK: Texts

    private func push(
        _ patch: NotePatch, to note: inout OpenNote, _ asked: Request, _ live: HubClients
    ) throws -> ServerSession.Outcome {
        if let refusal = asked.session.refusal(of: asked.request, on: note.record.access) { return refusal }
        let before = note.texts.version
        let edits: NoteEdits
        if let merged = asked.merged, merged.before == before {
            let result: (document: NoteDocument, edits: NoteEdits)
            do { result = try merged.result.get() } catch { return error.outcome }
            note.texts.replace(by: result.document, after: result.edits)
            edits = result.edits
        } else {
            do throws(TextCRDTError) {
                edits = try note.texts.merge(patch)
            } catch {
                return RequestRefusal(error).outcome
            }
        }
        guard note.texts.version != before else { return .done }
        try claim(agents(of: note.texts.document, since: before), asked.session)
        try store(edits, of: &note, since: before, by: asked.person, isMerge: true, telling: live)
        return .done
    }

    /// Creates a note by a push.
    private func create(_ patch: NotePatch, _ asked: Request) throws -> ServerSession.Outcome {
        let id = asked.request.note
        guard id.utf8.count == Identifier.length, Identifier.isPrefix(id) else {
            throw RequestRefusal(.invalid, "The id of a note is a digit, a letter and 18 letters and digits of base 32")
        }
        let (document, edits) = try (asked.merged ?? MergedPush(patch, into: NoteDocument())).result.get()
        try claim(agents(of: document, since: NoteVersion()), asked.session)
        let owner = asked.session.actor.name ?? ""
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
        _ edit: EditRequest, in note: inout OpenNote, _ asked: Request, _ live: HubClients
    ) throws -> ServerSession.Outcome {
        let (session, agent) = (asked.session, asked.session.agent ?? "")
        if let refusal = session.refusal(of: asked.request, on: note.record.access) { return refusal }
        // As over HTTP: what is typed must not disappear with a note that someone has just deleted.
        guard note.record.deletedAt == nil else { return .refused(.notFound, "The note is in the trash") }
        let isNew = note.accounts[ByteString(agent)] != session.user
        if isNew, let refusal = try refusal(ofAgents: [AgentName(agent)], session) { return refusal }
        let before = note.texts.version
        // Who does not follow the note knows the version that the edit was made on.
        let known = session.knownVersion(note.record.id, edit.field) ?? edit.base
        let result: (others: TextDelta?, own: TextDelta)
        do throws(TextCRDTError) {
            result = try note.texts.perform(edit, in: note.record.id, by: agent, known: known)
        } catch {
            return RequestRefusal(error).outcome
        }
        if note.texts.version != before {
            if isNew { try setPerson(session.user, ofAgents: [AgentName(agent)]) }
            note.accounts[ByteString(agent)] = session.user
            var edits = NoteEdits()
            edits[edit.field] = result.own.edits
            try store(edits, of: &note, since: before, by: asked.person, telling: live)
        }
        return .edited(others: result.others, own: result.own)
    }

    /// Stores edits that an open note has got, and tells all clients once they are stored. The event comes at the beginning and at a pause,
    /// and what is shown is read again at once.
    func store(
        _ edits: NoteEdits, of note: inout OpenNote, since before: NoteVersion, by person: String,
        isMerge: Bool = false, _ recording: Recording = .atOnce, wireID: String? = nil, telling live: HubClients
    ) throws {
        var stored = try store(edits, of: &note, since: before, by: person, isMerge: isMerge, recording)
        if let wireID { stored.wireID = wireID }
        whenCommitted { [stored] in live.stored(stored) }
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

    private func agents(of document: NoteDocument, since before: NoteVersion) -> Set<AgentName> {
        Set(
            NoteField.allCases.flatMap { field in
                document[field].events(since: before[field]).map { AgentName($0.agent) }
            })
    }

    private func refusal(ofAgents agents: Set<AgentName>, _ session: ServerSession) throws -> ServerSession.Outcome? {
        var owners: [AgentName: String] = [:]
        for agent in agents { owners[agent] = try person(ofAgent: agent.text) }
        return session.refusal(ofAgents: agents, owner: { owners[$0] })
    }

    private func claim(_ agents: Set<AgentName>, _ session: ServerSession) throws {
        if case .refused(let code, let message)? = try refusal(ofAgents: agents, session) {
            throw RequestRefusal(code, message)
        }
        try setPerson(session.user, ofAgents: agents)
    }

    private func open(_ note: OpenNote, at version: NoteVersion?, _ session: ServerSession) -> ServerSession.Outcome {
        let (id, document) = (note.record.id, note.texts.document)
        guard session.mode == .edits else {
            return .note(
                NoteDelta(
                    note: id, metadata: note.metadata, patch: document.patch(since: version ?? NoteVersion()),
                    version: document.version))
        }
        return .texts(note.texts.texts(of: id, since: version, for: session.agent ?? ""))
    }

    // MARK: Beside the texts

    private func carryOut(_ change: NoteChange, on note: NoteRecord, _ session: ServerSession) throws {
        let tags = NoteTag.changed(note.tags, adding: change.addedTags, removing: change.removedTags)
        guard tags.count <= NoteLimits.tags else {
            throw RequestRefusal(.tooLarge, "A note can have at most \(NoteLimits.tags) tags")
        }
        let access = change.access.applied(to: note.access)
        guard access.members.count <= NoteLimits.members else {
            throw RequestRefusal(.tooLarge, "A note can have at most \(NoteLimits.members) members")
        }
        for name in change.access.granted + change.access.readers
        where name.isEmpty || name.contains(where: \.isNewline) {
            throw RequestRefusal(.invalid, "A name must be one line")
        }
        let folder = change.folder.map { NoteFileName.folder($0) } ?? note.folder
        let isMoved = change.isDeleted.map { $0 != (note.deletedAt != nil) } ?? false
        let isAttached = try carryOutAttachments(change, on: note, session)
        let isHeaded = try change.head.map { try carryOut($0, on: note) } ?? false
        guard
            tags != note.tags || access != note.access || folder != note.folder || isMoved || isAttached || isHeaded
        else { return }
        try setTags(tags, of: note.id)
        if access != note.access { try setAccess(access, of: note.id) }
        if folder != note.folder { try setFolder(folder, of: note.id) }
        if isMoved {
            try NoteRecord.kind.setDeleted(note.id, at: note.deletedAt == nil ? now : nil, in: self)
        }
        try reindexNotes([note.id])
        let changed = try NoteRecord.kind.item(note.id, in: self)
        let moved = note.deletedAt == nil ? NotesEvents.deleted : NotesEvents.created
        try emit(isMoved ? moved : NotesEvents.changed, changed.summary)
    }

    /// Merges what the file of a note has before its text.
    /// - Returns: whether there is a change.
    private func carryOut(_ change: HeadChange, on note: NoteRecord) throws -> Bool {
        func check(_ head: FileHead) throws {
            guard head.isAcceptable else {
                throw RequestRefusal(
                    .tooLarge, "The front matter of a note can have at most \(FileHead.maximumSize >> 10) KiB")
            }
        }
        try [change.base, change.head].compactMap(\.self).forEach(check)
        guard change.head.isWhole else {
            throw RequestRefusal(.invalid, "Front matter must be between two lines with ---, and end there")
        }
        let merged = change.applied(to: try frontMatter(of: note.id).map { FileHead($0) })
        try check(merged)
        return try setHead(merged, stem: change.stem, of: note.id)
    }

    /// Adds and removes attachments. The content must be what the client has sent, or can read in a note: its hash alone gives
    /// no access to it.
    /// - Returns: whether there is a change.
    private func carryOutAttachments(
        _ change: NoteChange, on note: NoteRecord, _ session: ServerSession
    ) throws -> Bool {
        var isChanged = false
        for path in change.detached where try removeAttachment(path, of: note.id) { isChanged = true }
        for reference in change.attached {
            guard let blob = BlobID(reference.hash) else { throw RequestRefusal(.invalid, "The hash is invalid") }
            let uploaded = try uploadedSize(of: blob, by: session.user)
            let size =
                try uploaded
                ?? size(of: blob) { note in
                    AccessRule.decide(.read, by: session.actor, on: note.access, legacy: .off) == nil
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
            try forgetUpload(blob, by: session.user)
        }
        return isChanged
    }

    private func answerRequest(for note: NoteRecord, by requester: String, allow: Bool) throws {
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
    }
}
