package import HubKit
package import MinteeDomain
import Storage

extension AnalysisRecord: EntityRecord, EntitySummary {
    /// The name of the analysis.
    package var name: String { analysis.name }
}

extension AnalysisRecord {
    /// The description of analyses, from which their selectors and trash follow.
    package static let kind: EntityKind<AnalysisRecord> = EntityKind(
        one: "analysis", many: "analyses", command: "hub mintee analyses", table: "mintee_analysis",
        idTables: ["mintee_analysis", "mintee_task"], topics: MinteeEvents.analysisTopics,
        selectors: .names(words: SearchWords.split) { try $1.analyses(inTrash: $0) },
        rules: EntityKind<AnalysisRecord>.Rules(
            willDelete: { try $1.hideAnalysis($0.id) },
            willRestore: { try $1.requireAnalysisName($0.name, of: $0.id) }, destroy: { try $1.destroyAnalysis($0) }),
        past: past, find: { try $1.analysis($0) })

    private static let past = EntityPast { _, rows in
        let table = "mintee_analysis"
        guard rows.has(table) else { return [] }
        func text(_ column: String) -> String { rows.text(column, of: table) }
        let days =
            text("start_day").isEmpty
            ? "last \(text("date_range")) days" : "\(text("start_day")) to \(text("end_day"))"
        return [
            ("name", text("name")), ("type", text("type") == "0" ? "box" : "line"), ("range", days),
            ("home", Int(text("home")).map { $0 < 0 ? "" : String($0 + 1) } ?? ""),
            ("tags", rows.texts("tag", of: "mintee_analysis_tag").sorted().joined(separator: ", ")),
        ]
    }
}

extension Transaction {
    /// Throws if another live analysis has this name.
    func requireAnalysisName(_ name: String, of id: String?) throws {
        guard let other = try analysisID(named: name), other != id else { return }
        throw HubError.breaking(
            "ANL-6", name, "is already the name of another analysis",
            hint: "rename that one: hub mintee analyses edit \"\(name)\" --name NAME")
    }
}
