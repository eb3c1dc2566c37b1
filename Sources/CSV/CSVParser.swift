import TextDecoding

/// Splits a stream of bytes into the records of a table (RFC 4180) and continues after an invalid record.
///
/// A quote that is never closed would swallow the rest of the file. So a record that spans several lines and then does
/// not fit is given up, and reading goes on in its second line.
package struct CSVParser: Sendable {
    /// A part of the stream.
    package enum Item: Sendable {
        case record(CSVRecord)
        case fault(CSVError)
    }

    /// Longest record in bytes.
    private static let maximumLength = 1 << 20
    /// The number of records that may be given up before later lines are no longer searched for quotes; it bounds the
    /// time for a hostile file.
    private static let maximumRetries = 100
    /// So many bytes of a line are looked at to show its beginning.
    private static let excerptLength = 400

    /// The number of cells that a record of several lines must have: as many as the first non-empty one.
    private var columnCount: Int?
    private var transcoder = UTF16Transcoder()
    private var buffer: [UInt8] = []
    private var line = 1
    private var separator: UInt8?
    private var retries = 0
    private var isSkippingLine = false

    /// A cutter of a table whose cells `separator` parts; without one, the mark that the first line has most of: a
    /// comma, a semicolon or a TAB.
    package init(separator: UInt8? = nil) { self.separator = separator }

    /// The records that `chunk` completes.
    package mutating func feed(_ chunk: [UInt8]) -> [Item] {
        transcoder.feed(chunk, to: &buffer)
        return items(isEnd: false)
    }

    /// The records that are left.
    package mutating func finish() -> [Item] {
        transcoder.finish(&buffer)
        return items(isEnd: true)
    }

    /// Returns the first record of the buffered bytes, which decides the number of columns; nil when it is not
    /// complete.
    package mutating func first(isEnd: Bool) -> Item? {
        var position = 0
        let item = next(&position, isEnd: isEnd)
        buffer.removeFirst(position)
        return item
    }

    /// Takes bytes without cutting them.
    package mutating func add(_ chunk: [UInt8]) { transcoder.feed(chunk, to: &buffer) }

    private mutating func items(isEnd: Bool) -> [Item] {
        var items: [Item] = []
        var position = 0
        while let item = next(&position, isEnd: isEnd) { items.append(item) }
        buffer.removeFirst(position)
        return items
    }

    private mutating func next(_ position: inout Int, isEnd: Bool) -> Item? {
        if isSkippingLine, !skipLine(&position, isEnd: isEnd) { return nil }
        // Joined files have a byte order mark before each of them.
        if buffer[position...].starts(with: [0xEF, 0xBB, 0xBF]) { position += 3 }
        guard position < buffer.count, let separator = separator(from: position, isEnd: isEnd) else { return nil }
        var scan = CSVScan(
            start: position, separator: separator, isEnd: isEnd, mayBreakLines: retries < CSVParser.maximumRetries
        )
        let end = scan.read(buffer.span)
        if end != nil, scan.lineCount > 0, let columnCount, scan.cells.count != columnCount {
            scan.reason = .columns(scan.cells.count, expected: columnCount)
        }
        if let reason = scan.reason {
            guard isEnd || hasExcerpt(position) else { return nil }
            return giveUp(reason, &position, isEnd: isEnd)
        }
        guard let end else {
            guard buffer.count - position > CSVParser.maximumLength else { return nil }
            return giveUp(.tooLong, &position, isEnd: isEnd)
        }
        let record = CSVRecord(
            lines: line...line + scan.lineCount, cells: scan.cells.map(CSVParser.text), excerpt: excerpt(position)
        )
        if columnCount == nil, !record.isBlank { columnCount = record.cells.count }
        line += scan.lineCount + 1
        position = end
        return .record(record)
    }

    /// Reports the record at `position` and moves on to its second line.
    private mutating func giveUp(_ reason: CSVError.Reason, _ position: inout Int, isEnd: Bool) -> Item {
        let fault = CSVError(line: line, excerpt: excerpt(position), reason: reason)
        retries += 1
        isSkippingLine = true
        _ = skipLine(&position, isEnd: isEnd)
        return .fault(fault)
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
        if !isEnd, buffer.span.isTerminatorOpen(at: end) { return false }
        position = end + length
        line += 1
        isSkippingLine = false
        return true
    }

    /// The separator of the table: the one that the first line has most of.
    private mutating func separator(from position: Int, isEnd: Bool) -> UInt8? {
        if let separator { return separator }
        let end = buffer.span.endOfLine(from: position)
        guard isEnd || end < buffer.count || end - position > CSVParser.maximumLength else { return nil }
        let header = buffer[position..<end]
        let best = Array(",;\t".utf8).map { mark in (mark, header.count { $0 == mark }) }
            .max { $0.1 < $1.1 }
        separator = best.map { $0.1 > 0 ? $0.0 : UInt8(ascii: ",") }
        return separator
    }

    /// Whether all of the first line is there that an excerpt shows.
    private func hasExcerpt(_ position: Int) -> Bool {
        buffer.count - position >= CSVParser.excerptLength
            || buffer.span.endOfLine(from: position) < buffer.count
    }

    private func excerpt(_ position: Int) -> String {
        let end = buffer.span.endOfLine(from: position)
        let text = TextDecoding.decode(Array(buffer[position..<end].prefix(CSVParser.excerptLength)))
        return String(TextDecoding.withoutControls(text).prefix(120))
    }

    private static func text(_ cell: [UInt8]) -> String { TextDecoding.withoutControls(TextDecoding.decode(cell)) }
}

/// One record of a table.
package struct CSVRecord: Sendable, Equatable {
    /// Its first and last line, counted from 1.
    package let lines: ClosedRange<Int>
    /// The cells, unquoted, with LF as line end and without other control characters.
    package let cells: [String]
    /// The beginning of its first line, to be shown.
    package let excerpt: String

    /// Whether no cell says anything.
    package var isBlank: Bool { cells.allSatisfy { $0.allSatisfy(\.isWhitespace) } }
}

/// A record that could not be read.
package struct CSVError: Sendable, Equatable {
    /// The error in a record.
    package enum Reason: Sendable, Equatable {
        /// A quote is not closed.
        case openQuote
        /// There is text between a closing quote and the next cell.
        case textAfterQuote
        /// The record spans several lines, and has not as many cells as the first one; a quote is missing.
        case columns(Int, expected: Int)
        /// The record is longer than 1 MiB.
        case tooLong
    }

    /// Its first line, counted from 1.
    package let line: Int
    /// The beginning of that line, to be shown.
    package let excerpt: String
    /// The error in the record.
    package let reason: Reason
}

extension CSVError.Reason: CustomStringConvertible {
    /// The predicate of a sentence that starts with `this row`.
    package var description: String {
        switch self {
        case .openQuote: "has an unclosed quote"
        case .textAfterQuote: "has text after a closing quote"
        case .columns(let count, let expected):
            "has \(count) columns where the first line has \(expected); is a quote missing?"
        case .tooLong: "is longer than 1 MiB"
        }
    }
}
