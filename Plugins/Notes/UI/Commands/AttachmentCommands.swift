import Commands
import HubKit
import NotesDomain
import Storage

/// `hub notes attach`, `attachments`, `save` and `detach`: the files of a note.
enum AttachmentCommands {
    private static let files = Arguments<String>("FILE", .oneOrMore, help: "files to attach", completion: .files([]))
    private static let names = Arguments<String>(
        "NAME", .oneOrMore, help: "names or paths, as hub notes attachments lists them")
    private static let name = Argument<String>(
        "NAME", help: "name or path, as hub notes attachments lists it")

    /// The fields of an attachment in lists and routes.
    static let fields: [Field<NoteAttachment>] = [
        Field("name", "NAME", help: "file name") { .text($0.stored.name) },
        Field("type", "TYPE", help: "media type", column: .ifRoom(2)) { .text($0.stored.type) },
        Field("size_bytes", "BYTES", help: "size in bytes", align: .trailing) { .integer($0.stored.size) },
        Field("linked", "LINKED", help: "whether the text links to it", column: .ifRoom(1)) { .bool($0.isLinked) },
        Field("path", "PATH", help: "path from the top folder of all notes", column: .ifRoom(3)) {
            .text($0.stored.path.description)
        },
        Field("sha256", "SHA-256", help: "hash of the content", column: .onRequest) { .text($0.stored.blob.text) },
        Field("targets", "TARGETS", help: "targets in the text that lead to it", column: .onRequest) {
            FieldValue($0.targets)
        },
    ]

    static let attach = Command(
        "attach", summary: "attach files to a note",
        discussion: [
            "The files are copied, and links to them are added at the end of the text; pictures are shown on the page. A file can "
                + "have up to 100 MiB. Attachments are synced with hub servers and with a mirrored folder."
        ],
        examples: [
            Example("hub notes attach trip ticket.pdf map.png", "two files"),
            Example("hub notes attachments trip", "list them"),
        ], parameters: [NoteCommands.one, files], fields: NoteListItem.fields, changes: true
    ) { (notes: NotesPlugin, input: Input) in
        let (note, label) = try await NoteCommands.labeled(notes, input)
        let count = NumberFormat.counted(input[files].count, "file")
        if input.dryRun { return .done("Would attach \(count) to \(label)") }
        try await notes.attach(
            try await notes.attachable(input[files]), to: note, operation: Operation(input))
        let changed = try await notes.notes.listed(notes.notes.get(note).summary)
        var output = Output.edited("\(label): \(count) attached", changed, NoteListItem.fields)
        let servers = try await notes.serversWithoutAttachments(of: note)
        if !servers.isEmpty {
            output.notes.append(
                Diagnostic.warning(
                    "\(servers.joined(separator: ", ")) runs NoteApp, which has no attachments: others see the links only",
                    code: "attachments-not-sent"))
        }
        return output
    }

    private static let trash = Flag("trash", help: "of a note in the trash")

    static let list = Command(
        "attachments", summary: "list the attachments of a note",
        examples: [
            Example("hub notes attachments trip", "all"),
            Example("hub notes attachments trip --json=path,size_bytes", "for a script"),
        ], prominence: .more, parameters: [NoteCommands.one, trash], fields: fields
    ) { (notes: NotesPlugin, input: Input) in
        let chosen = try await notes.notes.select(
            input[NoteCommands.one], inTrash: input[trash], asking: input)
        return .list(
            try await notes.attachments(of: chosen.id), fields,
            empty: Diagnostic("\(chosen.shownName) has no attachments"))
    }

    static let save = Command(
        "save", summary: "write an attachment to a file",
        discussion: ["hub notes export NOTE -o DIR writes a note with all its attachments."],
        examples: [
            Example("hub notes save trip ticket.pdf -o ticket.pdf", "one attachment"),
            Example("hub notes save trip ticket.pdf --trash -o ticket.pdf", "of a note in the trash"),
        ],
        prominence: .more, parameters: [NoteCommands.one, name, trash]
    ) { (notes: NotesPlugin, input: Input) in
        let chosen = try await notes.notes.select(
            input[NoteCommands.one], inTrash: input[trash], asking: input)
        let found = try await notes.attachments(named: [input[name]], of: chosen.id)[0]
        return Output(.bytes(try await notes.content(of: found)))
    }

    static let detach = Command(
        "detach", summary: "remove attachments from a note, with the links to them",
        discussion: [
            "A file in a mirrored folder stays there. The words of a link stay in the text; a picture is removed as a whole."
        ],
        examples: [
            Example("hub notes detach trip map.png", "one attachment"),
            Example("hub notes detach trip map.png ticket.pdf", "several"),
        ],
        prominence: .more, parameters: [NoteCommands.one, names], changes: true
    ) { (notes: NotesPlugin, input: Input) in
        let (note, label) = try await NoteCommands.labeled(notes, input)
        let found = try await notes.attachments(named: input[names], of: note)
        let shown = found.map(\.name).joined(separator: ", ")
        if input.dryRun { return .done("Would remove \(shown) from \(label)") }
        try await notes.detach(found, from: note, operation: Operation(input))
        return .edited("\(label): \(shown) removed")
    }
}
