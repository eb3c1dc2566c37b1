import Commands
import HubKit
import NotesDomain

/// `hub notes search`: searches titles, tags and texts, best match first.
enum SearchCommand {
    private static let words = Arguments<String>(
        "WORD", .oneOrMore, help: "words or beginnings of words, fields such as tag:home, @searches")

    private static let fields: [Field<FoundNote>] = [
        Field("id", "ID", help: "id of the note") { .id($0.item.summary.id, shown: $0.item.shortID.count) },
        Field("name", "NOTE", help: "title, or else the first line of the text") { .text($0.item.summary.name) },
        Field("snippet", "TEXT", help: "matching part of the text", column: .ifRoom(2)) { .text($0.snippet) },
        Field(
            "tags", "TAGS", help: "tags of the note", column: .onRequest,
            cell: { $0.item.summary.tags.joined(separator: ", ") }
        ) { FieldValue($0.item.summary.tags) },
        Field("changed_at", "CHANGED", help: "time of the last change", column: .ifRoom(3)) {
            .instant($0.item.summary.changedAt)
        },
    ]

    static let command = Command(
        "search", summary: "search titles, tags and texts of notes, best match first",
        discussion: [
            "Case and accents are ignored, and the beginning of a word is enough. Fields: tag:home, folder:work, changed:<30d or "
                + "changed:2026-01-01..2026-03-31, and is:pinned, is:shared, is:unlocked, is:locked, is:published and is:broken (with "
                + "broken links). @NAME is a saved search."
        ],
        examples: [
            Example("hub notes search milk", "by a word"),
            Example("hub notes search sho mil", "by beginnings of words"),
            Example("hub notes search 'milk tag:old changed:<30d'", "by fields"),
        ], parameters: [words, SharedOptions.limit], fields: fields
    ) { (notes: NotesPlugin, input: Input) in
        let text = input[words].joined(separator: " ")
        let (hits, total) = try await notes.search(try await notes.filter(text), limit: input.rowLimit(50))
        let items = try await notes.notes.listed(hits.map(\.note))
        let rows = zip(items, hits).map { FoundNote(item: $0, snippet: $1.snippet.text) }
        let near = hits.isEmpty ? try await notes.nearest(to: text) : nil
        let label = if let near { try await notes.notes.label(of: near) } else { String?.none }
        return .matches(
            rows, fields, count: Output.count(rows.count, of: total, "matches"),
            none: Diagnostic("No note matches \"\(text)\"", hint: label.map { "did you mean \($0)?" }))
    }
}

/// A note as a row of a search.
private struct FoundNote: Sendable {
    let item: NoteListItem
    let snippet: String
}
