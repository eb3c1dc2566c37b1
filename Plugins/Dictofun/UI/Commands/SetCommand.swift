import CivilDate
import Commands
import DictofunDomain
import HubKit

/// `hub dictofun set`: corrects the title and the time of a record.
enum SetCommand {
    private static let assignments = Arguments<String>(
        "FIELD=VALUE", .oneOrMore, help: "title=…, and date=… with a day, a time of the day, both, or unknown")

    static let command = Command(
        "set", summary: "correct the title and time of a record",
        discussion: [
            "A date is 2026-03-07, 2026-03-07T08:26 or 08:26; what it does not say stays as it is. date=unknown keeps the day alone, and lists "
                + "show a question mark. A title takes the place of the name of the imported file. The sound itself is not changed."
        ],
        examples: [
            Example(#"hub dictofun set last title="Call with Ann""#, "a title of your own"),
            Example("hub dictofun set plumber date=2026-03-07T08:26", "the time at which it was recorded"),
        ], prominence: .more, parameters: [RecordCommands.one, assignments], fields: RecordListItem.fields,
        changes: true
    ) { (dictofun: DictofunPlugin, input: Input) in
        var correction = RecordCorrection()
        for word in input[assignments] { try correction.assign(word) }
        let record = try await RecordCommands.record(dictofun, input)
        if input.dryRun { return .done("Would correct \(record.summary.shownName)") }
        let saved = try await dictofun.correct(
            record.id, correction, expecting: record.revision, operation: Operation(input))
        let row = try await dictofun.records.listed(saved.summary)
        return .edited("\(row.label): corrected", row, RecordListItem.fields)
    }
}

extension RecordCorrection {
    /// Takes an assignment such as `title=…`. Throws a usage error.
    mutating func assign(_ word: String) throws(HubError) {
        let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, ["title", "date"].contains(parts[0]) else {
            throw HubError(
                .usage, code: "no-assignment", "\"\(word)\" is not an assignment of title or date",
                hint: "use title=\"…\" or date=2026-03-07T08:26")
        }
        if parts[0] == "title" {
            title = TerminalSanitizer.line(String(parts[1]))
        } else {
            try assign(date: String(parts[1]))
        }
    }

    /// Takes a day, a time of the day, or both, with or without seconds. Throws a usage error.
    mutating func assign(date text: String) throws(HubError) {
        if text == "unknown" {
            isTimeUnknown = true
            return
        }
        let parts = text.split { $0 == "T" || $0 == "t" || $0 == " " }
        if let first = parts.first, let day = CivilDate(first) {
            self.day = day
            if parts.count == 1 { return }
        }
        let clock = (parts.last ?? "").split(separator: ":", omittingEmptySubsequences: false)
        let numbers = clock.compactMap { $0.count <= 2 && $0.allSatisfy(\.isWholeNumber) ? Int($0) : nil }
        guard parts.count == (day == nil ? 1 : 2), (2...3).contains(clock.count), numbers.count == clock.count,
            numbers[0] < 24, numbers[1...].allSatisfy({ $0 < 60 })
        else {
            throw HubError(
                .usage, code: "date-invalid", "invalid date \"\(text)\"",
                hint: "use 2026-03-07, 2026-03-07T08:26, 08:26 or unknown")
        }
        millisecond = ((numbers[0] * 60 + numbers[1]) * 60 + (numbers.count == 3 ? numbers[2] : 0)) * 1000
    }
}
