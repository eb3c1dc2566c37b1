import HubKit
package import NotesDomain
package import Storage
import TextCRDT

/// The texts and properties of a note that is to be created.
package struct NoteDraft: Sendable {
    /// The title; may be empty.
    package var title: String
    /// The text in Markdown.
    package var content: String
    /// The folder; empty for the top one.
    package var folder = ""
    /// The tags.
    package var tags: [String] = []
    /// Whether lists show it first.
    package var isPinned = false
    /// The front matter that was written with it; nil for none.
    package var frontMatter: FrontMatter?

    /// Creates a draft; line ends in the title become spaces.
    package init(title: String = "", content: String = "", folder: String = "", tags: [String] = []) {
        self.title = title.split(whereSeparator: \.isNewline).joined(separator: " ")
        self.content = content
        self.folder = NoteFileName.folder(folder)
        self.tags = tags
    }
}

extension NotesPlugin {
    /// Creates a note; of several drafts with one key the first live note is returned again. Throws `invalid` if it is larger
    /// than a note may be.
    package func create(_ draft: NoteDraft, key: String? = nil, operation: Operation) async throws -> NoteRecord {
        let source = key.map { "page:\($0.prefix(100))" }
        return try await store.write(operation) { transaction in
            if let source, let note = try transaction.note(madeFrom: source), note.deletedAt == nil { return note }
            return try transaction.createNote(draft, source: source)
        }
    }

    /// Returns the live note with exactly this title and folder, the oldest of several; nil without one.
    package func note(titled title: String, in folder: String) async throws -> NoteSummary? {
        try await store.read { transaction in
            try transaction.notes(named: title, inTrash: false).first { $0.title == title && $0.folder == folder }
        }
    }

    /// Returns a draft with the text and tags of a template.
    package func draft(_ title: String, from template: NoteRecord) -> NoteDraft {
        var draft = NoteDraft(title: title)
        draft.content = NoteTemplate.filled(
            template.content, title: draft.title, at: TimeZoneRules.system.localTime(at: clock.now))
        draft.tags = NoteTag.changed(template.tags, removing: [NoteTemplate.tag])
        return draft
    }

    /// Adds text at the end of a note, on a line of its own.
    package func append(_ text: String, to id: String, operation: Operation) async throws -> NoteRecord {
        try await checkEditable(id)
        return try await store.write(operation) { transaction in
            let note = try NoteRecord.kind.live(id, in: transaction)
            return try transaction.changed(id) { try transaction.append(text, to: note) }
        }
    }

    /// Replaces a passage that stands in a note once. Throws `conflict` if it stands in it more than once, or not at all.
    package func replace(
        _ old: String, with new: String, in id: String, operation: Operation
    ) async throws -> NoteRecord {
        try await checkEditable(id)
        return try await store.write(operation) { transaction in
            let note = try NoteRecord.kind.live(id, in: transaction)
            let place = try note.place(of: old)
            // The place is known: a comparison of the texts may find another one, and an undo would take the wrong words.
            let edit = TextEdit(position: place.lowerBound, deletedCount: place.count, inserted: new)
            return try transaction.changed(id) {
                try transaction.changeTexts(of: id) { document, agent in
                    let version = document.version.content
                    return NoteEdits(content: try document.apply([edit], to: .content, by: agent, at: version))
                }
            }
        }
    }

    /// Shows notes first in lists, or no longer.
    /// - Returns: the notes that have changed.
    package func setPinned(_ isPinned: Bool, of ids: [String], operation: Operation) async throws -> [NoteRecord] {
        try await store.write(operation) { transaction in
            try ids.compactMap { id in
                guard try NoteRecord.kind.live(id, in: transaction).isPinned != isPinned else { return nil }
                return try transaction.changed(id) { try transaction.setPinned(isPinned, of: id) }
            }
        }
    }
}

extension NoteRecord {
    /// The place of a passage that stands in the text once, in code points. Throws `conflict` otherwise.
    func place(of passage: String) throws(HubError) -> Range<Int> {
        // Code points are compared: an editor and a program may write one letter in two ways.
        let (text, wanted) = (Array(content.unicodeScalars), Array(passage.unicodeScalars))
        guard !wanted.isEmpty else {
            throw HubError(.usage, code: "passage-empty", "the passage to replace is empty")
        }
        // Knuth, Morris and Pratt: `borders` has for each beginning of the passage the longest one that also ends it.
        var (borders, length) = ([0], 0)
        for index in wanted.indices.dropFirst() {
            while length > 0, wanted[index] != wanted[length] { length = borders[length - 1] }
            if wanted[index] == wanted[length] { length += 1 }
            borders.append(length)
        }
        var found: Int?
        length = 0
        for (index, scalar) in text.enumerated() {
            while length > 0, length == wanted.count || scalar != wanted[length] { length = borders[length - 1] }
            if scalar == wanted[length] { length += 1 }
            guard length == wanted.count else { continue }
            guard found == nil else {
                throw HubError(
                    .conflict, code: "passage-repeated", "the passage stands in the note more than once",
                    hint: "give more of the text around it")
            }
            found = index + 1 - length
        }
        guard let found else {
            throw HubError(
                .conflict, code: "passage-missing", "the passage does not stand in the note",
                hint: "read the note again: it must be the same letter for letter")
        }
        return found..<found + wanted.count
    }
}

extension Transaction {
    /// Adds text at the end of a note, on a line of its own.
    func append(_ text: String, to note: NoteRecord) throws {
        // Bytes are compared: CR LF is one character, and not a line feed.
        let bytes = note.content.utf8
        let ending =
            bytes.firstRange(of: Array("\n".utf8)).map { bytes[..<$0.lowerBound].last == 0x0D } == true ? "\r\n" : "\n"
        let separator = bytes.isEmpty || bytes.last == 0x0A ? "" : ending
        let text = ending == "\n" ? text : text.replacing("\r\n", with: "\n").replacing("\n", with: ending)
        // The place is known: a comparison of the texts may find another one, and an undo would take the wrong words.
        let edit = TextEdit(position: note.content.unicodeScalars.count, inserted: separator + text)
        try changeTexts(of: note.id) { document, agent in
            guard !edit.inserted.isEmpty else { return NoteEdits() }
            let version = document.version.content
            return NoteEdits(content: try document.apply([edit], to: .content, by: agent, at: version))
        }
    }

    /// Creates a note and publishes it; `source` is the identity of the file or event that it is made of.
    func createNote(_ draft: NoteDraft, source: String? = nil) throws -> NoteRecord {
        let id = try insertNote(folder: draft.folder, isPinned: draft.isPinned, source: source)
        try setTags(NoteTag.changed([], adding: draft.tags), of: id)
        try changeTexts(of: id) { document, agent in
            try document.set(title: draft.title, content: draft.content, by: agent)
        }
        if let matter = draft.frontMatter { try take(matter, of: id) }
        try reindexNotes([id])
        let note = try NoteRecord.kind.item(id, in: self)
        try emit(NotesEvents.created, note.summary)
        return note
    }
}
