/// A line of a table (RFC 4180).
package enum CSVText {
    /// The line of these cells; what holds a comma, a quote or a line end, or has a blank at its ends, stands in quotes.
    package static func line(_ cells: [String], end: String = "\r\n") -> [UInt8] {
        let quoted = cells.map { cell in
            cell.utf8.contains { [0x22, 0x2C, 0x0A, 0x0D].contains($0) } || cell.utf8.first == UInt8(ascii: " ")
                || cell.utf8.last == UInt8(ascii: " ")
                ? "\"" + cell.replacing("\"", with: "\"\"") + "\"" : cell
        }
        return Array((quoted.joined(separator: ",") + end).utf8)
    }
}
