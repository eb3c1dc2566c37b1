package import HubKit
package import MinteeDomain

/// The results of the tasks of an import.
package typealias TaskImportReport = ImportReport<TaskImportItem, ImportProblem>

/// One task of an import.
package struct TaskImportItem: ImportedItem {
    /// The outcome.
    package let outcome: ImportOutcome
    /// The id; empty for a new task of a plan.
    package let id: String
    /// The name here.
    package let name: String
    /// The number of imported days; nil for an analysis.
    package let days: Int?
    /// Descriptions of data that hub cannot represent, and of existing data that was kept.
    package let words: [String]
}
