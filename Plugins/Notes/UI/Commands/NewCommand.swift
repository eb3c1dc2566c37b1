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
    /// The note whose text a new one begins with.
    static let template = Option<String>(
        "template", "NOTE",
        help: "begin with the text and tags of this note; {{title}}, {{date}} and {{time}} are filled in",
        completion: NoteCommands.entity.completion)

    static let command = Command(
        "new", summary: "create a note",
        discussion: [
            "Without a title and a text, the note is written in $VISUAL or $EDITOR: its first line is the title."
        ],
        examples: [
            Example("hub notes new Trip", "only a title"),
            Example(#"hub notes new Breakfast -m "- oat milk" --tag home"#, "with a text and a tag"),
            Example("hub notes new Log - < build.log", "the text from stdin"),
            Example(#"hub notes new "Call with Ada" --template meeting"#, "from a template"),
        ], parameters: [title, message, tags, NoteCommands.folder, pin, template], fields: NoteListItem.fields,
        changes: true
    ) { (notes: NotesPlugin, input: Input) in
        let words = input[title].filter { $0 != "-" }
        if !words.isEmpty, words.allSatisfy({ $0.allSatisfy(\.isWhitespace) }), words.count == input[title].count,
            input[message] == nil, input[template] == nil
        {
            throw HubError(
                .invalid, code: "title-empty", "a note needs a title or a text",
                hint: "hub notes new TITLE, or hub notes new -m TEXT")
        }
        var draft = try await draft(words.joined(separator: " "), notes, input)
        let filled = draft.content
        // Text that comes with a title but without a dash must not vanish silently.
        let isUnread =
            input[message] == nil && words.count == input[title].count && !words.isEmpty && input.console.hasInput
        if let text = input[message] {
            draft.content = filled + (text == "-" ? try await input.standardText() : text)
        } else if words.count < input[title].count {
            draft.content = filled + (try await input.standardText())
        } else if words.isEmpty {
            if input.dryRun { return .done("Would open a new note in the editor") }
            let empty = NoteForm(title: "", content: filled)
            let saved = try await input.edit(empty.text, suffix: ".md", option: "hub notes new TITLE -m TEXT")
            let form = NoteForm(saved: saved, opened: empty)
            if form.text.allSatisfy(\.isWhitespace) { return .cancelled }
            let tags = draft.tags
            draft = NoteDraft(title: form.title, content: form.content, tags: tags)
            draft.frontMatter = form.frontMatter
        }
        draft.tags += input[tags]
        draft.folder = NoteFileName.folder(input[NoteCommands.folder] ?? "")
        draft.isPinned = input[pin]
        if input.dryRun {
            return .done("Would create \(NoteRecord.displayName(title: draft.title, content: draft.content))")
        }
        let note = try await notes.create(draft, operation: Operation(input))
        let row = try await notes.notes.listed(note.summary)
        var output = Output.edited("\(row.label) is new", row, NoteListItem.fields)
        if isUnread {
            output.notes.append(
                .warning(
                    "the text on standard input was not read", code: "stdin-unused",
                    hint: "hub notes new TITLE - takes it as the text"))
        }
        return output
    }

    /// Returns a draft with the text of the template, if one is given.
    static func draft(_ title: String, _ notes: NotesPlugin, _ input: Input) async throws -> NoteDraft {
        guard let selector = input[template] else { return NoteDraft(title: title) }
        let chosen = try await notes.notes.select([selector], asking: input)
        guard let id = chosen.first?.id else { return NoteDraft(title: title) }
        return notes.draft(title, from: try await notes.notes.get(id))
    }
}
