import Commands
import DictofunDomain
import HubKit

/// `hub dictofun edit`: corrects the text of a record.
enum EditCommand {
    private static let text = Option<String>("text", "TEXT", help: "new text; - for stdin")
    private static let revert = Flag("revert", help: "discard your version and restore the engine's text")

    static let command = Command(
        "edit", summary: "correct the text of a record",
        discussion: [
            "The editor shows a line for each phrase; keep the lines, and exports keep the times of the phrases. The text of the engine "
                + "is kept, and --revert restores it."
        ],
        examples: [
            Example("hub dictofun edit plumber", "in $VISUAL or $EDITOR"),
            Example(#"hub dictofun edit last --text "Call the plumber""#, "without an editor"),
            Example("hub dictofun edit last --revert", "restore the engine's text"),
        ], parameters: [RecordCommands.one, text, revert], exclusive: [["text", "revert"]],
        fields: RecordListItem.fields,
        changes: true
    ) { (dictofun: DictofunPlugin, input: Input) in
        let record = try await RecordCommands.record(dictofun, input)
        let transcript = record.record.transcript
        let old = transcript.lines
        var new: String?
        if !input[revert] {
            if let given = input[text] {
                new = transcript.brokenIntoPhrases(given == "-" ? try await input.standardText() : given)
            } else if input.dryRun {
                return .done("Would open the text of \(record.summary.shownName) in the editor")
            } else {
                let saved = try await input.edit(
                    old.isEmpty ? "" : old + "\n", suffix: ".txt", option: "hub dictofun edit RECORD --text TEXT")
                new = saved
            }
            var lines = new?.split(separator: "\n", omittingEmptySubsequences: false) ?? []
            while lines.last?.allSatisfy(\.isWhitespace) == true { lines.removeLast() }
            new = lines.joined(separator: "\n")
            if new == old { return .cancelled }
        }
        if input.dryRun { return .done("Would change the text of \(record.summary.shownName)") }
        let saved = try await dictofun.editTranscript(
            of: record.id, new, expecting: record.revision, operation: Operation(input))
        let row = try await dictofun.records.listed(saved.summary)
        let what =
            saved.revision == record.revision ? "unchanged" : input[revert] ? "engine's text restored" : "text changed"
        return .edited("\(row.label): \(what)", row, RecordListItem.fields)
    }
}
