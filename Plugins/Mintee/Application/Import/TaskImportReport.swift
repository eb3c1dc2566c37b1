package import MinteeDomain

/// What became of the tasks of an import.
package struct TaskImportReport: Sendable {
    /// What became of one task.
    package enum Outcome: String, Sendable {
        /// It is new, or came back from the trash.
        case new
        /// It was here and got days that it lacked.
        case updated
        /// All that the file says of it was here.
        case unchanged
    }

    /// One task of the file.
    package struct Item: Sendable {
        /// What became of it.
        package let outcome: Outcome
        /// Its id; of a plan for a new one empty.
        package let id: String
        /// Its name here.
        package let name: String
        /// How many days it got; nil for an analysis.
        package let days: Int?
        /// What hub cannot carry, and what was kept as it is here.
        package let words: [String]
    }

    /// How many items and problems are told one by one; the rest is only counted.
    package static let maximumItems = 100

    /// How many tasks there were of each outcome.
    package private(set) var counts: [Outcome: Int] = [:]
    /// How many things could not be used.
    package private(set) var skippedCount = 0
    /// The first tasks that are new or updated.
    package private(set) var items: [Item] = []
    /// Why the first of the skipped things could not be used.
    package private(set) var skipped: [ImportProblem] = []
    /// What was left out of the file as a whole.
    package internal(set) var notes: [String] = []

    /// How many tasks were made or changed.
    package var changedCount: Int { counts[.new, default: 0] + counts[.updated, default: 0] }

    /// How many things were found, good or bad.
    package var total: Int { counts.values.reduce(skippedCount, +) }

    mutating func add(_ item: Item, _ problem: ImportProblem? = nil) {
        if let problem { skip([problem]) }
        counts[item.outcome, default: 0] += 1
        if item.outcome != .unchanged, items.count < TaskImportReport.maximumItems { items.append(item) }
    }

    mutating func skip(_ problems: [ImportProblem]) {
        skippedCount += problems.count
        skipped += problems.prefix(TaskImportReport.maximumItems - skipped.count)
    }
}
