/// Cuts a stream of bytes into the records of a table (RFC 4180), and goes on behind one that is broken.
///
/// A quote that is never closed would swallow the rest of the file. So a record that spans several lines and then does
/// not fit is given up, and reading goes on in its second line.
struct CSVRecordCutter: Sendable {
    /// One record.
    struct Record: Sendable {
        /// Its first and last line, counted from 1.
        let lines: ClosedRange<Int>
        /// The cells, unquoted.
        let cells: [String]
        /// The beginning of its first line, to be shown.
        let excerpt: String
    }

    enum Item: Sendable {
        case record(Record)
        case problem(InputProblem)
    }

    /// Longest record in bytes.
    private static let maximumLength = 1 << 20
    /// So many records may be given up before quotes are no longer looked for in later lines; it bounds the time that a
    /// hostile file takes.
    private static let maximumRetries = 100

    /// How many cells a record of several lines must have; nil while the header is not known.
    var columnCount: Int?
    private var transcoder = UTF16Transcoder()
    private var buffer: [UInt8] = []
    private var line = 1
    private var separator: UInt8?
    private var retries = 0
    private var isSkippingLine = false

    /// The records that `chunk` completes.
    mutating func feed(_ chunk: [UInt8]) -> [Item] {
        transcoder.feed(chunk, to: &buffer)
        return items(isEnd: false)
    }

    /// The records that are left.
    mutating func finish() -> [Item] {
        transcoder.finish(&buffer)
        return items(isEnd: true)
    }

    /// The first record of what is there; nil when it is not complete. It tells how many columns there are.
    mutating func first(isEnd: Bool) -> Item? {
        var position = 0
        let item = next(&position, isEnd: isEnd)
        buffer.removeFirst(position)
        return item
    }

    /// Takes bytes without cutting them.
    mutating func add(_ chunk: [UInt8]) { transcoder.feed(chunk, to: &buffer) }

    private mutating func items(isEnd: Bool) -> [Item] {
        var items: [Item] = []
        var position = 0
        while let item = next(&position, isEnd: isEnd) { items.append(item) }
        buffer.removeFirst(position)
        return items
    }

    private mutating func next(_ position: inout Int, isEnd: Bool) -> Item? {
        if isSkippingLine, !skipLine(&position, isEnd: isEnd) { return nil }
        guard position < buffer.count, let separator = separator(from: position, isEnd: isEnd) else { return nil }
        var scan = Scan(
            start: position, separator: separator, isEnd: isEnd, mayBreakLines: retries < CSVRecordCutter.maximumRetries
        )
        let end = scan.read(buffer.span)
        if end != nil, scan.lineCount > 0, let columnCount, scan.cells.count != columnCount {
            scan.reason = "has \(scan.cells.count) columns where the first line has \(columnCount); is a quote missing?"
        }
        if let reason = scan.reason { return giveUp(reason, &position, isEnd: isEnd) }
        guard let end else {
            guard buffer.count - position > CSVRecordCutter.maximumLength else { return nil }
            return giveUp("is longer than \(CSVRecordCutter.maximumLength >> 20) MiB", &position, isEnd: isEnd)
        }
        let record = Record(
            lines: line...line + scan.lineCount, cells: scan.cells.map(CSVRecordCutter.text), excerpt: excerpt(position)
        )
        line += scan.lineCount + 1
        position = end
        return .record(record)
    }

    /// Reports the record at `position` and moves on to its second line.
    private mutating func giveUp(_ reason: String, _ position: inout Int, isEnd: Bool) -> Item {
        let excerpt = excerpt(position)
        let problem = InputProblem(
            "row-unreadable", line: line, excerpt: excerpt, "this row \(reason)", note: "it begins here")
        retries += 1
        isSkippingLine = true
        _ = skipLine(&position, isEnd: isEnd)
        return .problem(problem)
    }

