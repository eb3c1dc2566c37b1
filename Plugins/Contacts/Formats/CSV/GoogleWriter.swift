import CSV

/// Writes contacts as the table that Google Contacts imports: its columns of 2024.
///
/// Each contact is looked at first, because the widest one decides how many columns there are.
package struct GoogleWriter: CardListWriter {
    /// The columns without a number, in their order.
    private static let columns = [
        "First Name", "Middle Name", "Last Name", "Phonetic First Name", "Phonetic Middle Name",
        "Phonetic Last Name", "Name Prefix", "Name Suffix", "Nickname", "File As", "Organization Name",
        "Organization Title", "Organization Department", "Birthday", "Notes", "Photo", "Labels",
    ]

    private let isSpreadsheetSafe: Bool
    private var widths = [Int](repeating: 0, count: GoogleRow.groups.count)

    /// A writer that unless `isSpreadsheetSafe` is false puts an apostrophe before what a spreadsheet would take for a
    /// formula, which `GoogleColumns` takes away again. A phone number or a date can run nothing and stays as it is.
    package init(isSpreadsheetSafe: Bool = true) { self.isSpreadsheetSafe = isSpreadsheetSafe }

    package var needsSurvey: Bool { true }

    package mutating func survey(_ card: Card) {
        for (place, items) in GoogleRow(card).items.enumerated() { widths[place] = max(widths[place], items.count) }
    }

    package func begin() -> [UInt8] {
        var titles = GoogleWriter.columns
        for (place, group) in GoogleRow.groups.enumerated() {
            for number in 0..<widths[place] { titles += group.parts.map { "\(group.name) \(number + 1) - \($0)" } }
        }
        return CSVText.line(titles)
    }

    package func add(_ card: Card, id: String) -> [UInt8] {
        let row = GoogleRow(card)
        var cells = row.plain
        for (place, group) in GoogleRow.groups.enumerated() {
            cells += fitted(row.items[place], width: widths[place], parts: group.parts.count)
        }
        return CSVText.line(cells.map(safe))
    }

    /// The cells of a group. Values beyond its width, of a contact that grew since it was looked at, join the last one.
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
