package import HubKit
import SQLite

/// The two search tables, which hold the texts of the entries without keeping a copy.
extension Transaction {
    /// How many pages of the search tables are merged with each change; it takes less than a millisecond.
    private static let mergedPages = 8
    /// The first entry that is not in the search tables yet; none when all are.
    private static let firstLeft = "unsearchable"

    /// Puts entries into the search tables.
    func indexTexts(_ numbers: Set<Int>) throws {
        for run in try searchable(numbers).runs { try indexTexts(run) }
    }

    /// Takes entries out of the search tables. Their old texts must still stand in the entries.
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

    /// Leaves the entry `number` and all after it for later, unless some before it are left already. What an import puts
    /// into the search tables at once makes one part of them, and many small parts are slow to search and to merge.
    func leaveTexts(from number: Int) throws {
        if try indexValue(Transaction.firstLeft) == nil { try setIndexValue(Transaction.firstLeft, String(number)) }
    }

    /// Puts all entries into the search tables that were left for later.
    package func indexTextsLeft() throws {
        guard let first = try firstLeft() else { return }
        try indexTexts(first...Int.max)
        try setIndexValue(Transaction.firstLeft, nil)
    }

    /// Merges some of the parts that the search tables have grown, `times` as many as after one small change: every change
    /// leaves a part behind, and this keeps them few.
    func mergeSearchTables(times: Int = 1) throws {
        for table in ["contacts_words", "contacts_grams"] {
            try run("INSERT INTO \(table) (\(table), rank) VALUES ('merge', ?)", times * Transaction.mergedPages)
        }
    }

    /// Merges all parts of the search tables into one, which drops the words of entries that are gone.
    func compactSearchTables() throws {
        for table in ["contacts_words", "contacts_grams"] {
            try run("INSERT INTO \(table) (\(table)) VALUES ('optimize')")
        }
    }

    private func firstLeft() throws -> Int? { try indexValue(Transaction.firstLeft).flatMap { Int($0) } }

    /// Those of some entries that are in the search tables.
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
    /// The numbers in order, neighbours joined: one statement for each run is much cheaper than one for each number.
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
