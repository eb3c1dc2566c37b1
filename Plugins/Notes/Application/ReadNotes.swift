package import CivilDate
package import Commands
import HubKit
package import NotesDomain
import Storage

/// A link from one note to another.
package struct NoteLink: Sendable {
    /// The direction of a link, seen from a note.
    package enum Direction: String, Sendable {
        case to, from, broken
    }

    /// Whether it leads from the note, to it, or nowhere.
    package let direction: Direction
    /// The title, alias or path in the link; the title of the other note for one that leads here.
    package let title: String
    /// The heading or block that the link names; nil without one.
    package var heading: String?
    /// The line of it in the other note, from 1 on; nil if it is not there.
    package var line: Int?
    /// The other note; nil for a broken link.
    package let note: NoteSummary?
}

extension NotesPlugin {
    /// Returns the notes that match a filter, pinned ones first and at most `limit`, and the number of all.
    package func list(_ filter: NoteFilter, limit: Int? = nil) async throws -> (rows: [NoteSummary], total: Int) {
        try await source(for: filter).read { transaction in
            let rows = try transaction.listNotes(filter, limit: limit)
            guard let limit, rows.count == limit else { return (rows, rows.count) }
            return (rows, try transaction.countNotes(filter))
        }
    }

    /// Returns the notes that have all words of a text, best match first and at most `limit`, and the number of all.
    package func search(_ text: String, limit: Int) async throws -> (hits: [NoteHit], total: Int) {
        let query = NoteQuery(text)
        return try await indexed.read { try $0.searchNotes(query, limit: limit) }
    }

    /// Returns the notes that a filter finds, best match first and at most `limit`, and the number of all.
    package func search(_ filter: NoteFilter, limit: Int) async throws -> (hits: [NoteHit], total: Int) {
        try await indexed.read { try $0.searchNotes(filter, limit: limit) }
    }

    /// The store that finds what a filter asks for.
    func source(for filter: NoteFilter) -> any EntityStore {
        filter.words.isEmpty && !filter.hasBrokenLinks ? store : indexed
    }

    /// Returns the live note whose name is most like a text.
    package func nearest(to text: String) async throws -> NoteSummary? {
        try await store.read { try $0.notes(near: text, inTrash: false).first }
    }

    /// Returns the text of a note with the notes, and the parts of notes, that it embeds in place, as quotations.
    package func textWithEmbeds(of note: NoteRecord) async throws -> String {
        guard note.content.contains("![[") else { return note.content }
        return try await indexed.read { transaction in
            var left = Transaction.maximumEmbeds
            return try transaction.textWithEmbeds(note.content, of: note.id, above: [], left: &left)
        }
    }

    /// Returns the pinned notes and those changed since a day that have to-dos which are not done, with these, the latest note first.
    package func openTodos(since day: CivilDate) async throws -> [(note: NoteSummary, todos: [String])] {
        let zone = TimeZoneRules.system
        return try await store.read { transaction in
            var found: [(note: NoteSummary, todos: [String])] = []
            for note in try transaction.listNotes(NoteFilter(), limit: Self.todoLimits.read) {
                guard note.isPinned || zone.localTime(at: note.changedAt).day >= day,
                    note.size <= Self.todoLimits.size, let text = try transaction.note(note.id)?.content
                else { continue }
                let todos = OpenTodos.words(in: text, limit: Self.todoLimits.ofNote)
                if !todos.isEmpty { found.append((note, todos)) }
                if found.count == Self.todoLimits.notes { break }
            }
            return found
        }
    }

    /// The notes that are looked at for to-dos, the longest text in bytes, the most to-dos of a note, and the most notes.
    private static let todoLimits = (read: 60, size: 64 << 10, ofNote: 8, notes: 20)

    /// Returns the title and the text of a note; nil when there is none, or when it is in the trash.
    package func content(of id: String) async throws -> ItemContent? {
        guard let note = try await store.read({ try $0.note(id) }), note.deletedAt == nil else { return nil }
        return ItemContent(title: note.summary.name, text: note.content)
    }

    /// Returns the links of a note, then the notes that link to it.
    package func links(of id: String) async throws -> [NoteLink] {
        try await indexed.read { transaction in
            _ = try NoteRecord.kind.item(id, in: transaction)
            return try transaction.links(of: id).map { link, note in
                let line = try link.heading.flatMap { heading in
                    try note.flatMap { try transaction.note($0.id) }.flatMap {
                        NoteAnchor.line(of: heading, in: $0.content)
                    }
                }
                return NoteLink(
                    direction: note == nil ? .broken : .to, title: link.title, heading: link.heading, line: line,
                    note: note)
            } + transaction.backlinks(to: id).map { NoteLink(direction: .from, title: $0.name, note: $0) }
        }
    }
}

extension Transaction {
    /// The most notes that are shown in one, and how deep they are in each other.
    fileprivate static let (maximumEmbeds, deepestEmbed) = (50, 3)

    fileprivate func textWithEmbeds(
        _ text: String, of id: String, above: [String], left: inout Int
    ) throws -> String {
        guard above.count < Self.deepestEmbed, text.contains("![[") else { return text }
        let links = try links(of: id)
        return try NoteEmbeds.replacing(in: text) { link in
            let title = link.title.lowercased()
            let target = links.first { !$0.link.isMarkdown && $0.link.title.lowercased() == title }?.target
            guard left > 0, let target, target.id != id, !above.contains(target.id), let note = try note(target.id)
            else {
                return nil
            }
            var part: String? = note.content
            if let heading = link.heading { part = NoteAnchor.part(of: heading, in: note.content) }
            guard let part else { return nil }
            left -= 1
            return NoteEmbeds.quotation(
                of: try textWithEmbeds(part, of: note.id, above: above + [id], left: &left))
        }
    }
}
