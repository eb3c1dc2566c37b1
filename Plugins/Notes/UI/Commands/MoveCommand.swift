import Commands
import HubKit
import NotesDomain

/// `hub notes move`: moves notes to a folder.
enum MoveCommand {
    private static let words = Arguments<String>(
        "NOTE… FOLDER", .oneOrMore, help: "notes, then the folder; / for the top one",
        completion: NoteCommands.entity.completion)

    static let command = Command(
        "move", summary: "move notes to a folder",
        examples: [
            Example("hub notes move shopping home/lists", "one note"),
            Example("hub notes move shopping /", "to the top folder"),
        ], prominence: .more, parameters: [words], changes: true
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
        if input.dryRun { return .done("Would move \(names) to \(place)") }
        _ = try await notes.move(chosen.map(\.id), to: cleaned, operation: Operation(input))
        return .edited("\(names): moved to \(place)")
    }
}
