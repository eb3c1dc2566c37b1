import Commands
import HubKit
import NotesDomain

/// `hub notes append`: adds a text at the end of a note.
enum AppendCommand {
    private static let text = Arguments<String>("TEXT", .oneOrMore, help: "text, or - to read it from stdin")

    static let command = Command(
        "append", summary: "append lines to a note",
        examples: [
            Example(#"hub notes append shopping "- oat milk""#, "one line"),
            Example("hub notes append log - < build.log", "the text of stdin"),
        ], parameters: [NoteCommands.one, text], fields: NoteListItem.fields, changes: true
    ) { (notes: NotesPlugin, input: Input) in
        let chosen = try await notes.notes.select(input[NoteCommands.one], asking: input)
        var added = input[text] == ["-"] ? try await input.standardText() : input[text].joined(separator: " ")
        if added.hasSuffix("\n") { added.removeLast() }
        let count = NumberFormat.counted(
            added.split(separator: "\n", omittingEmptySubsequences: false).count, "line")
        let label = try await notes.notes.label(of: chosen)
        if input.dryRun { return .done("Would add \(count) to \(label)") }
        let note = try await notes.append(added, to: chosen.id, operation: Operation(input))
        return .edited(
            "\(label): \(count) added", try await notes.notes.listed(note.summary),
            NoteListItem.fields)
    }
}
