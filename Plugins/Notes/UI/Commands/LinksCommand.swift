import Commands
import HubKit
import NotesDomain

/// `hub notes links`: lists the links of a note to others, and the notes that link to it.
enum LinksCommand {
    private static let fields: [Field<LinkRow>] = [
        Field("direction", "LINK", help: "to, from or broken") {
            .text($0.link.direction.rawValue)
        },
        Field("title", "NOTE", help: "title, alias or path in the link, or title of the note that links here") {
            .text($0.link.title)
        },
        Field("heading", "HEADING", help: "heading or block in the link; null without one", column: .ifRoom(1)) {
            FieldValue($0.link.heading)
        },
        Field(
            "line", "LINE", help: "line of the heading in the other note; null if it is not there", column: .onRequest
        ) {
            FieldValue($0.link.line)
        },
        Field("id", "ID", help: "id of the other note; null for a broken link") { row in
            row.link.note.map { .id($0.id, shown: row.shortID.count) } ?? .null
        },
    ]

    static let command = Command(
        "links", summary: "list the [[links]] of a note and the notes that link to it",
        discussion: [
            "A link names a note by its title, the name of its file, the end of its path or an alias in its front matter: [[Shopping]], "
                + "[[lists/Shopping#Milk]], [[Shopping|the list]] or [the list](lists/Shopping.md). Case and accents do not matter. "
                + "Of several notes, it leads to the one with this path, else to one in the same folder, else to the one with the "
                + "shortest path, as in Obsidian."
        ],
        examples: [
            Example("hub notes links shopping", "both directions"),
            Example("hub notes links shopping --json=direction,title", "for a script"),
        ], prominence: .more, parameters: [NoteCommands.one], fields: fields
    ) { (notes: NotesPlugin, input: Input) in
        let chosen = try await notes.notes.select(input[NoteCommands.one], asking: input)
        let links = try await notes.links(of: chosen.id)
        let short = try await notes.notes.shortIDs(of: links.compactMap { $0.note?.id })
        let rows = links.map { LinkRow(link: $0, shortID: $0.note.flatMap { short[$0.id] } ?? "") }
        return .list(
            rows, fields, empty: Diagnostic("\(chosen.shownName) has no links, and no note links to it"))
    }
}

/// A link as a table row.
private struct LinkRow: Sendable {
    let link: NoteLink
    let shortID: String
}
