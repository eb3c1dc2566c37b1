package import HubKit
import SQLite

/// The two search tables, which index the texts of the entries without a copy.
extension Transaction {
    /// The number of pages of the search tables that are merged with each change; takes less than a millisecond.
    private static let mergedPages = 8
    /// The first entry that is not in the search tables yet; none if all are.
    private static let firstLeft = "unsearchable"

    /// Adds entries to the search tables.
    func indexTexts(_ numbers: Set<Int>) throws {
        for run in try searchable(numbers).runs { try indexTexts(run) }
    }

    /// Removes entries from the search tables. The entries must still have their old texts.
    func forgetTexts(_ numbers: Set<Int>) throws {
        for run in try searchable(numbers).runs {
            try self.run(
                """
                INSERT INTO contacts_words (contacts_words, rowid, name, initials, reach, other)
                SELECT 'delete', number, name, initials, reach, other FROM contacts_entry WHERE number BETWEEN ? AND ?
                """, run.lowerBound, run.upperBound)
            try self.run(
                """
                INSERT INTO contacts_grams (contacts_grams, rowid, name, reach)
                SELECT 'delete', number, name, reach FROM contacts_entry WHERE number BETWEEN ? AND ?
                """, run.lowerBound, run.upperBound)
        }
    }

    /// Postpones the entry `number` and all after it, unless earlier ones are already postponed. Texts that an import
    /// adds at once form one segment, and many small segments are slow to search and to merge.
    func leaveTexts(from number: Int) throws {
        if try indexValue(Transaction.firstLeft) == nil { try setIndexValue(Transaction.firstLeft, String(number)) }
    }

    /// Adds all postponed entries to the search tables.
    package func indexTextsLeft() throws {
        guard let first = try firstLeft() else { return }
        try indexTexts(first...Int.max)
        try setIndexValue(Transaction.firstLeft, nil)
    }

    /// Merges some segments of the search tables, `times` as many as after one small change: every change adds a
    /// segment, and this keeps their number low.
    func mergeSearchTables(times: Int = 1) throws {
        for table in ["contacts_words", "contacts_grams"] {
            try run("INSERT INTO \(table) (\(table), rank) VALUES ('merge', ?)", times * Transaction.mergedPages)
        }
    }

    /// Merges all segments of the search tables into one, which removes the words of deleted entries.
    func compactSearchTables() throws {
        for table in ["contacts_words", "contacts_grams"] {
            try run("INSERT INTO \(table) (\(table)) VALUES ('optimize')")
        }
    }

    private func firstLeft() throws -> Int? { try indexValue(Transaction.firstLeft).flatMap { Int($0) } }

    /// The entries that are in the search tables.
    private func searchable(_ numbers: Set<Int>) throws -> Set<Int> {
        if numbers.isEmpty { return [] }
        let first = try firstLeft() ?? .max
        return numbers.filter { $0 < first }
    }

    private func indexTexts(_ run: ClosedRange<Int>) throws {
        try self.run(
            """
            INSERT INTO contacts_words (rowid, name, initials, reach, other)
            SELECT number, name, initials, reach, other FROM contacts_entry WHERE number BETWEEN ? AND ?
            """, run.lowerBound, run.upperBound)
        try self.run(
            """
            INSERT INTO contacts_grams (rowid, name, reach)
            SELECT number, name, reach FROM contacts_entry WHERE number BETWEEN ? AND ?
            """, run.lowerBound, run.upperBound)
    }
}

extension Set<Int> {
    /// The numbers in order as ranges: one statement per range is much cheaper than one per number.
    var runs: [ClosedRange<Int>] {
        var runs: [ClosedRange<Int>] = []
        for number in sorted() {
            if let last = runs.last, last.upperBound + 1 == number {
                runs[runs.count - 1] = last.lowerBound...number
            } else {
                runs.append(number...number)
            }
        }
        return runs
    }
}
