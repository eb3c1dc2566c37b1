import Commands
import HubKit
import NotesDomain

/// `hub notes replace`: replaces a passage of a note that stands in it once.
enum ReplaceCommand {
    private static let old = Argument<String>("OLD", help: "passage of the text, which stands in it once")
    private static let new = Argument<String>("NEW", help: "text in its place")

    static let command = Command(
        "replace", summary: "replace a passage of a note",
        discussion: ["The passage must stand in the note once, letter for letter. Nothing else of the note changes."],
        examples: [
            Example(#"hub notes replace shopping "- milk" "- oat milk""#, "replace one line"),
            Example(#"hub notes replace log "draft" "final" -n"#, "only say what would be done"),
        ], prominence: .more, parameters: [NoteCommands.one, old, new], fields: NoteListItem.fields, changes: true
    ) { (notes: NotesPlugin, input: Input) in
        let chosen = try await notes.notes.select(input[NoteCommands.one], asking: input)
        let label = try await notes.notes.label(of: chosen)
        if input.dryRun {
            _ = try (try await notes.notes.get(chosen.id)).place(of: input[old])
            return .done("Would replace a passage of \(label)")
        }
        let note = try await notes.replace(input[old], with: input[new], in: chosen.id, operation: Operation(input))
        return .edited(
            "\(label): one passage replaced", try await notes.notes.listed(note.summary), NoteListItem.fields)
    }
}
