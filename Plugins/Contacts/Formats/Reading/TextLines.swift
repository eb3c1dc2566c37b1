import PlainText

/// Cuts a stream of bytes into physical lines, whatever ends them; UTF-16 becomes UTF-8, a byte order mark goes.
struct TextLines: Sendable {
    /// One physical line.
    struct Line: Hashable, Sendable {
        /// Counted from 1.
        let number: Int
        /// The bytes without the line end; of a line that is too long none.
        let bytes: [UInt8]
        /// Whether the line was longer than any entry of an address book.
        var isTooLong = false

        /// The line as text, of whatever character set.
        var text: String { TextDecoding.decode(bytes) }

        /// The beginning of the line, to be shown.
        var excerpt: String { String(TextDecoding.withoutControls(text).prefix(120)) }
    }

    /// Longest line in bytes.
    private static let maximumLength = 8 << 20

    private var transcoder = UTF16Transcoder()
    private var buffer: [UInt8] = []
    private var scanned = 0
    private var number = 1
    private var isSkipping = false

    /// The lines that `chunk` completes.
    mutating func feed(_ chunk: [UInt8]) -> [Line] {
        transcoder.feed(chunk, to: &buffer)
        return lines(isEnd: false)
    }

    /// The lines that are left.
    mutating func finish() -> [Line] {
        transcoder.finish(&buffer)
        return lines(isEnd: true)
    }

    private mutating func lines(isEnd: Bool) -> [Line] {
        var lines: [Line] = []
        var start = 0
        while true {
            let end = buffer.span.endOfLine(from: max(start, scanned))
            let length = buffer.span.terminatorLength(at: end)
            let isComplete = length > 0 && (isEnd || !buffer.span.isTerminatorOpen(at: end))
            guard isComplete || isEnd && end > start else {
                scanned = end
                break
            }
            lines.append(
                isSkipping || end - start > TextLines.maximumLength
                    ? Line(number: number, bytes: [], isTooLong: true)
                    : Line(number: number, bytes: Array(buffer[start..<end])))
            isSkipping = false
            number += 1
            start = end + length
            scanned = start
        }
        buffer.removeFirst(start)
        scanned -= start
        if scanned > TextLines.maximumLength {
            isSkipping = true
            buffer.removeFirst(scanned)
            scanned = 0
        }
        return lines
    }
}
