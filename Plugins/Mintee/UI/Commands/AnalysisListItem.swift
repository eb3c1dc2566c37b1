import HubKit
import MinteeDomain

/// An analysis as a row.
struct AnalysisListItem: Sendable {
    let record: AnalysisRecord
    let shortID: String

    static let fields = [
        Field<AnalysisListItem>("id", "ID", help: "id of the analysis") { .id($0.record.id, shown: $0.shortID.count) },
        Field<AnalysisListItem>("name", "ANALYSIS", help: "name of the analysis") { .text($0.record.analysis.name) },
        Field<AnalysisListItem>("type", "TYPE", help: "box or line") { .text($0.record.analysis.kind.name) },
        Field<AnalysisListItem>("range", "RANGE", help: "days covered") { .text($0.record.analysis.range.text) },
        Field<AnalysisListItem>(
            "tags", "TAGS", help: "the tags", cell: { $0.record.analysis.tags.joined(separator: ", ") }
        ) { FieldValue($0.record.analysis.tags) },
        Field<AnalysisListItem>(
            "order", "HOME", help: "position on the home page, from 0; -1 if not shown", align: .trailing,
            cell: { $0.record.order < 0 ? "" : String($0.record.order + 1) }
        ) { .integer($0.record.order) },
    ]
}

extension MinteePlugin {
    /// The analyses as rows.
    func listed(_ records: [AnalysisRecord]) async throws -> [AnalysisListItem] {
        let short = try await shortenIDs(records.map(\.id))
        return records.map { AnalysisListItem(record: $0, shortID: short[$0.id] ?? $0.id) }
    }
}
