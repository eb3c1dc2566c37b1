import Commands
import HubKit
import NotesDomain

/// `hub notes publish`, `unpublish` and `published`: notes that everyone with their address can read.
enum PublishCommands {
    static let fields: [Field<PublishedNote>] = [
        Field("id", "ID", help: "id of the note") { .text($0.note.id) },
        Field("name", "NOTE", help: "title of the note, or else the first line of its text") { .text($0.note.name) },
        Field("url", "URL", help: "address at which everyone can read it") { .text($0.url) },
    ]

    static let publish = Command(
        "publish", summary: "make a link with which everyone can read a note",
        discussion: [
            "The notes server of this machine shows the note at this address, with its pictures, as it is when it is opened. No account is "
                + "needed: those who have the link can read the note, and nothing else."
        ],
        examples: [
            Example("hub notes publish shopping", "prints the link"),
            Example("hub notes publish last --json=url", "for a script"),
        ], prominence: .more, parameters: [NoteCommands.one], fields: fields, changes: true
    ) { (notes: NotesPlugin, input: Input) in
        let (note, label) = try await NoteCommands.labeled(notes, input)
        if input.dryRun { return .done("Would make a public link to \(label)") }
        let published = try await notes.publish(note, operation: Operation(input))
        var output = Output.edited("\(label): \(published.url)", published, fields)
        if !notes.serverSettings.isEnabled {
            output.notes.append(
                .warning(
                    "the link works only while the notes server runs", code: "server-off",
                    hint: "hub config set plugins.notes.server.enabled true"))
        }
        return output
    }

    static let unpublish = Command(
        "unpublish", summary: "remove the public link to a note",
        examples: [
            Example("hub notes unpublish shopping", "the link no longer works"),
            Example("hub notes unpublish last", "the newest note"),
        ], prominence: .more, parameters: [NoteCommands.one], fields: NoteListItem.fields, changes: true
    ) { (notes: NotesPlugin, input: Input) in
        let (note, label) = try await NoteCommands.labeled(notes, input)
        if input.dryRun { return .done("Would remove the public link to \(label)") }
        guard try await notes.unpublish(note, operation: Operation(input)) else { return .done("Nothing changed") }
        return .edited("\(label): no longer public")
    }

    static let published = Command(
        "published", summary: "list notes with a public link",
        examples: [
            Example("hub notes published", "with their links"),
            Example("hub notes published --json=name,url", "for a script"),
        ], prominence: .more, fields: fields
    ) { (notes: NotesPlugin, _: Input) in
        .list(try await notes.publishedNotes(), fields, empty: Diagnostic("No public links"))
    }
}
