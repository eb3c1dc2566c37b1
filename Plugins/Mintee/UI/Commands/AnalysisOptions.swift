import CivilDate
import Commands
import HubKit
import MinteeDomain

/// `box` or `line` on the command line.
enum ChartKind: String, ChoiceArgument {
    case box, line

    var kind: AnalysisKind { self == .box ? .box : .line }
}

/// The options that describe an analysis.
struct AnalysisOptions: Sendable {
    let type = Option<ChartKind>("type", "TYPE", help: "box or line")
    let days = Option<Int>("days", "N", in: 1...Int(Int16.max), help: "the last N days")
    let from = Option<DateExpression>("from", "D", help: "first day; requires --to")
    let to = Option<DateExpression>("to", "D", help: "last day; requires --from")
    let tags = Option<[String]>(
        "tag", "TAG", help: "tasks with this tag (can be repeated)", completion: TaskCommands.entity.tagCompletion)
    let colors = Option<[String]>(
        "legend", "CATEGORY=RRGGBB",
        help: "colour of reached, under or over, or of a value range such as \"x >= 5\"=09B300")

    /// The options that also apply to a single chart.
    var ofChart: [any ParameterDeclaration] { [type, days, from, to] }

    /// All options, in the order of the help.
    var all: [any ParameterDeclaration] { ofChart + [tags, colors] }

    static let exclusive = [["days", "from"]]

    /// Returns the range of the options; nil without them.
    func range(_ input: Input, today: CivilDate) throws -> AnalysisRange? {
        if let count = input[days] { return .last(days: count) }
        guard input[from] != nil || input[to] != nil else { return nil }
        guard let first = input[from]?.day(today: today, .back), let last = input[to]?.day(today: today, .back) else {
            throw HubError.breaking("ANL-2", "", "--from and --to are given together, or neither")
        }
        return .dates(from: first, to: last)
    }

    /// Applies the options to an analysis.
    func apply(
        _ input: Input, to analysis: inout Analysis, today: CivilDate, _ mark: DecimalMark
    ) throws {
        if let kind = input[type]?.kind { analysis.kind = kind }
        if let range = try range(input, today: today) { analysis.range = range }
        if !input[tags].isEmpty { analysis.tags = input[tags] }
        let ranges = input[colors].filter { Legend.isRange(argument: $0) }
        guard ranges.isEmpty || ranges.count == input[colors].count else {
            throw HubError.breaking(
                "ALGND-1", "legend", "has colours of categories and of value ranges",
                hint: "use either reached, under and over, or value ranges")
        }
        for text in input[colors] { try analysis.legend.apply(argument: text, mark) }
    }
}

extension Legend {
    /// Whether an argument gives the colour of a value range.
    fileprivate static func isRange(argument text: String) -> Bool {
        let what = text.split(separator: "=", omittingEmptySubsequences: false).dropLast().joined(separator: "=")
        return what.contains { !$0.isLetter && !$0.isWhitespace }
    }

    /// Applies `reached=09B300` or `"3 <= x < 5"=09B300`; value ranges replace categories, and the other way round.
    fileprivate mutating func apply(argument text: String, _ mark: DecimalMark) throws {
        let parts = text.split(separator: "=", omittingEmptySubsequences: false)
        let hex = parts.last.map(String.init) ?? ""
        let what = parts.dropLast().joined(separator: "=")
        guard let color = LegendColor(hex.count == 6 ? hex + "FF" : hex) else {
            throw HubError(
                .usage, code: "color-invalid", "\"\(text)\" does not end with a colour",
                hint: "write reached=09B300: two hex digits each for red, green and blue")
        }
        let names: [String: CompletionCategory] = ["reached": .reached, "under": .under, "over": .over]
        if let category = names[what.lowercased()] {
            var entries = completions.isEmpty ? categorized : Legend.standard.categorized
            entries.removeAll { $0.category == category }
            let order: [CompletionCategory] = [.reached, .over, .under]
            entries.append(Legend.CategoryEntry(category, color))
            entries.sort { (order.firstIndex(of: $0.category) ?? 0) < (order.firstIndex(of: $1.category) ?? 0) }
            self = Legend(categorized: entries)
        } else if what.allSatisfy({ $0.isLetter || $0.isWhitespace }) {
            let near = Suggestion.nearest(to: what, in: names.keys.sorted())
            throw HubError(
                .usage, code: "legend-invalid", "unknown legend category \"\(what)\"",
                hint: near.map { "did you mean \($0)?" }
                    ?? #"write reached, under or over, or a value range: "x >= 5"=09B300"#)
        } else {
            do throws(TextProblem) {
                let target = try Target(what, mark)
                self = Legend(completions: completions + [Legend.CompletionEntry(target, color)])
            } catch {
                throw HubError(
                    error, in: what, what: "a value range", hint: #"write "x >= 5"=09B300 or "3 <= x < 5"=FFAA00"#)
            }
        }
    }
}
