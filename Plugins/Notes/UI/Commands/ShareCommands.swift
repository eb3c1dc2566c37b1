import Commands
import HubKit
import NotesDomain
import Storage

/// `hub notes share` and `unshare`.
enum ShareCommands {
    private static let names = Arguments<String>("WHO", .oneOrMore, help: "names of accounts or ids of devices")

    private static let readOnly = Flag("read-only", help: "let them read the note, but not edit it")

    static let share = command(
        "share", "share a note with people", past: "shared with", parameters: [readOnly],
        examples: [Example("hub notes share shopping maria --read-only", "maria can read it, but not edit it")]
    ) {
        try await $0.share($1, with: $2, isReading: $3[readOnly], operation: Operation($3))
    }

    static let unshare = command("unshare", "stop sharing a note with people", past: "no longer shared with") {
        try await $0.unshare($1, from: $2, operation: Operation($3))
    }

    private static func command(
        _ verb: String, _ summary: String, past: String, parameters: [any ParameterDeclaration] = [],
        examples: [Example] = [],
        _ act: @escaping @Sendable (NotesPlugin, String, [String], Input) async throws -> NoteRecord
    ) -> Command {
        Command(
            verb, summary: summary,
            discussion: [
                "You own the notes that you share, under the name in the setting plugins.notes.name."
            ],
            examples: [
                Example("hub notes \(verb) shopping maria", "one person"),
                Example("hub notes \(verb) last maria jan", "two people"),
            ] + examples, prominence: .more, parameters: [NoteCommands.one, names] + parameters,
            fields: NoteView.fields, changes: true
        ) { (notes: NotesPlugin, input: Input) in
            let chosen = try await notes.notes.select(input[NoteCommands.one], asking: input)
            let label = try await notes.notes.label(of: chosen)
            let people = input[names].joined(separator: ", ")
            if input.dryRun { return .done("Would \(verb) \(label): \(people)") }
            let note = try await act(notes, chosen.id, input[names], input)
            guard note.access != chosen.access else { return .done("Nothing changed") }
            let view = NoteView(note: note, shortID: try await notes.notes.shortID(of: note.id), backlinks: [])
            return .edited("\(label): \(past) \(people)", view, NoteView.fields)
        }
    }
}
