package import ContactsDomain

/// What became of the cards of an import.
package struct ImportReport: Sendable {
    /// What became of one card.
    package enum Outcome: String, Sendable {
        /// It is a new contact, or brought one back from the trash.
        case new
        /// It is a newer version of a contact.
        case updated
        /// It says nothing new.
        case unchanged
    }

    /// One card that made or changed a contact.
    package struct Item: Sendable {
        /// What became of it.
        package let outcome: Outcome
        /// The contact.
        package let contact: ContactSummary
        /// What was read with a doubt.
        package let doubts: [InputProblem]
    }

    /// How many items and skipped cards are told one by one; the rest is only counted.
    package static let maximumItems = 100

    /// How many cards there were of each outcome.
    package private(set) var counts: [Outcome: Int] = [:]
    /// How many cards could not be used.
    package private(set) var skippedCount = 0
    /// The first cards that made or changed a contact.
    package private(set) var items: [Item] = []
    /// Why the first of the skipped cards could not be used.
    package private(set) var skipped: [InputProblem] = []

    /// How many contacts were made or changed.
    package var changedCount: Int { counts[.new, default: 0] + counts[.updated, default: 0] }

    /// How many cards were found, good or bad.
    package var total: Int { counts.values.reduce(skippedCount, +) }

    mutating func add(_ item: Item) {
        counts[item.outcome, default: 0] += 1
        if item.outcome != .unchanged, items.count < ImportReport.maximumItems { items.append(item) }
    }

    mutating func skip(_ problems: [InputProblem]) {
        skippedCount += problems.count
        skipped += problems.prefix(ImportReport.maximumItems - skipped.count)
    }
}
