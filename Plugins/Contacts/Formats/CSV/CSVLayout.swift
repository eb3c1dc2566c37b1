import CSV

/// What the columns of a table mean.
enum CSVLayout: Sendable {
    /// Numbered groups of columns, as Google writes them since 2024 and before.
    case google(GoogleColumns)
    /// One column for each value, as Outlook and Thunderbird write them.
    case flat(FlatColumns)

    /// The layout of a table with these columns; nil when it is no address book that hub knows.
    init?(header: [String]) {
        if let google = GoogleColumns(header) {
            self = .google(google)
        } else if let flat = FlatColumns(header) {
            self = .flat(flat)
        } else {
            return nil
        }
    }

    /// Whether `bytes` begin with the header of a table that hub knows.
    static func isKnown(headerIn bytes: [UInt8]) -> Bool {
        var cutter = CSVRecordCutter()
        cutter.add(bytes)
        // The header may be longer than what is there: its beginning tells enough.
        while let item = cutter.first(isEnd: true) {
            guard case .record(let record) = item else { return false }
            if !record.isBlank { return CSVLayout(header: record.cells) != nil }
        }
        return false
    }

    /// The row as a contact.
    func draft(_ cells: [String], _ dates: SlashDates) -> CardDraft {
        switch self {
        case .google(let columns): columns.draft(cells, dates)
        case .flat(let columns): columns.draft(cells, dates)
        }
    }

    /// The dates in a row.
    func dates(in cells: [String]) -> [String] {
        let places =
            switch self {
            case .google: [Int]()
            case .flat(let columns): columns.datePlaces
            }
        return places.compactMap { $0 < cells.count ? cells[$0] : nil }
    }
}
