import Commands
import DictofunDomain
import HubKit

/// `hub dictofun list`: lists records, the newest first.
enum ListCommand {
    private static let words = Arguments<String>("WORD", .zeroOrMore, help: "only records that have all words")
    private static let sort = Option<RecordFilter.Order>("sort", "FIELD", help: "sort by recorded, added or length")

    static let command = Command(
        "list", summary: "list records, newest first",
        examples: [
            Example("hub dictofun list --since 1w", "of the last week"),
            Example("hub dictofun list --tag idea --sort length", "with a tag, the longest first"),
        ],
        parameters: [
            words, RecordCommands.tags, sort, SharedOptions.reverse, SharedOptions.limit, SharedOptions.since,
            SharedOptions.until, SharedOptions.trash,
        ], fields: RecordListItem.fields
    ) { (dictofun: DictofunPlugin, input: Input) in
        var filter = RecordFilter()
        (filter.words, filter.tags) = (input[words], input[RecordCommands.tags])
        let now = dictofun.clock.now
        let zone = TimeZoneRules.system
        filter.since = (input[SharedOptions.since]?.instant(now: now, in: zone)).map(zone.localTime(at:))
        filter.until = SharedOptions.end(of: input[SharedOptions.until], now: now).map(zone.localTime(at:))
        filter.order = input[sort] ?? .recorded
        filter.isReversed = input[SharedOptions.reverse]
        filter.isTrash = input[SharedOptions.trash]
        let (found, total) = try await dictofun.listRecords(filter, limit: input.rowLimit())
        let isFiltered = !filter.words.isEmpty || !filter.tags.isEmpty || filter.since != nil || filter.until != nil
        let empty =
            filter.isTrash
            ? Diagnostic("No records in the trash")
            : isFiltered ? Diagnostic("No records match") : DictofunCommand.empty
        var output = Output.list(
            try await dictofun.records.listed(found), RecordListItem.fields,
            count: Output.count(found.count, of: total, "records"), empty: empty)
        for (machine, count) in try await dictofun.soundPlaces(of: found.map(\.id)) {
            output.notes.append(
                Diagnostic(
                    "\(count) of these sounds \(count == 1 ? "is" : "are") on \(machine), and come when they are played"
                ))
        }
        return output
    }
}

extension RecordFilter.Order: ChoiceArgument {}
