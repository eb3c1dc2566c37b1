import HubKit
import NotesDomain
import Storage
import Sync
import TextCRDT

/// What a received note has changed here.
enum MergedChange: Sendable {
    case none, new, changed, removed
    /// The machine had the same note under another id: both are one now.
    case joined
    /// Both sides had changed the note with this name.
    case merged(String)
}

/// The result of a received note.
enum MergeResult: Sendable {
    case merged(note: String, MergedChange)
    /// The events follow others that are missing here; the version that is here.
    case missing(NoteVersion)
}

extension Transaction {
    /// Merges a note of a server, and keeps the cursor.
    func merge(
        _ delta: NoteDelta, from account: Account, _ cursor: String?, hasContent: (BlobID) -> Bool
    ) throws -> MergeResult {
        let server = account.name
        let isMachine = NoteMachine.isMachine(server)
        var remote: HubRemote
        var (isNew, isTwin) = (false, false)
        if let known = try hubRemote(delta.note, on: server) {
            remote = known
        } else if try note(delta.note) != nil, try isMachine || link(of: delta.note) == nil {
            remote = HubRemote(note: delta.note, remote: delta.note)
        } else if isMachine, let twin = try unpairedTwin(of: delta, on: server) {
            isTwin = true
            remote = HubRemote(note: twin, remote: delta.note)
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
            if isMachine { try forgetText(of: remote.note) }
            _ = try insertNote(
                id: remote.note, folder: NoteFileName.folder(account.folder),
                createdAt: delta.metadata?.facts?.createdAt)
            remote.folder = NoteFileName.folder(account.folder)
        }
        let old = try note(remote.note)
        let hasUnsentTime = old?.changedAt != remote.facts?.changedAt
        var missing = NoteVersion()
        guard
            let isText = try mergeTexts(
                of: &remote, with: delta.patch, from: server, isTwin: isTwin, missing: &missing)
        else {
            return .missing(missing)
        }
        let before = try note(remote.note)
        var (isAttached, isHeaded) = (false, false)
        if let metadata = delta.metadata {
            if isMachine {
                try applyFromMachine(metadata, to: &remote, isNew: isNew, wasChanged: wasChanged, isText: isText)
            } else {
                try apply(metadata, to: &remote)
            }
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
        let isOther = isNew || isText || isAttached || isHeaded || before != after
        var times: (created: Instant, changed: Instant)?
        if let facts = delta.metadata?.facts, isMachine, let old {
            let hasChanged = !isNew && (wasChanged || hasUnsentTime)
            times = (
                min(old.createdAt, facts.createdAt), hasChanged ? max(old.changedAt, facts.changedAt) : facts.changedAt
            )
        }
        let isTimed = times.map { $0.created != old?.createdAt || $0.changed != old?.changedAt } ?? false
        guard isOther || isTimed else { return .merged(note: remote.note, .none) }
        try reindexNotes([remote.note])
        if let times {
            try setTimes(created: times.created, changed: times.changed, of: remote.note)
            try recordFacts(of: remote.note)
        }
        guard isOther else { return .merged(note: remote.note, .none) }
        let record = try NoteRecord.kind.item(remote.note, in: self)
        let isGone = record.deletedAt != nil
        try emit(isGone ? NotesEvents.deleted : isNew ? NotesEvents.created : NotesEvents.changed, record.summary)
        if isNew { return .merged(note: remote.note, isGone ? .none : .new) }
        if isTwin { return .merged(note: remote.note, .joined) }
        if isGone { return .merged(note: remote.note, before?.deletedAt == nil ? .removed : .none) }
        return .merged(note: remote.note, isText && wasChanged ? .merged(record.displayName) : .changed)
    }

    /// Merges edits of a server. Returns whether the texts have changed; nil when others have to be merged before, `missing` then
    /// being the version that is here. The text of a twin is the same without a common history: both histories stay, and the letters that
    /// are shown are those of the server, once.
    private func mergeTexts(
        of remote: inout HubRemote, with patch: NotePatch, from server: String, isTwin: Bool,
        missing: inout NoteVersion
    ) throws -> Bool? {
        var failure: TextCRDTError?
        var isOlder = false
        let isChanged = try changeTexts(of: remote.note, by: server, isMerge: true) { document, agent in
            func own() -> [Int] { NoteField.allCases.map { document[$0].nextSequence(of: agent) } }
            let before = document
            do throws(TextCRDTError) {
                var edits = isTwin ? try document.set(title: "", content: "", by: agent) : NoteEdits()
                let known = own()
                let merged = try document.merge(patch)
                isOlder = own() != known
                for field in NoteField.allCases { edits[field] += merged[field] }
                return edits
            } catch {
                (failure, document) = (error, before)
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
            return try mergeTexts(of: &remote, with: patch, from: server, isTwin: isTwin, missing: &missing)
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
    func receive(_ hashes: Set<String>, from server: String) throws -> Int {
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
    func lose(_ id: String, _ loss: ServerFrame.Loss, on server: String) throws -> Bool {
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
