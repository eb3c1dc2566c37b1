import TextDecoding

/// One look at the record that begins at `start`.
struct CSVScan {
    let start: Int
    let separator: UInt8
    let isEnd: Bool
    /// Whether a quoted cell may hold line ends.
    let mayBreakLines: Bool
    var cells: [[UInt8]] = []
    /// The number of line ends within quotes.
    var lineCount = 0
    /// The error in the record.
    var reason: CSVError.Reason?

    init(start: Int, separator: UInt8, isEnd: Bool, mayBreakLines: Bool) {
        self.start = start
        self.separator = separator
        self.isEnd = isEnd
        self.mayBreakLines = mayBreakLines
    }

    /// Returns the start of the next record; nil when this one is invalid or incomplete.
    mutating func read(_ bytes: Span<UInt8>) -> Int? {
        var index = start
        while true {
            guard let end = cell(bytes, from: index) else { return nil }
            if end == bytes.count { return isEnd ? end : nil }
            if bytes[end] == separator {
                index = end + 1
                continue
            }
            return !isEnd && bytes.isTerminatorOpen(at: end) ? nil : end + bytes.terminatorLength(at: end)
        }
    }

    /// Reads one cell and returns where it ends; nil where it is invalid or incomplete.
    private mutating func cell(_ bytes: Span<UInt8>, from start: Int) -> Int? {
        guard start < bytes.count, bytes[start] == UInt8(ascii: "\"") else {
            var index = start
            while index < bytes.count, bytes[index] != separator, bytes[index] != UInt8(ascii: "\n"),
                bytes[index] != UInt8(ascii: "\r")
            {
                index += 1
            }
            cells.append((start..<index).map { bytes[$0] })
            return index
        }
        var cell: [UInt8] = []
        var index = start + 1
        while index < bytes.count {
            let byte = bytes[index]
            if byte == UInt8(ascii: "\"") {
                if index + 1 == bytes.count, !isEnd { return nil }
                guard index + 1 < bytes.count, bytes[index + 1] == UInt8(ascii: "\"") else {
                    cells.append(cell)
                    return endOfQuoted(bytes, index + 1)
                }
                index += 1
            }
            let isLineEnd =
                byte == UInt8(ascii: "\n")
                || byte == UInt8(ascii: "\r") && !(index + 1 < bytes.count && bytes[index + 1] == UInt8(ascii: "\n"))
            if isLineEnd {
                if !mayBreakLines { break }
                lineCount += 1
            }
            cell.append(byte)
            index += 1
        }
        if isEnd || index < bytes.count { reason = .openQuote }
        return nil
    }

    /// Only blanks may follow a closing quote.
    private mutating func endOfQuoted(_ bytes: Span<UInt8>, _ start: Int) -> Int? {
        var index = start
        while index < bytes.count, bytes[index] == UInt8(ascii: " ") { index += 1 }
        guard index < bytes.count else { return isEnd ? index : nil }
        if bytes[index] == separator || bytes[index] == UInt8(ascii: "\n") || bytes[index] == UInt8(ascii: "\r") {
            return index
        }
        reason = .textAfterQuote
        return nil
    }
}
