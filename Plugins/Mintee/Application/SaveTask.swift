package import HubKit
package import MinteeDomain

/// Stores tasks and analyses from unchecked JSON.
package struct SaveTask: Sendable {
    let store: Store
    let day: DayBoundary

    package init(_ store: Store, day: DayBoundary) {
        self.store = store
        self.day = day
    }

    /// Creates the task of a document, with its entries. Throws `invalid` with all violated rules.
    package func task(_ json: JSONValue, operation: Operation) async throws -> TaskRecord {
        let (document, breaches) = TaskDocument.read(json, today: day.today)
        try (breaches + document.draft.farBreaches()).enforce()
        return try await store.write(operation) { transaction in
            let record = try transaction.createTask(document.draft.trimmed)
            try transaction.setSummary(document.summary, of: record.id)
            for (date, entry) in document.entries {
                guard record.draft.isDue(on: date) else {
                    throw HubError.notDue(record, on: date)
                }
                try transaction.setEntry(entry, of: record, on: date)
            }
            return record
        }
    }

    /// Returns the analysis of a document. Throws `invalid` with all rules that it violates by itself.
    package func analysis(_ json: JSONValue) throws(HubError) -> Analysis {
        let (analysis, breaches) = AnalysisDocument.read(json)
        try breaches.enforce()
        return analysis
    }

    /// Returns the chart settings of a task. Throws `invalid` with all violated rules.
    package func summary(_ json: JSONValue, of name: String) throws(HubError) -> TaskSummary {
        let (summary, breaches) = AnalysisDocument.readSummary(json, of: name)
        try breaches.enforce()
        return summary
    }
}
