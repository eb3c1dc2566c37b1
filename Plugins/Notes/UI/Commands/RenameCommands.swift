import Commands
import HubKit
import NotesDomain

/// `hub notes rename` and `relink`: give a note another title, and the links to it.
enum RenameCommands {
    private static let title = Arguments<String>("TITLE", .oneOrMore, help: "new title")
    private static let keepsLinks = Flag("keep-links", help: "leave the links in other notes as they are")
    private static let targets = Arguments<String>(
        "NOTE", .zeroOrMore, help: "notes that were renamed or moved (default: all)",
        completion: NoteCommands.entity.completion)

    static let fields: [Field<LinkUpdate>] = [
        Field("note", "NOTE", help: "note with the links") { .text($0.note.name) },
        Field("old", "OLD", help: "name in the links before") { .text($0.old) },
        Field(
            "new", "NEW", help: "name in the links after; null where no name leads to the note any more",
            cell: { $0.new ?? "leads elsewhere" }
        ) { FieldValue($0.new) },
        Field("count", "LINKS", help: "number of equal links", align: .trailing) { .integer($0.count) },
        Field("id", "ID", help: "id of the note with the links", column: .onRequest) { .text($0.note.id) },
    ]

    static let rename = Command(
        "rename", summary: "change the title of a note, and the links to it",
        discussion: [
            "The links in other notes are shown before they are changed, and confirmed. One undo reverts everything. "
                + "Links by an alias, and those in notes that are locked for you, stay as they are. Links to other notes that have the "
                + "new title too get longer, so that they lead where they led."
        ],
        examples: [
            Example(#"hub notes rename shopping "Weekly shopping""#, "after a look at the links"),
            Example("hub notes rename shopping Groceries --yes", "without confirmation"),
            Example("hub notes rename shopping Groceries -n", "only show which links would change"),
        ], prominence: .more, parameters: [NoteCommands.one, title, keepsLinks], fields: fields, changes: true
    ) { (notes: NotesPlugin, input: Input) in
        let (note, label) = try await NoteCommands.labeled(notes, input)
        let title = input[title].joined(separator: " ")
        let operation = Operation(input)
        let plan = input[keepsLinks] ? [] : try await notes.planRename(note, to: title, operation: operation)
        if input.dryRun { return preview("rename \(label) to \(title)", plan) }
        guard try await confirms(plan, "Rename \(label) to \(title)", input) else { return .cancelled }
        let done = try await notes.rename(
            note, to: title, updatesLinks: !input[keepsLinks], operation: operation)
        return .edited("\(label): renamed to \(title)\(done.isEmpty ? "" : ", with \(counted(done))")")
    }

    static let relink = Command(
        "relink", summary: "update links to notes that were renamed or moved",
        discussion: [
            "For links that still have the name that a note had before its title or folder was changed: in an editor, on the page, on "
                + "another machine, or by renaming its file in the mirrored folder. They are shown before they are changed, and confirmed."
        ],
        examples: [
            Example("hub notes relink -n", "only show the links"),
            Example("hub notes relink shopping", "the links to one note"),
        ], prominence: .more, parameters: [targets], fields: fields, changes: true
    ) { (notes: NotesPlugin, input: Input) in
        let words = input[targets]
        let ids = words.isEmpty ? nil : try await notes.notes.select(words, asking: input).map(\.id)
        let operation = Operation(input)
        let plan = try await notes.planLinkUpdates(to: ids, operation: operation)
        if input.dryRun {
            return .list(
                plan, fields, count: "Would update \(counted(plan))", empty: Diagnostic("No link uses a former name"))
        }
        guard !plan.isEmpty else { return .done("No link uses a former name") }
        guard try await confirms(plan, "Update them", input) else { return .cancelled }
        let done = try await notes.updateLinks(to: ids, operation: operation)
        return .edited("\(counted(done)) updated")
    }

    /// What an action would do with links.
    static func preview(_ action: String, _ plan: [LinkUpdate]) -> Output {
        .list(
            plan, fields, count: "Would \(action), with \(counted(plan))",
            empty: Diagnostic("Would \(action); no link changes"))
    }

    /// Shows the changes and asks for them; without any, nothing is asked.
    static func confirms(_ plan: [LinkUpdate], _ action: String, _ input: Input) async throws -> Bool {
        guard !plan.isEmpty, !input.yes else { return true }
        if input.console.isInteractive {
            await input.console.show(
                plan.map { update in
                    "\(update.note.name): \(update.old) \(update.new.map { "→ \($0)" } ?? "leads elsewhere then")"
                        + (update.count > 1 ? " (\(update.count) times)" : "")
                }.map { TerminalSanitizer.line($0) })
        }
        return try await input.confirm(
            "\(action), with \(counted(plan))?", consequence: "\(counted(plan)) would change")
    }

    /// The number of links, and of the notes that have them.
    static func counted(_ updates: [LinkUpdate]) -> String {
        let kept = updates.filter { $0.new != nil }
        let links = NumberFormat.counted(kept.reduce(0) { $0 + $1.count }, "link")
        let words = "\(links) in \(NumberFormat.counted(Set(kept.map(\.note.id)).count, "note"))"
        let lost = updates.filter { $0.new == nil }.reduce(0) { $0 + $1.count }
        return lost == 0 ? words : "\(words); \(NumberFormat.counted(lost, "link")) leading elsewhere"
    }
}
