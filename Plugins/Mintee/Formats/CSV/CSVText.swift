/// A line of a table (RFC 4180).
package enum CSVText {
    /// The line of these cells; what holds a comma, a quote or a line end stands in quotes.
    package static func line(_ cells: [String], end: String = "\r\n") -> [UInt8] {
        let quoted = cells.map { cell in
            cell.utf8.contains { [0x22, 0x2C, 0x0A, 0x0D].contains($0) }
                ? "\"" + cell.replacing("\"", with: "\"\"") + "\"" : cell
        }
        return Array((quoted.joined(separator: ",") + end).utf8)
    }
}
