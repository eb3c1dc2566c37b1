import CSV

/// Writes the CSV format of Google Contacts (since 2024).
///
/// Each contact is surveyed first, because the contact with the most values determines the number of columns.
package struct GoogleWriter: CardListWriter {
    /// The columns without a number, in order.
    private static let columns = [
        "First Name", "Middle Name", "Last Name", "Phonetic First Name", "Phonetic Middle Name",
        "Phonetic Last Name", "Name Prefix", "Name Suffix", "Nickname", "File As", "Organization Name",
        "Organization Title", "Organization Department", "Birthday", "Notes", "Photo", "Labels",
    ]

    private let isSpreadsheetSafe: Bool
    private var widths = [Int](repeating: 0, count: GoogleRow.groups.count)

    /// Creates a writer. Unless `isSpreadsheetSafe` is false, it escapes cells that a spreadsheet may evaluate as a
    /// formula with an apostrophe, which `GoogleColumns` removes again. Phone numbers and dates are not escaped.
    package init(isSpreadsheetSafe: Bool = true) { self.isSpreadsheetSafe = isSpreadsheetSafe }

    /// Returns true: the number of columns depends on all contacts.
    package var needsSurvey: Bool { true }

    /// Returns true: a group is a label of its members.
    package var hasLabelsOnly: Bool { true }

    /// Updates the number of columns of each group.
    package mutating func survey(_ card: Card) {
        for (place, items) in GoogleRow(card).items.enumerated() { widths[place] = max(widths[place], items.count) }
    }

    /// Returns the header line.
    package func begin() -> [UInt8] {
        var titles = GoogleWriter.columns
        for (place, group) in GoogleRow.groups.enumerated() {
            for number in 0..<widths[place] { titles += group.parts.map { "\(group.name) \(number + 1) - \($0)" } }
        }
        return CSVWriter.line(titles)
    }

    /// Returns the row of a contact.
    package func add(_ card: Card, id: String) -> [UInt8] {
        let row = GoogleRow(card)
        var cells = row.plain
        for (place, group) in GoogleRow.groups.enumerated() {
            cells += fitted(row.items[place], width: widths[place], parts: group.parts.count)
        }
        return CSVWriter.line(cells.map(safe))
    }

    /// Returns the cells of a group. Values beyond its width, of a contact that changed since the survey, are joined to
    /// the last one.
    private func fitted(_ items: [[String]], width: Int, parts: Int) -> [String] {
        if width == 0 { return [] }
        var columns = items
        while columns.count > width {
            let surplus = columns.removeLast()
            columns[columns.count - 1] = zip(columns[columns.count - 1], surplus).enumerated().map { place, pair in
                place == 0 ? pair.0 : pair.0 + GoogleColumns.joint + pair.1
            }
        }
        let blank = [String](repeating: "", count: parts)
        return (columns + [[String]](repeating: blank, count: width - columns.count)).flatMap(\.self)
    }

    private func safe(_ cell: String) -> String {
        isSpreadsheetSafe && GoogleColumns.isFormula(cell) ? "'" + cell : cell
    }
}
