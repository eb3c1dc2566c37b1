import NotesDomain
import SQLite
import Storage
import TextCRDT

/// The texts of notes with their history.
extension Transaction {
    /// Returns who made the edits of one text, and when.
    func journal(of id: String, _ field: NoteField) throws -> EditJournal {
        EditJournal(
            try rows(
                "SELECT agent, first, last, person, at, change FROM \(Self.allBatches) WHERE note = ? AND field = ?",
                id, field.rawValue
            ) {
                EditBatch(
                    agent: $0.text(0), sequences: $0.int(1)..<$0.int(2) + 1, person: $0.text(3),
                    at: Instant(milliseconds: Int64($0.int(4))), change: $0.int(5))
            })
    }

    /// Changes the texts of a note by edits of `person`, the author of the operation by default.
    ///
    /// `change` gets the texts, which may be `known`, and the agent for its edits, and returns the edits. The change can be
    /// undone if the operation is an edit. With `isMerge`, the texts may become larger than what may be typed.
    /// - Returns: whether the texts have changed.
    @discardableResult
    func changeTexts(
        of id: String, known: NoteDocument? = nil, by person: String? = nil, isMerge: Bool = false,
        _ change: (inout NoteDocument, _ agent: String) throws -> NoteEdits
    ) throws -> Bool {
        var document = try known ?? document(of: id)
        let (before, old) = (document.version, document)
        let edits = try change(&document, try agent())
        guard document.version != before else { return false }
        let texts = CurrentTexts(document)
        try check(texts, factor: isMerge ? NoteLimits.mergeFactor : 1, instead: CurrentTexts(old))
        try save(
            document, texts, of: id, edits, since: before, by: person ?? operation?.who.text ?? "", isUndoable: true)
        return true
    }

    /// The texts of a note as they are now, which are put together once for all who read them.
    struct CurrentTexts {
        let title: String
        let content: String

        init(title: String, content: String) { (self.title, self.content) = (title, content) }

        init(_ document: NoteDocument) { self.init(title: document.title.text, content: document.content.text) }
    }

    /// Refuses what is larger than a note may be, and than it was before.
    func check(
        _ texts: CurrentTexts, factor: Int = 1, instead old: @autoclosure () -> CurrentTexts
    ) throws(HubError) {
        try NoteSizes.check(
            title: texts.title, content: texts.content, factor: factor, instead: { (old().title, old().content) })
    }

    private func save(
        _ document: NoteDocument, _ texts: CurrentTexts, of id: String, _ edits: NoteEdits, since before: NoteVersion,
        by person: String, isUndoable: Bool
    ) throws {
        try TextLog(transaction: self, note: id).append(document.patch(since: before), of: document)
        try record(
            document, of: id, edits, since: before, by: person, change: nextChange(),
            isUndoable ? .atOnce : .withoutUndo)
        try setText(texts, of: document, id)
    }

    /// When edits come into the history.
    enum Recording {
        /// With the operation, and as something that it can undo.
        case atOnce
        /// With the operation, which cannot undo them.
        case withoutUndo
        /// Later, for each person together.
        case later
    }

    /// Records who made the edits that a document has since the version `before`.
    /// - Returns: the agents of the edits.
    @discardableResult
    func record(
        _ document: NoteDocument, of id: String, _ edits: NoteEdits, since before: NoteVersion, by person: String,
        change: Int, _ recording: Recording
    ) throws -> Set<AgentName> {
        var agents: Set<AgentName> = []
        for field in NoteField.allCases where document[field].version != before[field] {
            let added = document[field].events(since: before[field])
            var (inserted, deleted) = (edits[field].insertedCount, edits[field].deletedCount)
            for (agent, sequences) in added {
                agents.insert(AgentName(agent))
                let batch = EditBatch(agent: agent, sequences: sequences, person: person, at: now, change: change)
                guard case .later = recording else {
                    try insert(batch, of: id, field)
                    continue
                }
                try insertPending(batch, of: id, field, inserted: inserted, deleted: deleted)
                (inserted, deleted) = (0, 0)
            }
            if case .atOnce = recording, operation?.kind == .edit {
                try insertEdit(of: id, field, added, inserted: inserted, deleted: deleted)
            }
        }
        return agents
    }

    /// Adds a batch of edits of a text.
    func insert(_ batch: EditBatch, of id: String, _ field: NoteField) throws {
        try run(
            """
            INSERT INTO notes_batch (note, field, agent, first, last, person, at, change)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?)
            """, id, field.rawValue, batch.agent, batch.sequences.lowerBound, batch.sequences.upperBound - 1,
            batch.person, batch.at.milliseconds, batch.change)
    }

    /// Stores the texts as they are now.
    func setText(_ texts: CurrentTexts, of document: NoteDocument, _ id: String) throws {
        let version = document.version
        try run(
            """
            UPDATE notes_text SET title = ?, size = ?, title_version = ?, content_version = ?, content = ? WHERE note = ?
            """, texts.title, texts.content.utf8.count, version.title.column, version.content.column, texts.content, id)
    }

