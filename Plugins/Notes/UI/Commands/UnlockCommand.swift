import Commands
import HubKit
import NotesDomain

/// `hub notes unlock`: asks the owner of a locked note for access.
enum UnlockCommand {
    private static let reason = Option<String>("message", short: "m", "REASON", help: "reason for the owner")

    static let command = Command(
        "unlock", summary: "ask the owner of a locked note for access",
        discussion: [
            "The request waits on the server until the owner answers it; the next sync then downloads the text."
        ],
        examples: [
            Example("hub notes unlock plans", "a note that hub notes list --locked shows"),
            Example(#"hub notes unlock plans -m "for the meeting on Monday""#, "with a reason"),
        ], prominence: .more, parameters: [NoteCommands.one, reason], fields: NoteView.fields, changes: true
    ) { (notes: NotesPlugin, input: Input) in
        let (note, label) = try await NoteCommands.labeled(notes, input)
        if input.dryRun { return .done("Would ask for access to \(label)") }
        if input.offline { throw HubError.offline }
        let server = try await notes.requestAccess(
            to: note, reason: input[reason] ?? "", operation: Operation(input))
        let next = server.map { " on \($0). Next: hub notes sync \($0)" } ?? ""
        return .done("\(label): asked for access\(next)")
    }
}
