import SQLite

/// A full-text table (FTS5) over columns of another table, of which it has no copy.
///
/// The text is folded before, so words are only split (`tokenize = 'ascii'`) or cut into trigrams. Segments are merged
/// only by ``Transaction/mergeSegments(of:times:)``, which a plugin calls with each change.
///
/// A change adds a segment, and so does each savepoint and each statement that may fail half-way: FTS5 writes down what it has then. A
/// transaction that changes many rows one by one adds as many segments.
package struct FullTextTable: Sendable {
    /// The number of segments of one level at which SQLite merges them by itself. FTS5 takes 2,000 of all levels; a change beyond that ends
    /// with "database or disk is full".
    private static let segmentLimit = 100
    /// The number of pages that are merged with each change; takes less than a millisecond.
    private static let mergedPages = 8

    /// The name of the full-text table.
    package let name: String
    /// The table with the texts, whose column `number` is the row number here.
    package let content: String
    /// The columns with texts, in the order of both tables.
    package let columns: [String]

    /// Describes a table; the names are constants of the program.
    package init(_ name: String, over content: String, columns: [String]) {
        self.name = name
        self.content = content
        self.columns = columns
    }

    /// The statement that stops SQLite from merging segments at times of its own, unless there are very many.
    package var disableAutomaticMerge: String {
        "INSERT INTO \(name) (\(name), rank) VALUES ('automerge', 0), ('crisismerge', \(FullTextTable.segmentLimit));"
    }

    fileprivate var columnList: String { columns.joined(separator: ", ") }

    fileprivate static func pages(times: Int) -> Int { times * mergedPages }
}

extension Transaction {
    /// Adds the rows of a range of numbers to a full-text table.
    package func addTexts(_ numbers: ClosedRange<Int>, to table: FullTextTable) throws {
        try run(
            """
            INSERT INTO \(table.name) (rowid, \(table.columnList))
            SELECT number, \(table.columnList) FROM \(table.content) WHERE number BETWEEN ? AND ?
            """, numbers.lowerBound, numbers.upperBound)
    }

    /// Removes the rows of a range of numbers from a full-text table; they must still have the texts that were added.
    package func removeTexts(_ numbers: ClosedRange<Int>, from table: FullTextTable) throws {
        try run(
            """
            INSERT INTO \(table.name) (\(table.name), rowid, \(table.columnList))
            SELECT 'delete', number, \(table.columnList) FROM \(table.content) WHERE number BETWEEN ? AND ?
            """, numbers.lowerBound, numbers.upperBound)
    }

    /// Merges some segments of a full-text table, `times` as many as after one small change: every change adds a
    /// segment, and this keeps their number low.
    package func mergeSegments(of table: FullTextTable, times: Int = 1) throws {
        try run(
            "INSERT INTO \(table.name) (\(table.name), rank) VALUES ('merge', ?)", FullTextTable.pages(times: times))
    }

    /// Merges all segments of a full-text table into one, which removes the words of deleted rows.
    package func compact(_ table: FullTextTable) throws {
        try run("INSERT INTO \(table.name) (\(table.name)) VALUES ('optimize')")
    }
}

extension Set<Int> {
    /// The numbers in order as ranges: one statement per range is much cheaper than one per number.
    package var runs: [ClosedRange<Int>] {
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
