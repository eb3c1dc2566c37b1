import NotesDomain
import SQLite
import Storage
import TextCRDT

/// A note that clients edit now, in memory, as it is after the last of their edits.
struct OpenNote: Sendable {
    /// The note.
    var record: NoteRecord
    /// The id for NoteApp.
    let wireID: NoteAppID?
    /// The files of the note, as its clients know them.
    let attachments: [AttachmentReference]
    /// What its file has besides.
    let file: NoteFile?
    /// The texts with their history.
    var texts: OpenTexts
    /// The number of the last change.
    var change: Int
    /// When the texts were changed last; nil if they were not.
    var lastEdit: Instant?
    /// The accounts that have proved to be those of agents.
    var accounts: [AgentName: String] = [:]
    /// Texts that were compared with what clients have written.
    var pastTexts = PastTexts()

    /// What is beside the texts.
    var metadata: NoteMetadata {
        NoteMetadata(
            access: record.access, tags: record.tags, folder: record.folder, isDeleted: record.deletedAt != nil,
            changedAt: record.changedAt, attachments: attachments, file: file, facts: NoteFacts(record))
    }
}

/// What tells whether the texts of a note are stored as they are in memory: their last change, and the columns of their versions.
struct StoredTextState: Hashable, Sendable {
    let change: Int
    let title: String
    let content: String
}

extension StoredTextState {
    /// The state in which a note is in memory.
    init(_ note: OpenNote) {
        let version = note.texts.version
        (change, title, content) = (note.change, version.title.column, version.content.column)
    }
}

/// A push of many edits, merged before its turn to write: others do not wait for it.
struct MergedPush: Sendable {
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

/// What a change makes of a note in memory, before anything is stored. After an error the note is not to be used.
extension OpenNote {
    /// Takes in what a client pushes; `merged` may have it merged already.
    mutating func merge(_ patch: NotePatch, _ merged: MergedPush?) throws(RequestRefusal) -> NoteEdits {
        if let merged, merged.before == texts.version {
            let (document, edits) = try merged.result.get()
            texts.replace(by: document, after: edits)
            return edits
        }
        do throws(TextCRDTError) { return try texts.merge(patch) } catch { throw RequestRefusal(error) }
    }

    /// Carries out an edit of a client of mode `edits`.
    mutating func perform(
        _ edit: EditRequest, of client: ServedClient
    ) throws(TextCRDTError) -> (others: TextDelta?, own: TextDelta) {
        // Who does not follow the note knows the version that the edit was made on.
        let known = client.knownVersion(record.id, edit.field) ?? edit.base
        return try texts.perform(edit, in: record.id, by: client.agent ?? "", known: known)
    }

    /// Returns what a client gets that opens the note and knows it at a version, or not at all.
    func opened(at version: NoteVersion?, by client: ServedClient) -> ServerSession.Outcome {
        let document = texts.document
        guard client.mode == .edits else {
            return .note(
                NoteDelta(
                    note: record.id, metadata: metadata, patch: document.patch(since: version ?? NoteVersion()),
                    version: document.version))
        }
        return .texts(texts.texts(of: record.id, since: version, for: client.agent ?? ""))
    }
}

extension NoteDocument {
    /// Returns the agents of the edits since a version.
    func agents(since before: NoteVersion) -> Set<AgentName> {
        Set(
            NoteField.allCases.flatMap { field in
                self[field].events(since: before[field]).map { AgentName($0.agent) }
            })
    }
}

extension Transaction {
    /// Returns a note with its texts, for many edits that follow each other; nil if there is none.
    func openNote(_ id: String) throws -> OpenNote? {
        guard let record = try note(id) else { return nil }
        return OpenNote(
            record: record, wireID: try wireID(of: id), attachments: try attachmentReferences(of: id),
            file: try sharedFile(of: id), texts: OpenTexts(try document(of: id)),
            change: try row("SELECT change FROM notes_text WHERE note = ?", id) { $0.int(0) } ?? 0,
            lastEdit: try lastEdit(of: id))
    }

    /// Returns how the texts of a note are stored; nil if there is no such note.
    func storedTexts(of id: String) throws -> StoredTextState? {
        try row("SELECT change, title_version, content_version FROM notes_text WHERE note = ?", id) {
            StoredTextState(change: $0.int(0), title: $0.text(1), content: $0.text(2))
        }
    }

    /// Stores edits that an open note has got since the version `before`, by edits of `person`; with `isMerge`, its texts may become
    /// larger than what may be typed.
    /// - Returns: what its clients are told.
    func store(
        _ edits: NoteEdits, of note: inout OpenNote, since before: NoteVersion, by person: String,
        isMerge: Bool = false, _ recording: Recording = .atOnce
    ) throws -> StoredEdits {
        let (old, document, id) = (note.record, note.texts.document, note.record.id)
        if note.texts.version.title != before.title { note.record.title = document.title.text }
        if note.texts.version.content != before.content { note.record.content = document.content.text }
        let texts = CurrentTexts(title: note.record.title, content: note.record.content)
        try check(
            texts, factor: isMerge ? NoteLimits.mergeFactor : 1,
            instead: CurrentTexts(title: old.title, content: old.content))
        note.change = try nextChange()
        (note.record.changedAt, note.record.revision) = (now, old.revision + 1)
        let patch = document.patch(since: before)
        try TextLog(transaction: self, note: id).append(patch, of: document)
        let agents = try record(document, of: id, edits, since: before, by: person, change: note.change, recording)
        try setText(texts, note.texts.version, of: id, change: note.change)
        if old.deletedAt == nil { try followEdit(of: note.record, from: old, recording) }
        let deltas = NoteField.allCases.filter { patch[$0] != nil }.map { field in
            TextDelta(
                note: id, field: field, from: before[field], to: note.texts.version[field], edits: edits[field],
                acknowledged: 0)
        }
        return StoredEdits(
            note: id, wireID: note.wireID?.text, change: note.change, metadata: note.metadata, agents: agents,
            texts: deltas,
            patch: patch,
            version: note.texts.version)
    }
}
