import Commands
import HubKit
import NotesDomain

/// `hub notes move`: moves notes to a folder.
enum MoveCommand {
    private static let words = Arguments<String>(
        "NOTE… FOLDER", .oneOrMore, help: "notes, then the folder; / for the top one",
        completion: NoteCommands.entity.completion)

    private static let keepsLinks = Flag("keep-links", help: "leave links as they are")

    static let command = Command(
        "move", summary: "move notes to a folder, and update links",
        discussion: [
            "Links that would no longer lead where they lead now are shown before they are changed, and confirmed: those to the notes, "
                + "those in them to other notes and to attachments, and those to other notes of the same name. One undo reverts everything."
        ],
        examples: [
            Example("hub notes move shopping home/lists", "one note"),
            Example("hub notes move shopping /", "to the top folder"),
            Example("hub notes move trip travel -n", "only show which links would change"),
        ], prominence: .more, parameters: [words, keepsLinks], fields: RenameCommands.fields, changes: true
    ) { (notes: NotesPlugin, input: Input) in
        guard input[words].count > 1, let folder = input[words].last else {
            throw HubError(
                .usage, code: "missing-argument", "hub notes move needs notes and a folder",
                hint: "hub notes move NOTE FOLDER; / is the top folder")
        }
        let chosen = try await notes.notes.select(input[words].dropLast(), asking: input)
        let cleaned = NoteFileName.folder(folder)
        let place = cleaned.isEmpty ? "the top folder" : cleaned
        let names = chosen.map(\.shownName).joined(separator: ", ")
        let (ids, operation) = (chosen.map(\.id), Operation(input))
        let plan = input[keepsLinks] ? [] : try await notes.planMove(ids, to: cleaned, operation: operation)
        if input.dryRun { return RenameCommands.preview("move \(names) to \(place)", plan) }
        guard try await RenameCommands.confirms(plan, "Move \(names) to \(place)", input) else { return .cancelled }
        let moved = try await notes.move(ids, to: cleaned, updatesLinks: !input[keepsLinks], operation: operation)
        let links = moved.links.isEmpty ? "" : ", with \(RenameCommands.counted(moved.links))"
        return .edited("\(names): moved to \(place)\(links)")
    }
}
