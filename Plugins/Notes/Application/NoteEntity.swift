package import HubKit
package import NotesDomain
package import Storage
import TextCRDT

extension NoteSummary: EntitySummary {
    /// The folder and the tags, which tell notes with one name apart.
    package var distinction: String {
        ([folder] + tags.map { "#" + $0 }).filter { !$0.isEmpty }.joined(separator: " ")
    }
}

extension NoteRecord: EntityRecord {
    /// The note in lists.
    package var summary: NoteSummary { NoteSummary(self) }
}

extension NoteRecord {
    /// The description of notes, from which their selectors, trash, tags and history follow.
    package static let kind: EntityKind<NoteRecord> = EntityKind(
        one: "note", many: "notes", command: "hub notes", table: "notes_note", topics: NotesEvents.topics,
        selectors: EntitySelectors { text, inTrash, transaction in
            try transaction.notes(named: text, inTrash: inTrash)
        } nearest: { text, inTrash, transaction in
            try transaction.notes(near: text, inTrash: inTrash)
        },
        rules: EntityKind<NoteRecord>.Rules(
            destroy: { id, transaction in
                try transaction.destroyNote(id)
                // Who has the note open is told that it is gone.
                transaction.afterCommit(NotesEvents.changed)
            }, reindex: { try $1.reindexNotes($0) }),
        tags: tagRules, versions: versions, past: past, summaries: { try $1.noteSummaries($0) },
        find: { try $1.note($0) })

    /// Tags are compared without case and accents.
    private static let tagRules: EntityTags<NoteRecord> = EntityTags(
        { (note: NoteSummary) in note.tags }, folded: { NoteTag.folded($0) }
    ) {
        try $0.noteTags()
    } tagged: { tags, words, transaction in
        var filter = NoteFilter(words: words)
        filter.tags = tags
        return try transaction.listNotes(filter)
    } change: { id, transaction, change in
        let note = try NoteRecord.kind.live(id, in: transaction)
        var tags = note.tags
        change(&tags)
        let cleaned = NoteTag.changed([], adding: tags)
        guard cleaned != note.tags else { return nil }
        return try transaction.changed(id) { try transaction.setTags(cleaned, of: id) }
    }

    /// The texts, which their journals keep.
    private static let past = EntityPast { id, rows in
        guard rows.has("notes_note") else { return [] }
        let moment = rows.moment
        let (title, text) = try await rows.now { transaction in
            let document = try transaction.document(of: id)
            return (
                try document.title.text(at: transaction.journal(of: id, .title).version(at: moment)),
                try document.content.text(at: transaction.journal(of: id, .content).version(at: moment))
            )
        }
        return [("name", title)] + EntityPast.lines(text, field: "text")
    }

    private static let versions: EntityVersions<NoteRecord> = EntityVersions { changes in
        NoteChanges.words(changes)
    } read: { rows, snapshot in
        NoteRows(rows, at: snapshot.moment)
    } differences: { (before: NoteRows?, after: NoteRows?) in
        [
            VersionDifference("folder", before: before?.folder ?? "", after: after?.folder ?? ""),
            VersionDifference(
                "tags", before: before?.tags.joined(separator: ", ") ?? "",
                after: after?.tags.joined(separator: ", ") ?? ""),
            VersionDifference(
                "attachments", before: before?.attachments.map(\.path.description).joined(separator: ", ") ?? "",
                after: after?.attachments.map(\.path.description).joined(separator: ", ") ?? ""),
        ].filter { $0.before != $0.after }
    } restore: { id, version, transaction in
        try transaction.changed(id) {
            try transaction.setFolder(version.folder, of: id)
            try transaction.setPinned(version.isPinned, of: id)
            try transaction.setTags(version.tags, of: id)
            for attachment in version.attachments { try transaction.setAttachment(attachment, of: id) }
            let then = try NoteField.allCases.reduce(into: NoteVersion()) { texts, field in
                texts[field] = try transaction.journal(of: id, field).version(at: version.moment)
            }
            try transaction.changeTexts(of: id) { document, agent in try document.restore(then, by: agent) }
        }
    }
}

extension Transaction {
    /// Changes a live note with `change`, brings its derived rows up to date, and publishes the change.
    @discardableResult
    func changed(
        _ id: String, words: WordIndexing = .atOnce, _ change: () throws -> Void
    ) throws -> NoteRecord {
        try change()
        guard let note = try reindexedNote(id, words: words) else { throw NoteRecord.kind.notFound(id) }
        try emit(NotesEvents.changed, note.summary)
        return note
    }

    /// Publishes the changes of notes by undo or redo.
    package func announceNotes(_ ids: [String]) throws { try NoteRecord.kind.announce(ids, in: self) }
}
