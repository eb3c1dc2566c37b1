import HubKit
package import MinteeDomain
package import Storage

extension MinteePlugin {
    /// Returns the analyses on the home page in their order, then all others; with `inTrash` those in the trash.
    package func listAnalyses(inTrash: Bool = false) async throws -> [AnalysisRecord] {
        try await store.read { try $0.analyses(inTrash: inTrash) }
    }

    /// Stores a new analysis, not on the home page. Throws `invalid` with the code of the violated rule.
    package func createAnalysis(_ analysis: Analysis, operation: Operation) async throws -> AnalysisRecord {
        try await store.write(operation) { transaction in
            let analysis = try transaction.checked(analysis, id: nil)
            let id = Identifier.make()
            try transaction.insertAnalysis(id, analysis)
            let record = try AnalysisRecord.kind.item(id, in: transaction)
            try transaction.emit(MinteeEvents.analysesChanged, record)
            return record
        }
    }

    /// Changes the analysis `id`. Throws `not-found`, `invalid`, and `conflict` if it is not at `revision`.
    package func updateAnalysis(
        _ id: String, expecting revision: Int? = nil, operation: Operation,
        change: @escaping @Sendable (inout Analysis) throws -> Void
    ) async throws -> AnalysisRecord {
        try await store.write(operation) { transaction in
            let record = try AnalysisRecord.kind.live(id, expecting: revision, in: transaction)
            var analysis = record.analysis
            try change(&analysis)
            analysis = try transaction.checked(analysis, id: id)
            if analysis == record.analysis { return record }
            try transaction.updateAnalysis(id, analysis)
            let changed = try AnalysisRecord.kind.item(id, in: transaction)
            try transaction.emit(MinteeEvents.analysesChanged, changed)
            return changed
        }
    }

    /// Sets the analyses of the home page, in this order; all others are removed from it.
    ///
    /// Throws `invalid` (ANL-5) if an analysis is given twice.
    package func orderAnalyses(_ ids: [String], operation: Operation) async throws {
        let orders = ids.indices.map { ids.firstIndex(of: ids[$0]) ?? $0 }
        try AnalysisOrder.violations(orders).map { RuleViolation($0, "order", "lists an analysis twice") }.enforce()
        try await store.write(operation) { transaction in
            let all = try transaction.analyses()
            for id in ids where !all.contains(where: { $0.id == id }) {
                throw AnalysisRecord.kind.notFound(id)
            }
            let orders = all.map { ids.firstIndex(of: $0.id) ?? AnalysisOrder.excluded }
            try transaction.setAnalysisOrders(zip(all, orders).map { (id: $0.id, order: $1) })
            for (record, order) in zip(all, orders) where record.order != order {
                try transaction.emit(MinteeEvents.analysesChanged, record)
            }
        }
    }
}

extension Transaction {
    /// Returns the analysis with its tags in their stored spelling; throws if it violates a rule.
    fileprivate func checked(_ analysis: Analysis, id: String?) throws -> Analysis {
        var analysis = analysis
        analysis.name = analysis.name.singleSpaced
        try analysis.violations.enforce()
        try analysis.range.requireBounded(of: analysis.name)
        try requireAnalysisName(analysis.name, of: id)
        analysis.tags = try analysis.tags.map { name in
            guard let tag = try tag(named: name) else {
                throw HubError(
                    breaking: [
                        RuleViolation(
                            "I-2", name, name.isBlank ? "a tag has a name" : "is a tag that no task has", field: "tags")
                    ],
                    hint: "hub mintee tags lists all tags")
            }
            return tag
        }
        return analysis
    }
}
