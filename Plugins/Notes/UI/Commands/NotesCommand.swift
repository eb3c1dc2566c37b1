import Commands
import HubKit

/// `hub notes` and its subcommands.
enum NotesCommand {
    static let tree = Command(
        group: "notes", nouns: ["note", "notes"], summary: "notes, alone or shared",
        examples: [
            Example(#"hub notes new "Shopping""#, "a first note"),
            Example("hub notes search milk", "in every text"),
        ], view: "list",
        subcommands: mirrored.map { $0.mirrored() } + [
            MirrorCommand.command, ServerCommands.serve, ServerCommands.tree,
        ]
    ).advising([
        "add": "did you mean hub notes new?", "create": "did you mean hub notes new?",
        "delete": "did you mean hub notes rm?", "cat": "did you mean hub notes show?",
        "grep": "did you mean hub notes search?", "today": "did you mean hub notes daily?",
        "journal": "did you mean hub notes daily?", "backlinks": "did you mean hub notes links?",
        "blame": "use hub notes diff NOTE --since DATE to see who wrote which line",
    ])

    /// The commands that see the mirrored folder as it is, in the order of the help.
    private static var mirrored: [Command] {
        [
            ListCommand.command, SearchCommand.command, ShowCommand.command, NewCommand.command, DailyCommand.command,
            TemplateCommands.tree, AppendCommand.command, ReplaceCommand.command, EditCommand.command,
            AttachmentCommands.attach,
            AttachmentCommands.list,
            AttachmentCommands.save,
            AttachmentCommands.detach, NoteCommands.remove, NoteCommands.restore,
        ] + NoteCommands.tagging + [
            PinCommands.pin, PinCommands.unpin, MoveCommand.command, RenameCommands.rename, RenameCommands.relink,
            SavedSearchCommands<NotesPlugin>.group, LinksCommand.command, NoteCommands.history,
            DiffCommand.command, ShareCommands.share, ShareCommands.unshare, PublishCommands.publish,
            PublishCommands.unpublish, PublishCommands.published, UnlockCommand.command,
            RequestsCommands.tree,
            ImportCommand.command, ExportCommand.command, AccountCommands<NotesPlugin>.accounts,
            AccountCommands<NotesPlugin>.sync, AccountCommands<NotesPlugin>.status, WatchCommand.command,
        ]
    }

    /// The suggestions of an empty list.
    static let empty = Diagnostic(
        "No notes",
        suggestions: [
            Example("hub notes new Shopping", "write the first one"),
            Example(#"hub notes new -m "call Anna""#, "from the command line"),
        ])
}
