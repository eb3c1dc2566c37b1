package import HubKit
package import MinteeDomain

/// What became of the tasks of an import.
package typealias TaskImportReport = ImportReport<TaskImportItem, ImportProblem>

/// One task of an import.
package struct TaskImportItem: ImportedItem {
    /// What became of it.
    package let outcome: ImportOutcome
    /// Its id; of a plan for a new one empty.
    package let id: String
    /// Its name here.
    package let name: String
    /// How many days it got; nil for an analysis.
    package let days: Int?
    /// What hub cannot carry, and what was kept as it is here.
    package let words: [String]
}
