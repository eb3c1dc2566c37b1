import Commands
import HubKit
import NotesDomain

/// `hub notes pin` and `unpin`.
enum PinCommands {
    static let pin = command("pin", "pin notes to the top of lists", true)
    static let unpin = command("unpin", "unpin notes", false)

    private static func command(_ verb: String, _ summary: String, _ isPinned: Bool) -> Command {
        Command(
            verb, summary: summary,
            examples: [
                Example("hub notes \(verb) shopping", "one note"), Example("hub notes \(verb) last", "the newest note"),
            ], prominence: .more,
            parameters: [NoteCommands.many], fields: NoteListItem.fields, changes: true
        ) { (notes: NotesPlugin, input: Input) in
            let chosen = try await notes.notes.select(input[NoteCommands.many], asking: input)
            let names = chosen.map(\.shownName).joined(separator: ", ")
            if input.dryRun { return .done("Would \(verb) \(names)") }
            let changed = try await notes.setPinned(isPinned, of: chosen.map(\.id), operation: Operation(input))
            guard !changed.isEmpty else { return .done("Nothing changed") }
            let shown = changed.map { $0.summary.shownName }.joined(separator: ", ")
            return .edited("\(isPinned ? "Pinned" : "Unpinned"): \(shown)")
        }
    }
}
