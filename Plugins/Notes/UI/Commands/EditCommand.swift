import Commands
import HubKit
import NotesDomain

/// `hub notes edit`: edits a note in the editor.
enum EditCommand {
    static let command = Command(
        "edit", summary: "edit a note in the editor; each save is merged at once",
        discussion: [
            "The first line is the title. While the editor is open, changes by others are written to the file, and "
                + "an editor that reloads changed files shows them. Neither side overwrites the other."
        ],
        examples: [
            Example("hub notes edit shopping", "in $VISUAL or $EDITOR"),
            Example("hub notes edit last", "the newest note"),
        ],
        parameters: [NoteCommands.one], fields: NoteListItem.fields, changes: true
    ) { (notes: NotesPlugin, input: Input) in
        let (note, label) = try await NoteCommands.labeled(notes, input)
        if input.dryRun { return .done("Would open \(label) in the editor") }
        return try await edit(note, notes, input)
    }

    /// Opens a note in the editor.
    static func edit(_ id: String, _ notes: NotesPlugin, _ input: Input) async throws -> Output {
        let edited = try await notes.open(id, operation: Operation(input))
        _ = try await input.edit(
            await edited.text, suffix: ".md", option: "hub notes append NOTE TEXT"
        ) { saved in try await edited.exchange(saved) }
        guard await edited.isChanged else { return .done("Nothing changed") }
        let note = try await notes.notes.get(id)
        let row = try await notes.notes.listed(note.summary)
        return .edited("\(row.label) is changed", row, NoteListItem.fields)
    }
}
