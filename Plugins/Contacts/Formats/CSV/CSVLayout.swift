import CSV

/// The meaning of the columns of a CSV file.
enum CSVLayout: Sendable {
    /// Numbered groups of columns, as in the current and the previous format of Google.
    case google(GoogleColumns)
    /// One column per value, as in Outlook and Thunderbird.
    case flat(FlatColumns)

    /// Detects the layout of these columns; nil if they are not a known address book.
    init?(header: [String]) {
        if let google = GoogleColumns(header) {
            self = .google(google)
        } else if let flat = FlatColumns(header) {
            self = .flat(flat)
        } else {
            return nil
        }
    }

    /// Whether `bytes` start with a known header.
    static func isKnown(headerIn bytes: [UInt8]) -> Bool {
        var cutter = CSVParser()
        cutter.add(bytes)
        // The header may be cut off; its start is sufficient.
        while let item = cutter.first(isEnd: true) {
            guard case .record(let record) = item else { return false }
            if !record.isBlank { return CSVLayout(header: record.cells) != nil }
        }
        return false
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
