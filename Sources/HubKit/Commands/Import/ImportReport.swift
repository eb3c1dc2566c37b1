/// What became of the items of an import: counted, and the first ones told one by one.
package struct ImportReport<Item: ImportedItem, Problem: Sendable>: Sendable {
    /// How many items and problems are told one by one; the rest is only counted.
    package static var maximumItems: Int { 100 }

    /// How many items there were of each outcome.
    package private(set) var counts: [ImportOutcome: Int] = [:]
    /// How many things could not be used.
    package private(set) var skippedCount = 0
    /// The first items that are new or updated.
    package private(set) var items: [Item] = []
    /// Why the first of the skipped things could not be used.
    package private(set) var skipped: [Problem] = []
    /// What was left out of the file as a whole, in words for a person.
    package var notes: [String] = []

    /// The report of an import that has read nothing yet.
    package init() {}

    /// How many items were made or changed.
    package var changedCount: Int { counts[.new, default: 0] + counts[.updated, default: 0] }

    /// How many things were found, good or bad.
    package var total: Int { counts.values.reduce(skippedCount, +) }

    /// Counts an item, and keeps it when it is one of the first that changed something.
    package mutating func add(_ item: Item) {
        counts[item.outcome, default: 0] += 1
        if item.outcome != .unchanged, items.count < Self.maximumItems { items.append(item) }
    }

    /// Counts what could not be used, and keeps the first problems.
    package mutating func skip(_ problems: [Problem]) {
        skippedCount += problems.count
        skipped += problems.prefix(Self.maximumItems - skipped.count)
    }
}