    /// Passes over what is left of a line; false when its end is not there yet.
    private mutating func skipLine(_ position: inout Int, isEnd: Bool) -> Bool {
        let end = buffer.span.endOfLine(from: position)
        let length = buffer.span.terminatorLength(at: end)
        position = end
        guard length > 0 else {
            isSkippingLine = !isEnd
            return false
        }
        // A CR at the end of what we have may be half of a CR LF.
        if !isEnd, end + length == buffer.count, buffer[end + length - 1] == ASCII.cr { return false }
        position = end + length
        line += 1
        isSkippingLine = false
        return true
    }

    /// The separator of the table: the one that the first line has most of.
    private mutating func separator(from position: Int, isEnd: Bool) -> UInt8? {
        if let separator { return separator }
        let end = buffer.span.endOfLine(from: position)
        guard isEnd || end < buffer.count || end - position > CSVRecordCutter.maximumLength else { return nil }
        let header = buffer[position..<end]
        let best = [ASCII.comma, ASCII.semicolon, ASCII.tab].map { mark in (mark, header.count { $0 == mark }) }
            .max { $0.1 < $1.1 }
        separator = best.map { $0.1 > 0 ? $0.0 : ASCII.comma }
        return separator
    }

    private func excerpt(_ position: Int) -> String {
        let end = buffer.span.endOfLine(from: position)
        let text = TextDecoding.decode(Array(buffer[position..<end].prefix(400)))
        return String(TextDecoding.withoutControls(text).prefix(120))
    }

    private static func text(_ cell: [UInt8]) -> String { TextDecoding.withoutControls(TextDecoding.decode(cell)) }
}

extension CSVRecordCutter {
    /// One look at the record that begins at `start`.
    private struct Scan {
        let start: Int
        let separator: UInt8
        let isEnd: Bool
        /// Whether a quoted cell may hold line ends.
        let mayBreakLines: Bool
        var cells: [[UInt8]] = []
        /// How many line ends stand in quotes.
        var lineCount = 0
        /// Why the record is broken.
        var reason: String?

        init(start: Int, separator: UInt8, isEnd: Bool, mayBreakLines: Bool) {
            self.start = start
            self.separator = separator
            self.isEnd = isEnd
            self.mayBreakLines = mayBreakLines
        }

        /// Where the next record begins; nil when this one is broken or not complete.
        mutating func read(_ bytes: Span<UInt8>) -> Int? {
            var index = start
            while true {
                guard let end = cell(bytes, from: index) else { return nil }
                if end == bytes.count { return isEnd ? end : nil }
                if bytes[end] == separator {
                    index = end + 1
                    continue
                }
                let next = end + bytes.terminatorLength(at: end)
                // A CR at the end of what we have may be half of a CR LF.
                return next == bytes.count && bytes[next - 1] == ASCII.cr && !isEnd ? nil : next
            }
        }

        /// Reads one cell; where it ends.
        private mutating func cell(_ bytes: Span<UInt8>, from start: Int) -> Int? {
            guard start < bytes.count, bytes[start] == ASCII.quote else {
                var index = start
                while index < bytes.count, bytes[index] != separator, bytes[index] != ASCII.lf, bytes[index] != ASCII.cr
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
                if byte == ASCII.quote {
                    if index + 1 == bytes.count, !isEnd { return nil }
                    guard index + 1 < bytes.count, bytes[index + 1] == ASCII.quote else {
                        cells.append(cell)
                        return endOfQuoted(bytes, index + 1)
                    }
                    index += 1
                }
                let isLineEnd =
                    byte == ASCII.lf || byte == ASCII.cr && !(index + 1 < bytes.count && bytes[index + 1] == ASCII.lf)
                if isLineEnd {
                    if !mayBreakLines { break }
                    lineCount += 1
                }
                cell.append(byte)
                index += 1
            }
            if isEnd || index < bytes.count { reason = "has a quote that is not closed" }
            return nil
        }

        /// Behind a closing quote only blanks may stand.
        private mutating func endOfQuoted(_ bytes: Span<UInt8>, _ start: Int) -> Int? {
            var index = start
            while index < bytes.count, bytes[index] == ASCII.space { index += 1 }
            guard index < bytes.count else { return isEnd ? index : nil }
            if bytes[index] == separator || bytes[index] == ASCII.lf || bytes[index] == ASCII.cr { return index }
            reason = "has text behind a closing quote"
            return nil
        }
    }
}
