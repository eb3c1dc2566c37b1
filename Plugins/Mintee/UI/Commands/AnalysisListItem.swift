import HubKit
import MinteeDomain

/// An analysis as a row.
typealias ListedAnalysis = ListedEntity<AnalysisRecord>

/// The columns of analyses.
enum AnalysisListItem {
    static let fields = [
        Field<ListedAnalysis>("id", "ID", help: "id of the analysis") { .id($0.summary.id, shown: $0.shortID.count) },
        Field<ListedAnalysis>("name", "ANALYSIS", help: "name of the analysis") { .text($0.summary.analysis.name) },
        Field<ListedAnalysis>("type", "TYPE", help: "box or line") { .text($0.summary.analysis.kind.name) },
        Field<ListedAnalysis>("range", "RANGE", help: "days covered") { .text($0.summary.analysis.range.text) },
        Field<ListedAnalysis>(
            "tags", "TAGS", help: "the tags", cell: { $0.summary.analysis.tags.joined(separator: ", ") }
        ) { FieldValue($0.summary.analysis.tags) },
        Field<ListedAnalysis>(
            "order", "HOME", help: "position on the home page, from 0; -1 if not shown", align: .trailing,
            cell: { $0.summary.order < 0 ? "" : String($0.summary.order + 1) }
        ) { .integer($0.summary.order) },
    ]
}
