import CivilDate
import Commands
import HubKit
import MinteeDomain

/// `hub mintee analyses show`: draws the chart of an analysis or a task.
enum AnalysisChartCommand {
    private static let shown = Argument<String>(
        "NAME", help: "an analysis or a task: its id or name", completion: .dynamic(completion))
    private static let options = AnalysisOptions()
    private static let svg = Option<String>(
        "svg", "FILE", help: "write an SVG image to FILE, or - for stdout", completion: .files(["svg"]))

    @Sendable private static func completion(
        _ host: any PluginHost, _ typed: String
    ) async throws -> [CompletionWord] {
        guard case .dynamic(let analyses) = AnalysesCommands.entity.completion,
            case .dynamic(let tasks) = TaskCommands.entity.completion
        else { return [] }
        return try await analyses(host, typed) + tasks(host, typed)
    }

    static let command = Command(
        "show", summary: "draw a chart of an analysis or a task",
        examples: [
            Example("hub mintee analyses show Health", "as a grid of days"),
            Example("hub mintee analyses show Water --type line --days 90 --svg water.svg", "as an image"),
        ], parameters: [shown] + options.ofChart + [svg], exclusive: AnalysisOptions.exclusive,
        fields: ChartedDay.fields
    ) { (mintee: MinteePlugin, input: Input) in
        let result = try await chart(mintee, input)
        if let file = input[svg] {
            let picture = ChartSVG(result.chart)
            return .file(Array((result.kind == .box ? picture.box : picture.line).utf8), path: file)
        }
        var output = Output(.rows(Rows(result.chart.cells, ChartedDay.fields)))
        output.layout = { ChartDrawing(result).lines(width: $0) }
        return output
    }

    private static func chart(_ mintee: MinteePlugin, _ input: Input) async throws -> ConfiguredChart {
        let word = input[shown]
        let range = try options.range(input, today: mintee.day.today)
        let kind = input[options.type]?.kind
        do {
            let found = try await mintee.analyses.select(word, asking: input)
            return try await mintee.chart(analysis: found.id, kind: kind, range: range)
        } catch let error as HubError where error.code == "analysis-not-found" {}
        let task = try await mintee.tasks.select(word, asking: input)
        let fallback = kind == .line ? AnalysisRange.last(days: 28) : nil
        return try await mintee.chart(task: task.id, kind: kind, range: range ?? fallback)
    }
}

/// A day of a chart as a row.
enum ChartedDay {
    static let fields = [
        Field<Chart.Cell>("date", "DATE", help: "the day") { .day($0.date) },
        Field<Chart.Cell>("reached", "REACHED", help: "number of tasks that reached their target") {
            .integer($0.tally.reached)
        },
        Field<Chart.Cell>("under", "UNDER", help: "number of tasks under their target") { .integer($0.tally.under) },
        Field<Chart.Cell>("over", "OVER", help: "number of tasks over their target") { .integer($0.tally.over) },
        Field<Chart.Cell>(
            "value", "VALUE", help: "value of a single task, or share reached of several; null if nothing counts"
        ) { $0.value.map { .number(NumberText.text($0)) } ?? .null },
    ]
}
