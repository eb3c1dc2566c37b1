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
            let merged = try await store.read { try $0.merged(request, of: session) }
            let outcome = try await store.write(operation) { try $0.perform(request, of: session, as: person, merged) }
            indexed.catchUpLater()
            return outcome
        } catch let refusal as RequestRefusal {
            return .refused(refusal.code, refusal.message)
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

/// A note with the edits that a client pushes, merged before its turn to write: others do not wait for it.
private struct MergedPush: Sendable {
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
    /// Merges what a request pushes; nil for another request, and for one that will be refused.
    fileprivate func merged(_ request: NoteRequest, of session: ServerSession) throws -> MergedPush? {
        guard case .push(let patch) = request.kind else { return nil }
        let note = try note(request.note)
        guard session.refusal(of: request, on: note?.access) == nil else { return nil }
        return MergedPush(patch, into: try note.map { try document(of: $0.id) } ?? NoteDocument())
    }

    fileprivate func perform(
        _ request: NoteRequest, of session: ServerSession, as person: String, _ merged: MergedPush?
    ) throws -> ServerSession.Outcome {
        let note = try note(request.note)
        if note == nil, try isPurged(request.note) {
            return .refused(.notFound, "The note was permanently deleted")
        }
        if let refusal = session.refusal(of: request, on: note?.access) { return refusal }
        guard let note else {
            guard case .push(let patch) = request.kind else { return .refused(.notFound, "Note not found") }
            return try push(patch, to: nil, request.note, session, person, merged)
        }
        switch request.kind {
        case .push(let patch): return try push(patch, to: note, note.id, session, person, merged)
        case .edit(let edit):
            // As over HTTP: what is typed must not disappear with a note that someone has just deleted.
            guard note.deletedAt == nil else { return .refused(.notFound, "The note is in the trash") }
            return try carryOut(edit, on: note, session, person)
        case .set(let change): try carryOut(change, on: note, session)
        case .open(let version): return try open(note, at: version, session)
        case .unlock(let reason):
            guard note.deletedAt == nil, !note.access.owner.isEmpty else {
                throw RequestRefusal(.notFound, "Note not found")
            }
            try requestAccess(to: note, by: person, reason: reason)
        case .answer(let requester, let allow):
            try answerRequest(for: note, by: requester, allow: allow)
        }
        return .done
    }

    // MARK: Texts

    private func push(
        _ patch: NotePatch, to note: NoteRecord?, _ id: String, _ session: ServerSession, _ person: String,
        _ merged: MergedPush?
    ) throws -> ServerSession.Outcome {
        guard note != nil || id.utf8.count == Identifier.length && Identifier.isPrefix(id) else {
            throw RequestRefusal(.invalid, "The id of a note is a digit, a letter and 18 letters and digits of base 32")
        }
        let before = try note.map { try version(of: $0.id) } ?? NoteVersion()
        // Others may have written since it was merged.
        let current =
            if let merged, merged.before == before { merged } else {
                MergedPush(patch, into: try note.map { try self.document(of: $0.id) } ?? NoteDocument())
            }
        let (document, edits) = try current.result.get()
        guard note == nil || document.version != before else { return .done }
        try claim(agents(of: document, since: before), session)
        if note == nil {
            let owner = session.actor.name ?? ""
            _ = try insertNote(id: id, access: NoteAccess(owner: owner, members: owner.isEmpty ? [] : [owner]))
        }
        try store(document, edits, in: id, by: person, isNew: note == nil, isMerge: true)
        return .done
    }

    private func carryOut(
        _ edit: EditRequest, on note: NoteRecord, _ session: ServerSession, _ person: String
    ) throws -> ServerSession.Outcome {
        if let outcome = try add(edit, to: note, session, person) { return outcome }
        var document = try document(of: note.id)
        let before = document.version
        let known = session.knownVersion(note.id, edit.field)
        let result = try Self.refusing { () throws(TextCRDTError) in
            try document.perform(edit, note: note.id, by: session.agent ?? "", known: known)
        }
        if document.version != before {
            try claim(agents(of: document, since: before), session)
            var edits = NoteEdits()
            edits[edit.field] = result.own.edits
            try store(document, edits, in: note.id, by: person, isNew: false, isMerge: false)
        }
        return .edited(others: result.others, own: result.own)
    }

    /// Carries out an edit of the newest text, which needs nothing of its history; nil if it is none.
    private func add(
        _ edit: EditRequest, to note: NoteRecord, _ session: ServerSession, _ person: String
    ) throws -> ServerSession.Outcome? {
        let (id, field, agent) = (note.id, edit.field, session.agent ?? "")
        guard !agent.isEmpty, !edit.edits.isEmpty, let newest = try newestTexts(of: id),
            edit.base == newest.version[field], session.knownVersion(id, field) == edit.base,
            try nextSequence(of: agent, in: id, field, at: edit.base) <= edit.sequence
        else { return nil }
        var changed = note
        let old = field == .title ? note.title : note.content
        guard let text = edit.edits.applied(to: old) else { return nil }
        if field == .title { changed.title = text } else { changed.content = text }
        try claim([agent], session)
        var edits = NoteEdits()
        edits[field] = edit.edits
        let texts = CurrentTexts(title: changed.title, content: changed.content)
        guard
            let version = try add(
                edits, by: agent, from: edit.sequence, to: note, at: newest, texts: texts, by: person,
                change: nextChange())
        else { return nil }
        try followEdit(of: changed, from: note)
        try addUnrecorded(id, isUnpublished: false)
        try publishTyping(in: changed)
        let own = TextDelta(
            note: id, field: field, from: edit.base, to: version[field], edits: edit.edits,
            acknowledged: try nextSequence(of: agent, in: id, field, at: version[field]))
        return .edited(others: nil, own: own)
    }

    /// Runs what may fail for edits that a client should not have sent.
    private static func refusing<T>(_ body: () throws(TextCRDTError) -> T) throws(RequestRefusal) -> T {
        do {
            return try body()
        } catch {
            throw RequestRefusal(error)
        }
    }

    private func agents(of document: NoteDocument, since before: NoteVersion) -> Set<String> {
        Set(NoteField.allCases.flatMap { field in document[field].events(since: before[field]).map(\.agent) })
    }

    private func claim(_ agents: Set<String>, _ session: ServerSession) throws {
        var owners: [String: String] = [:]
        for agent in agents { owners[agent] = try person(ofAgent: agent) }
        if case .refused(let code, let message)? = session.refusal(ofAgents: agents, owner: { owners[$0] }) {
            throw RequestRefusal(code, message)
        }
        try setPerson(session.user, ofAgents: agents)
    }

    private func store(
        _ document: NoteDocument, _ edits: NoteEdits, in id: String, by person: String, isNew: Bool, isMerge: Bool
    ) throws {
        try changeTexts(of: id, by: person, isMerge: isMerge) { stored, _ in
            stored = document
            return edits
        }
        guard let note = try reindexedNote(id, words: .later) else { throw NoteRecord.kind.notFound(id) }
        if isNew { try emit(NotesEvents.created, note.summary) } else { try publishTyping(in: note) }
    }

    /// Publishes an edit: the event comes at the beginning and at a pause, and what is shown is read again at once.
    private func publishTyping(in note: NoteRecord) throws {
        if let last = try lastEdit(of: note.id), now - last < LiveConnection.pause {
            return afterCommit(NotesEvents.changed)
        }
        try emit(NotesEvents.changed, note.summary)
    }

    private func open(
        _ note: NoteRecord, at version: NoteVersion?, _ session: ServerSession
    ) throws -> ServerSession.Outcome {
        let document = try document(of: note.id)
        guard session.mode == .edits else {
            return .note(
                NoteDelta(
                    note: note.id,
                    metadata: NoteMetadata(
                        access: note.access, tags: note.tags, folder: note.folder, isDeleted: note.deletedAt != nil,
                        changedAt: note.changedAt, attachments: try attachmentReferences(of: note.id)),
                    patch: document.patch(since: version ?? NoteVersion()), version: document.version))
        }
        return .texts(
            NoteField.allCases.map { field in
                let way = document.way(field, since: version?[field])
                return TextDelta(
                    note: note.id, field: field, from: way.from, to: way.to, edits: way.edits,
                    acknowledged: document[field].nextSequence(of: session.agent ?? ""))
            })
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
        for name in change.access.granted where name.isEmpty || name.contains(where: \.isNewline) {
            throw RequestRefusal(.invalid, "A name must be one line")
        }
        let folder = change.folder.map { NoteFileName.folder($0) } ?? note.folder
        let isMoved = change.isDeleted.map { $0 != (note.deletedAt != nil) } ?? false
        let isAttached = try carryOutAttachments(change, on: note, session)
        guard tags != note.tags || access != note.access || folder != note.folder || isMoved || isAttached else {
            return
        }
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
