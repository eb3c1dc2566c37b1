import CivilDate
import Commands
import HubKit
import NotesDomain

/// `hub notes diff`: shows which lines changed between two times, who wrote them and when.
enum DiffCommand {
    /// The number of unchanged lines around a change.
    private static let context = 2

    private static let fields: [Field<ChangedLine>] = [
        Field("kind", "KIND", help: "added or removed") { .text($0.kind == .added ? "added" : "removed") },
        Field("text", "TEXT", help: "line without its end") { .text($0.text) },
        Field("person", "PERSON", help: "person who wrote most of an added line; null if unknown") {
            FieldValue($0.person)
        },
        Field("at", "WHEN", help: "time of its latest edit") { FieldValue($0.at) },
    ]

    static let command = Command(
        "diff", summary: "show who changed which lines of a note, and when",
        discussion: ["--since defaults to one day ago, --until to now."],
        examples: [
            Example("hub notes diff shopping --since 1w", "since last week"),
            Example("hub notes diff shopping --since 2026-11-01 --until 2026-11-08", "over one week"),
        ], prominence: .more, parameters: [NoteCommands.one, SharedOptions.since, SharedOptions.until], fields: fields
    ) { (notes: NotesPlugin, input: Input) in
        let chosen = try await notes.notes.select(input[NoteCommands.one], asking: input)
        let now = notes.clock.now
        let since = input[SharedOptions.since]?.instant(now: now, in: .system) ?? now - .seconds(86_400)
        let until = SharedOptions.end(of: input[SharedOptions.until], now: now) ?? now
        let difference = try await notes.difference(of: chosen.id, since: since, until: until)
        let changed = difference.lines.filter { $0.kind != .unchanged }
        var output = Output.list(changed, fields)
        output.human = lines(difference, now: now)
        if difference.isEmpty { output.notes.append(Diagnostic("\(chosen.shownName) did not change")) }
        return output
    }

    private static func lines(_ difference: NoteDifference, now: Instant) -> [String] {
        var lines: [String] = []
        let (before, after) = difference.titles
        if before != after { lines.append("title: \(before.isEmpty ? "none" : before) -> \(after)") }
        let all = difference.lines
        let changes = all.indices.filter { all[$0].kind != .unchanged }
        let shown = Set(changes.flatMap { max(0, $0 - context)...min(all.count - 1, $0 + context) })
        let width = shown.map { min(60, DisplayWidth.of(all[$0].text)) }.max() ?? 0
        var last = -1
        for index in shown.sorted() {
            if last >= 0, index > last + 1 { lines.append("    ...") }
            last = index
            let line = all[index]
            let sign = line.kind == .added ? "+" : line.kind == .removed ? "-" : " "
            guard let person = line.person else {
                lines.append("  \(sign) \(line.text)")
                continue
            }
            lines.append(
                "  \(sign) \(line.text.padded(to: width + 6))\(person)  \(line.at.map { time($0, now) } ?? "")")
        }
        return lines
    }

    /// The time of today, or the date.
    private static func time(_ at: Instant, _ now: Instant) -> String {
        let (local, today) = (TimeZoneRules.system.localTime(at: at), TimeZoneRules.system.localTime(at: now).day)
        guard local.day == today else { return local.day.description }
        let minutes = local.millisecond / 60_000
        let pair = [minutes / 60, minutes % 60].map { ($0 < 10 ? "0" : "") + String($0) }
        return pair.joined(separator: ":")
    }
}
