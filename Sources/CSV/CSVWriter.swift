/// A line of a table (RFC 4180).
package enum CSVWriter {
    /// Returns the line of these cells; a cell with a comma, a quote, a line end or surrounding blanks is quoted.
    package static func line(_ cells: [String], end: String = "\r\n") -> [UInt8] {
        let quoted = cells.map { cell in
            cell.utf8.contains { [0x22, 0x2C, 0x0A, 0x0D].contains($0) } || cell.utf8.first == UInt8(ascii: " ")
                || cell.utf8.last == UInt8(ascii: " ")
                ? "\"" + doubled(cell) + "\"" : cell
        }
        return Array((quoted.joined(separator: ",") + end).utf8)
    }

    /// The cell with each quote doubled, also one that forms a single `Character` with a combining mark.
    private static func doubled(_ cell: String) -> String {
        cell.unicodeScalars.split(separator: "\"", omittingEmptySubsequences: false).map(String.init)
            .joined(separator: "\"\"")
    }
}