    /// Does the same with a change of the note that they come with.
    func setText(_ texts: CurrentTexts, _ version: NoteVersion, of id: String, change: Int) throws {
        try run(
            """
            UPDATE notes_text SET title = ?, size = ?, title_version = ?, content_version = ?, content = ?,
                revision = revision + 1, changed_at = ?, change = ?
            WHERE note = ?
            """, texts.title, texts.content.utf8.count, version.title.column, version.content.column, texts.content,
            now.milliseconds, change, id)
    }

    /// Returns the version of a note's texts, without reading their history.
    func version(of id: String) throws -> NoteVersion {
        try row("SELECT title_version, content_version FROM notes_text WHERE note = ?", id) {
            NoteVersion(title: Version(column: $0.text(0)), content: Version(column: $0.text(1)))
        } ?? NoteVersion()
    }

    // MARK: Undo

    /// The edits of an agent that a row of `notes_effect` names.
    typealias Effect = (agent: String, sequences: Range<Int>)

    /// Adds the row that an undo removes.
    func insertEdit(of id: String, _ field: NoteField, _ added: [Effect], inserted: Int, deleted: Int) throws {
        let edit = Identifier.make()
        try run(
            "INSERT INTO notes_edit (id, note, field, inserted, deleted) VALUES (?, ?, ?, ?, ?)", edit, id,
            field.rawValue, inserted, deleted)
        try addEffects(added, of: edit, in: id, field, inForce: true)
    }

    private func addEffects(
        _ effects: [Effect], of edit: String, in id: String, _ field: NoteField, inForce: Bool
    ) throws {
        for (place, effect) in effects.enumerated() {
            try run(
                """
                INSERT INTO notes_effect (edit, note, field, agent, first, last, in_force, place)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                """, edit, id, field.rawValue, effect.agent, effect.sequences.lowerBound,
                effect.sequences.upperBound - 1, inForce, place)
        }
    }

    /// Answers an undo or redo, which has removed or brought back rows of `notes_edit`: the inverse of what they stood
    /// for becomes a new edit of the texts, so later edits of others stay.
    /// - Returns: whether the texts have changed.
    @discardableResult
    func applyUndoneEdits(of id: String) throws -> Bool {
        let pending = try rows(
            """
            SELECT f.edit, f.field, f.in_force FROM notes_effect f LEFT JOIN notes_edit e ON e.id = f.edit
            WHERE f.note = ? AND f.in_force = (e.id IS NULL) GROUP BY f.edit ORDER BY f.edit
            """, id
        ) { (edit: $0.text(0), field: NoteField(rawValue: $0.text(1)) ?? .content, inForce: $0.bool(2)) }
        guard !pending.isEmpty else { return false }
        var document = try document(of: id)
        let agent = try agent()
        for field in NoteField.allCases {
            for wasInForce in [true, false] {
                let edits = pending.filter { $0.field == field && $0.inForce == wasInForce }.map(\.edit)
                try apply(edits, of: field, in: id, wasInForce: wasInForce, to: &document, by: agent)
            }
        }
        return true
    }
}

extension Transaction {
    /// Undoes the effects of edits of one change, all at once, so that what comes back keeps its order. They change together from
    /// now on, so the effects of all become those of the first.
    private func apply(
        _ edits: [String], of field: NoteField, in id: String, wasInForce: Bool, to document: inout NoteDocument,
        by agent: String
    ) throws {
        guard let first = edits.first else { return }
        let before = document.version
        var effects: [Effect] = []
        for edit in edits {
            effects += try rows("SELECT agent, first, last FROM notes_effect WHERE edit = ? ORDER BY place", edit) {
                (agent: $0.text(0), sequences: $0.int(1)..<$0.int(2) + 1)
            }
            try run("DELETE FROM notes_effect WHERE edit = ?", edit)
        }
        let inverse = try document[field].edits(undoing: effects)
        try document.apply(inverse, to: field, by: agent, at: document[field].version)
        let added = document[field].events(since: before[field])
        // Where nothing is left to be done, the same edits stand for both states.
        try addEffects(added.isEmpty ? effects : added, of: first, in: id, field, inForce: !wasInForce)
        guard document.version != before else { return }
        try save(
            document, CurrentTexts(document), of: id, NoteEdits(), since: before, by: operation?.who.text ?? "",
            isUndoable: false)
    }
}

// MARK: Checks

extension Transaction {
    /// Returns the ids of all notes, live or in the trash.
    func noteIDs() throws -> [String] { try rows("SELECT id FROM notes_note ORDER BY id") { $0.text(0) } }

    /// Whether the stored texts of a note are those of its history.
    func matchesHistory(_ id: String) throws -> Bool {
        let document = try document(of: id)
        return try row("SELECT title, content FROM notes_text WHERE note = ?", id) {
            $0.text(0) == document.title.text && $0.text(1) == document.content.text
        } ?? false
    }

    /// Makes the stored texts of a note those of its history.
    func restoreText(of id: String) throws {
        let document = try document(of: id)
        try setText(CurrentTexts(document), of: document, id)
    }
}
