import Commands
import HubKit
import NotesDomain

/// `hub notes links`: lists the `[[links]]` of a note, and the notes that link to it.
enum LinksCommand {
    private static let fields: [Field<LinkRow>] = [
        Field("direction", "LINK", help: "to, from or broken") {
            .text($0.link.direction.rawValue)
        },
        Field("title", "NOTE", help: "title in the link, or of the note that links here") { .text($0.link.title) },
        Field("id", "ID", help: "id of the other note; null for a broken link") { row in
            row.link.note.map { .id($0.id, shown: row.shortID.count) } ?? .null
        },
    ]

    static let command = Command(
        "links", summary: "list the [[links]] of a note and the notes that link to it",
        discussion: ["A link names a note by its title: [[Shopping]], [[Shopping#Milk]] or [[Shopping|the list]]."],
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
