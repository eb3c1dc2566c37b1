import CivilDate
import Commands
import HubKit
import NotesDomain

/// `hub notes daily`: the note of today.
enum DailyCommand {
    private static let text = Arguments<String>(
        "TEXT", .zeroOrMore,
        help: "line to add, or - to read lines from stdin; without it, the note is opened in the editor")
    private static let folder = Option<String>(
        "folder", "FOLDER", help: "folder of daily notes (default: daily); / for the top one")

    static let command = Command(
        "daily", summary: "open today's note, or add a line to it",
        discussion: [
            "The title is the date, such as 2026-11-20, as in Obsidian. The note is created when it is needed first, from the template "
                + "if one is given."
        ],
        examples: [
            Example("hub notes daily", "in the editor"),
            Example(#"hub notes daily "met Ada at the station""#, "one line more"),
            Example("hub notes daily --template day --folder journal", "created from a template"),
        ], prominence: .more, parameters: [text, folder, NewCommand.template], fields: NoteListItem.fields,
        changes: true
    ) { (notes: NotesPlugin, input: Input) in
        let title = TimeZoneRules.system.localTime(at: notes.clock.now).day.description
        let folder = NoteFileName.folder(input[folder] ?? "daily")
        let known = try await notes.note(titled: title, in: folder)
        var added = input[text] == ["-"] ? try await input.standardText() : input[text].joined(separator: " ")
        if added.hasSuffix("\n") { added.removeLast() }
        if input.dryRun {
            return .done("Would \(known == nil ? "create" : "open") \(folder.isEmpty ? "" : folder + "/")\(title)")
        }
        let operation = Operation(input)
        var id = known?.id
        if id == nil {
            var draft = try await NewCommand.draft(title, notes, input)
            draft.folder = folder
            id = try await notes.create(draft, operation: operation).id
        }
        guard let id else { return .nothing }
        if !added.isEmpty { _ = try await notes.append(added, to: id, operation: operation) }
        guard added.isEmpty, input.console.canEdit else {
            let row = try await notes.notes.listed(notes.notes.get(id).summary)
            let isChanged = known == nil || !added.isEmpty
            return isChanged
                ? .edited("\(row.label): today's note", row, NoteListItem.fields) : .done("\(row.label): today's note")
        }
        return try await EditCommand.edit(id, notes, input)
    }
}
