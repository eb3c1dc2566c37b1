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

    /// The store that finds what a filter asks for.
    func source(for filter: NoteFilter) -> any EntityStore {
        filter.words.isEmpty && !filter.hasBrokenLinks ? store : indexed
    }

    /// Returns the live note whose name is most like a text.
    package func nearest(to text: String) async throws -> NoteSummary? {
        try await store.read { try $0.notes(near: text, inTrash: false).first }
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
