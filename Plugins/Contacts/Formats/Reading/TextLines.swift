import TextDecoding

/// Splits a stream of bytes into physical lines with any line ends; UTF-16 becomes UTF-8, a byte order mark is removed.
struct TextLines: Sendable {
    /// A physical line.
    struct Line: Hashable, Sendable {
        /// The line number, counted from 1.
        let number: Int
        /// The bytes without the line end; empty if the line is too long.
        let bytes: [UInt8]
        /// Whether the line exceeds the maximum length.
        var isTooLong = false

        /// The line as text, in a detected character set.
        var text: String { TextDecoding.decode(bytes) }

        /// The start of the line, for messages.
        var excerpt: String { String(TextDecoding.withoutControls(text).prefix(120)) }
    }

    /// The maximum length of a line in bytes.
    private static let maximumLength = 8 << 20

    private var transcoder = UTF16Transcoder()
    private var buffer: [UInt8] = []
    private var scanned = 0
    private var number = 1
    private var isSkipping = false

    /// Returns the lines that `chunk` completes.
    mutating func feed(_ chunk: [UInt8]) -> [Line] {
        transcoder.feed(chunk, to: &buffer)
        return lines(isEnd: false)
    }

    /// Returns the remaining lines.
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
