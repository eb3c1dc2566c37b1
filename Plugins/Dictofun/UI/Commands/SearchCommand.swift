import Commands
import HubKit

/// `hub dictofun search`: finds records by what was said, best match first.
enum SearchCommand {
    private static let words = Arguments<String>("WORD", .oneOrMore, help: "words or beginnings of words")

    static let command = Command(
        "search", summary: "search records by text, name or tag, best match first",
        examples: [
            Example("hub dictofun search plumber", "by a word"),
            Example("hub dictofun search call boil", "by beginnings of words"),
        ], prominence: .more, parameters: [words, SharedOptions.limit], fields: RecordListItem.fields
    ) { (dictofun: DictofunPlugin, input: Input) in
        let (found, total) = try await dictofun.searchRecords(input[words], limit: input.rowLimit(50))
        return .matches(
            try await dictofun.records.listed(found), RecordListItem.fields,
            count: Output.count(found.count, of: total, "matches"),
            none: Diagnostic("No record matches \"\(input[words].joined(separator: " "))\""))
    }
}
