import Commands
import HubKit
import NotesDomain

/// `hub notes templates`: the notes that others begin with. Each is a note with the tag `template`.
enum TemplateCommands {
    static let tree = Command(
        group: "templates", aliases: ["template"], summary: "notes that others begin with",
        examples: [
            Example("hub notes templates", "those that there are"),
            Example(#"hub notes templates new meeting -m "{{title}}, {{date}}""#, "one more"),
        ], prominence: .more, view: "list", subcommands: [list, new, remove])

    private static let list = Command(
        "list", summary: "list templates by title",
        examples: [
            Example("hub notes templates", "all of them"),
            Example("hub notes templates list --json=id,name", "for a script"),
        ], fields: NoteListItem.fields
    ) { (notes: NotesPlugin, _: Input) in
        var filter = NoteFilter()
        filter.tags = [NoteTemplate.tag]
        filter.order = .title
        return .list(
            try await notes.notes.listed(try await notes.list(filter, limit: nil).rows), NoteListItem.fields,
            empty: Diagnostic(
                "No templates",
                suggestions: [Example("hub notes templates new meeting", "write one in the editor")]))
    }

    private static let name = Argument<String>("NAME", help: "title, by which --template names it")
    private static let message = Option<String>("message", short: "m", "TEXT", help: "text, or - to read it from stdin")

    private static let new = Command(
        "new", summary: "create a template",
        discussion: [
            "In a note that begins with it {{title}}, {{date}} and {{time}} are filled in, also in a form such as {{date:DD.MM.YYYY}}.",
            "Without a text, it is written in $VISUAL or $EDITOR. To make a template of a note: hub notes tag NOTE template.",
        ],
        examples: [
            Example(#"hub notes templates new day -m "- [ ] plan {{date}}""#, "for hub notes daily --template day"),
            Example("hub notes templates new log -m - < build.log", "from a file"),
        ], parameters: [name, message], fields: NoteListItem.fields, changes: true
    ) { (notes: NotesPlugin, input: Input) in
        let title = input[name]
        if input.dryRun { return .done("Would create the template \(title)") }
        var draft = NoteDraft(title: title)
        if let text = input[message] {
            draft.content = text == "-" ? try await input.standardText() : text
        } else {
            let option = "hub notes templates new NAME -m TEXT"
            draft.content = try await input.edit("", suffix: ".md", option: option)
            if draft.content.allSatisfy(\.isWhitespace) { return .cancelled }
        }
        draft.tags = [NoteTemplate.tag]
        let note = try await notes.create(draft, operation: Operation(input))
        let row = try await notes.notes.listed(note.summary)
        return .edited("\(row.label) is a new template", row, NoteListItem.fields)
    }

    private static let remove = NoteCommands.entity.remove(examples: [
        Example("hub notes templates rm meeting", "the notes that began with it stay"),
        Example("hub notes templates rm meeting --dry-run", "show what would be removed"),
    ])
}
