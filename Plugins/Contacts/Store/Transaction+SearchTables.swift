import SQLite
package import Storage

/// The two search tables, which index the texts of the entries without a copy.
extension Transaction {
    /// The full-text tables: words, and trigrams of names and addresses.
    static let searchTables = [
        FullTextTable("contacts_words", over: "contacts_entry", columns: ["name", "initials", "reach", "other"]),
        FullTextTable("contacts_grams", over: "contacts_entry", columns: ["name", "reach"]),
    ]
    /// The first entry that is not in the search tables yet; none if all are.
    private static let firstLeft = "unsearchable"

    /// Adds entries to the search tables.
    func indexTexts(_ numbers: Set<Int>) throws {
        for run in try searchable(numbers).runs { try indexTexts(run) }
    }

    /// Removes entries from the search tables. The entries must still have their old texts.
    func forgetTexts(_ numbers: Set<Int>) throws {
        for run in try searchable(numbers).runs {
            for table in Transaction.searchTables { try removeTexts(run, from: table) }
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
        for table in Transaction.searchTables { try mergeSegments(of: table, times: times) }
    }

    /// Merges all segments of the search tables into one, which removes the words of deleted entries.
    func compactSearchTables() throws {
        for table in Transaction.searchTables { try compact(table) }
    }

    private func firstLeft() throws -> Int? { try indexValue(Transaction.firstLeft).flatMap { Int($0) } }

    /// The entries that are in the search tables.
    private func searchable(_ numbers: Set<Int>) throws -> Set<Int> {
        if numbers.isEmpty { return [] }
        let first = try firstLeft() ?? .max
        return numbers.filter { $0 < first }
    }

    private func indexTexts(_ run: ClosedRange<Int>) throws {
        for table in Transaction.searchTables { try addTexts(run, to: table) }
    }
}
