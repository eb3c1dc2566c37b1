import Commands
import HubKit
import NotesDomain

/// `hub notes new`: creates a note.
enum NewCommand {
    private static let title = Arguments<String>("TITLE", .zeroOrMore, help: "title, or - to read the text from stdin")
    private static let message = Option<String>("message", short: "m", "TEXT", help: "text, or - to read it from stdin")
    private static let tags = Option<[String]>(
        "tag", "TAG", help: "tag (can be repeated)", completion: NoteCommands.entity.tagCompletion)
    private static let pin = Flag("pin", help: "pin it to the top of lists")

    static let command = Command(
        "new", summary: "create a note",
        discussion: [
            "Without a title and a text, the note is written in $VISUAL or $EDITOR: its first line is the title."
        ],
        examples: [
            Example("hub notes new Trip", "only a title"),
            Example(#"hub notes new Breakfast -m "- oat milk" --tag home"#, "with a text and a tag"),
            Example("hub notes new Log - < build.log", "the text from stdin"),
        ], parameters: [title, message, tags, NoteCommands.folder, pin], fields: NoteListItem.fields, changes: true
    ) { (notes: NotesPlugin, input: Input) in
        let words = input[title].filter { $0 != "-" }
        var draft = NoteDraft(title: words.joined(separator: " "))
        if let text = input[message] {
            draft.content = text == "-" ? try await input.standardText() : text
        } else if words.count < input[title].count {
            draft.content = try await input.standardText()
        } else if words.isEmpty {
            if input.dryRun { return .done("Would open a new note in the editor") }
            let empty = NoteForm(title: "", content: "")
            let saved = try await input.edit(empty.text, suffix: ".md", option: "hub notes new TITLE -m TEXT")
            let form = NoteForm(saved: saved, opened: empty)
            if form.text.allSatisfy(\.isWhitespace) { return .cancelled }
            draft = NoteDraft(title: form.title, content: form.content)
        }
        draft.tags = input[tags]
        draft.folder = NoteFileName.folder(input[NoteCommands.folder] ?? "")
        draft.isPinned = input[pin]
        if input.dryRun {
            return .done("Would create \(NoteRecord.displayName(title: draft.title, content: draft.content))")
        }
        let note = try await notes.create(draft, operation: Operation(input))
        let row = try await notes.notes.listed(note.summary)
        return .edited("\(row.label) is new", row, NoteListItem.fields)
    }
}
