import CivilDate
import Commands
import HubKit
import MinteeDomain

/// Routes for analyses: those that every entity has, and those with the use cases of `analyses` and its subcommands.
enum AnalysisRoutes {
    static let entity = AnalysesCommands.entity.web(at: "/api/mintee/analyses", show: show) { mintee, query in
        let words = SearchWords.split(query.words)
        return try await mintee.listAnalyses().filter { SearchWords.begin(words, in: SearchWords.split($0.name)) }
    }

    @Sendable private static func show(
        _ mintee: MinteePlugin, _ record: AnalysisRecord, _: RouteRequest
    ) async throws -> Output {
        let form = FieldValue(try mintee.form(of: record))
        let fields =
            AnalysisListItem.fields + [
                Field("revision", "REVISION", help: "revision, incremented by every change") {
                    .integer($0.summary.revision)
                },
                Field("deleted_at", "DELETED", help: "time of the move to the trash") {
                    FieldValue($0.summary.deletedAt)
                },
                Field("form", "FORM", help: "form fields with their values") { _ in form },
                Field("bands", "BANDS", help: "value ranges of the legend as text") {
                    FieldValue($0.summary.analysis.legend.completions.map(\.target.words))
                },
            ]
        return .record(try await mintee.analyses.listed(record), fields)
    }

    static let all = [
        Route(
            .get, "/api/mintee/analyses/{id}/chart",
            summary: "get the chart of an analysis; type, days, from and to override its own"
        ) { (mintee: MinteePlugin, request) in
            let (kind, range) = try look(request)
            let result = try await mintee.chart(analysis: try request.id, kind: kind, range: range)
            return .output(.record(result, ChartFields.all))
        },
        Route(.get, "/api/mintee/tasks/{id}/chart", summary: "get the chart of a task by type, days, from and to") {
            (mintee: MinteePlugin, request) in
            let (kind, range) = try look(request)
            let result = try await mintee.chart(task: try request.id, kind: kind, range: range)
            return .output(.record(result, ChartFields.all))
        },
        Route(
            .post, "/api/mintee/analyses", summary: "create an analysis", details: "from the fields of a form",
            body: "{}",
            fields: AnalysisListItem.fields
        ) {
            (mintee: MinteePlugin, request) in
            let analysis = try mintee.analysis(from: try request.json())
            let record = try await mintee.createAnalysis(analysis, operation: request.operation)
            return .created(
                .record(try await mintee.analyses.listed(record), AnalysisListItem.fields),
                location: "/api/mintee/analyses/\(record.id)")
        },
        Route(
            .put, "/api/mintee/analyses/order", summary: "set the home page's analyses and their order",
            body: #"{"ids": ["…"]}"#, required: ["ids"],
            fields: AnalysisListItem.fields
        ) { (mintee: MinteePlugin, request) in
            guard let values = try request.json()["ids"]?.array else {
                throw HubError(.invalid, code: "ids-missing", #"the body must contain "ids", an array of ids"#)
            }
            let ids = values.compactMap(\.string)
            guard ids.count == values.count else { throw HubError(field: "ids", "must be an array of strings") }
            try await mintee.orderAnalyses(ids, operation: request.operation)
            return .output(
                .list(try await mintee.analyses.listed(try await mintee.listAnalyses()), AnalysisListItem.fields))
        },
        Route(
            .put, "/api/mintee/analyses/{id}", summary: "edit an analysis",
            details: "with all fields of the form; `If-Match` holds the revision", body: "{}",
            fields: AnalysisListItem.fields
        ) {
            (mintee: MinteePlugin, request) in
            let analysis = try mintee.analysis(from: try request.json())
            let record = try await mintee.updateAnalysis(
                try request.id, expecting: try request.revision, operation: request.operation
            ) { $0 = analysis }
            return .output(.record(try await mintee.analyses.listed(record), AnalysisListItem.fields))
        },
    ]

    /// Returns the chart type and range of the query.
    private static func look(_ request: RouteRequest) throws(HubError) -> (kind: AnalysisKind?, range: AnalysisRange?) {
        var kind: AnalysisKind?
        if let type = request.query["type"] {
            guard let chosen = ChartKind(rawValue: type) else { throw HubError(field: "type", "must be box or line") }
            kind = chosen.kind
        }
        let (first, last) = (try request.day("from"), try request.day("to"))
        if let days = try request.number("days", in: 1...Int(Int16.max)) {
            guard first == nil, last == nil else {
                throw HubError(field: "days", "cannot be combined with from and to")
            }
            return (kind, .last(days: days))
        }
        guard first != nil || last != nil else { return (kind, nil) }
        guard let first, let last else {
            throw HubError.breaking("ANL-2", "", "a range of fixed days requires both from and to")
        }
        guard first <= last else { throw HubError.breaking("ANL-12", "", "the range ends before it starts") }
        return (kind, .dates(from: first, to: last))
    }
}

/// A chart with its days.
enum ChartFields {
    static let all = [
        Field<ConfiguredChart>("name", "NAME", help: "name of the analysis or task") { .text($0.chart.name) },
        Field<ConfiguredChart>("type", "TYPE", help: "box or line") { .text($0.kind.name) },
        Field<ConfiguredChart>("range", "RANGE", help: "days covered") { .text($0.range.text) },
        Field<ConfiguredChart>("tags", "TAGS", help: "tags of the analysis") { FieldValue($0.tags) },
        Field<ConfiguredChart>("tasks", "TASKS", help: "names of the tasks") { FieldValue($0.chart.tasks) },
        Field<ConfiguredChart>("reached", "REACHED", help: "number of due days that reached their target") {
            .integer($0.chart.total.reached)
        },
        Field<ConfiguredChart>("under", "UNDER", help: "number of due days under their target") {
            .integer($0.chart.total.under)
        },
        Field<ConfiguredChart>("over", "OVER", help: "number of due days over their target") {
            .integer($0.chart.total.over)
        },
        Field<ConfiguredChart>("due", "DUE", help: "number of due days that count") {
            .integer($0.chart.total.due)
        },
        Field<ConfiguredChart>("target", "TARGET", help: "target of a single task: words, min and max; null for none") {
            $0.chart.target.map(target) ?? .null
        },
        Field<ConfiguredChart>("days", "DAYS", help: "each day, with its colour of the legend") { result in
            .list(result.chart.cells.map { FieldValue($0, ChartedDay.fields + [color(in: result.chart)]) })
        },
    ]

    private static func target(_ target: Target) -> FieldValue {
        .object([
            .init("words", .text(target.words)),
            .init("min", target.minOperator == .none ? .null : .number(NumberText.text(target.min))),
            .init("max", target.maxOperator == .none ? .null : .number(NumberText.text(target.max))),
        ])
    }

    private static func color(in chart: Chart) -> Field<Chart.Cell> {
        Field("color", "COLOUR", help: "colour of the legend in CSS; null for the standard colours or no value") {
            cell in
            chart.legend == .standard ? .null : FieldValue(chart.color(of: cell)?.css)
        }
    }
}
