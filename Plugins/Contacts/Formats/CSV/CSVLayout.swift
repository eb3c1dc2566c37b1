import CSV

/// The meaning of the columns of a CSV file.
enum CSVLayout: Sendable {
    /// Numbered groups of columns, as in the current and the previous format of Google.
    case google(GoogleColumns)
    /// One column per value, as in Outlook and Thunderbird.
    case flat(FlatColumns)

    /// Detects the layout of these columns, of which `mapped` are known; nil if they are not a known address book.
    init?(header: [String], mapped: [ColumnMapping] = []) {
        if mapped.isEmpty, let google = GoogleColumns(header) {
            self = .google(google)
        } else if let flat = FlatColumns(header, mapped: mapped) {
            self = .flat(flat)
        } else {
            return nil
        }
    }

    /// Whether a cell is the name of a column that a known header may begin with.
    static func isColumnName(_ cell: String) -> Bool {
        let name = cell.trimmed.lowercased()
        return FlatColumns.Meaning.byName[name] != nil || GoogleColumns.firstNames.contains(name)
    }

    /// Whether `bytes` start with a known header.
    static func isKnown(headerIn bytes: [UInt8]) -> Bool {
        // The header may be cut off; its start is sufficient.
        CSVLayout(header: rows(in: bytes, count: 1).first ?? []) != nil
    }

    /// Returns the columns of a table with an unknown header; empty if `bytes` are probably not a table: its columns have
    /// names, and its first row has as many cells.
    static func columns(in bytes: [UInt8]) -> [String] {
        let rows = rows(in: bytes, count: 2)
        guard rows.count == 2, rows[0].count > 1, rows[0].count == rows[1].count else { return [] }
        return rows[0].allSatisfy { (1...60).contains($0.count) } ? rows[0] : []
    }

    /// Returns the cells of the first rows of `bytes` that are not blank.
    private static func rows(in bytes: [UInt8], count: Int) -> [[String]] {
        var cutter = CSVParser()
        cutter.add(bytes)
        var rows: [[String]] = []
        while rows.count < count, case .record(let record)? = cutter.first(isEnd: true) {
            if !record.isBlank { rows.append(record.cells.map(\.trimmed)) }
        }
        return rows
    }

    /// Returns the names of the columns that are kept as text and have a value in a row.
    func customNames(in cells: [String]) -> [String] {
        switch self {
        case .google: []
        case .flat(let columns): columns.customNames(in: cells)
        }
    }

    /// Returns the row as a contact.
    func draft(_ cells: [String], _ dates: SlashDates) -> CardDraft {
        switch self {
        case .google(let columns): columns.draft(cells, dates)
        case .flat(let columns): columns.draft(cells, dates)
        }
    }

    /// Returns the dates in a row.
    func dates(in cells: [String]) -> [String] {
        let places =
            switch self {
            case .google: [Int]()
            case .flat(let columns): columns.datePlaces
            }
        return places.compactMap { $0 < cells.count ? cells[$0] : nil }
    }
}
