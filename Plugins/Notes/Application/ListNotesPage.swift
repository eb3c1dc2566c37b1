import HubKit
package import NotesDomain
import Storage

/// A note in the list of the page.
package struct NoteRow: Sendable {
    /// The note.
    package let note: NoteSummary
    /// The part of its text to show below the title.
    package let excerpt: String
}

/// A part of the list of the page.
package struct NoteListPage: Sendable {
    /// The notes of the part.
    package let rows: [NoteRow]
    /// The number of all notes of the list.
    package let total: Int
    /// The number of pinned notes at the beginning of the list; 0 in a search.
    package let pinned: Int
}

/// What the list of the page can be filtered by besides tags, each with the number of notes.
package struct NoteFilters: Sendable {
    /// The folders in use.
    package let folders: [(folder: String, count: Int)]
    /// The number of notes of each other filter.
    package let counts: [(filter: NoteListFilter, count: Int)]
    /// The number of requests for access that wait for an answer.
    package let requests: Int
}

extension NotesPlugin {
    /// The characters of a text in which the words for a row are looked for.
    private static let excerptSource = 8000

    /// Returns a part of the notes that match a filter.
    package func rows(_ filter: NoteFilter, offset: Int, limit: Int) async throws -> NoteListPage {
        let terms = NoteQuery(filter.words).spellings
        return try await source(for: filter).read { transaction in
            let notes = try transaction.listNotes(filter, offset: offset, limit: limit)
            var pinned = filter
            pinned.isPinned = true
            return NoteListPage(
                rows: try notes.map { note in
                    let text = try transaction.beginning(of: note.id, count: Self.excerptSource)
                    return NoteRow(note: note, excerpt: Self.excerpt(of: text, note, terms))
                }, total: try transaction.countNotes(filter),
                pinned: terms.isEmpty ? try transaction.countNotes(pinned) : 0)
        }
    }

    /// The words that were found, or else the beginning of the text after the line that is the name.
    private static func excerpt(of text: String, _ note: NoteSummary, _ terms: [String]) -> String {
        var text = text[...]
        // A heading that repeats the title says nothing more either.
        let heading = text.drop(while: \.isWhitespace).prefix { !$0.isNewline }.drop { $0 == "#" }
        let words = heading.split(whereSeparator: \.isWhitespace)
        let isRepeated = !words.isEmpty && words == note.title.split(whereSeparator: \.isWhitespace)
        if note.title.isEmpty || isRepeated, let start = text.firstIndex(where: { !$0.isWhitespace }) {
            let end = text[start...].firstIndex(where: \.isNewline) ?? text.endIndex
            let hasMatch = !terms.isEmpty && !SearchSnippet(of: String(text[end...]), terms: terms).matches.isEmpty
            if terms.isEmpty || hasMatch { text = text[end...] }
        }
        return SearchSnippet(of: String(text.drop(while: \.isWhitespace)), terms: terms, width: 120).text
    }

    /// Returns what the list can be filtered by.
    package func filters() async throws -> NoteFilters {
        let name = ownName
        let requests = try await openRequests().count
        return try await store.read { transaction in
            func count(_ shown: NoteListFilter) throws -> Int {
                var filter = NoteFilter()
                shown.apply(to: &filter, for: name)
                return try transaction.countNotes(filter)
            }
            // Notes that are locked are few, and found without a look at the others.
            let unlocked = try transaction.countNotes(NoteFilter()) - count(.locked)
            return NoteFilters(
                folders: try transaction.noteFolders(),
                counts: try NoteListFilter.allCases.map { ($0, $0 == .unlocked ? unlocked : try count($0)) },
                requests: requests)
        }
    }
}
