import Commands
import HubKit
import NotesDomain
import Storage

/// `hub notes share` and `unshare`.
enum ShareCommands {
    private static let names = Arguments<String>("WHO", .oneOrMore, help: "names of accounts or ids of devices")

    static let share = command("share", "share a note with people", past: "shared with") {
        try await $0.share($1, with: $2, operation: $3)
    }

    static let unshare = command("unshare", "stop sharing a note with people", past: "no longer shared with") {
        try await $0.unshare($1, from: $2, operation: $3)
    }

    private static func command(
        _ verb: String, _ summary: String, past: String,
        _ act: @escaping @Sendable (NotesPlugin, String, [String], Operation) async throws -> NoteRecord
    ) -> Command {
        Command(
            verb, summary: summary,
            discussion: [
                "You own the notes that you share, under the name in the setting plugins.notes.name."
            ],
            examples: [
                Example("hub notes \(verb) shopping maria", "one person"),
                Example("hub notes \(verb) last maria jan", "two people"),
            ], prominence: .more, parameters: [NoteCommands.one, names], fields: NoteView.fields, changes: true
        ) { (notes: NotesPlugin, input: Input) in
            let chosen = try await notes.notes.select(input[NoteCommands.one], asking: input)
            let label = try await notes.notes.label(of: chosen)
            let people = input[names].joined(separator: ", ")
            if input.dryRun { return .done("Would \(verb) \(label): \(people)") }
            let note = try await act(notes, chosen.id, input[names], Operation(input))
            guard note.access != chosen.access else { return .done("Nothing changed") }
            let view = NoteView(note: note, shortID: try await notes.notes.shortID(of: note.id), backlinks: [])
            return .edited("\(label): \(past) \(people)", view, NoteView.fields)
        }
    }
}
