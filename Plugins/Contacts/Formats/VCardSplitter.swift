import TextDecoding

/// A card split from a file.
package struct RawCard: Hashable, Sendable {
    /// The bytes from `BEGIN:VCARD` to the line end after `END:VCARD`, in UTF-8 if the file was UTF-16.
    package var bytes: [UInt8]
    /// The line number of `BEGIN:VCARD`, counted from 1.
    package var firstLine: Int
    /// The line number of `END:VCARD`.
    package var lastLine: Int
    /// The warnings of a reader of another format.
    package var doubts: [InputProblem] = []
    /// The byte range in its file; nil if the file is not UTF-8 or in another format.
    package var range: Range<Int>?
}

/// Splits a stream of bytes into cards and continues after invalid ones.
///
/// It holds at most one card in memory. Line ends may be CR LF, LF or CR; UTF-16 and a byte order mark are supported;
/// text before, between and after cards is ignored.
package struct VCardSplitter: ~Copyable {
    /// The maximum sizes; longer lines and cards are reported and skipped.
    package struct Limits: Sendable {
        /// The maximum length of a line in bytes.
        package var line = 32 << 20
        /// The maximum size of a card in bytes.
        package var card = Card.maximumLength

        package init(line: Int = 32 << 20, card: Int = Card.maximumLength) {
            self.line = line
            self.card = card
        }
    }

    /// The result type of the reader.
    package typealias Item = FoundCard

    /// The maximum depth of nested cards in `AGENT`.
    private static let maximumDepth = 64

    private let limits: Limits
    private var transcoder = UTF16Transcoder()
    /// The bytes of the current card and the current line.
    private var buffer: [UInt8] = []
    /// The start of the current line in `buffer`, and the end of the searched range.
    private var lineStart = 0
    private var scanned = 0
    private var line = 1
    private var state = State.outside
    private var isSkippingLine = false
    /// The number of bytes of the stream before `buffer`.
    private var dropped = 0
    /// Whether the current card is nested too deeply.
    private var isTooDeep = false
    private var items: [Item] = []

    private enum State {
        case outside
        /// Inside a card that starts at `start` in the buffer.
        case inside(start: Int, firstLine: Int, depth: Int, afterAgent: Bool)
    }

    package init(limits: Limits = Limits()) { self.limits = limits }

    /// Reads the next bytes of the stream, any number of them, and returns the completed cards.
    package mutating func feed(_ chunk: [UInt8]) -> [Item] {
        transcoder.feed(chunk, to: &buffer)
        scan(isEnd: false)
        compact()
        defer { items = [] }
        return items
    }

    /// Ends the stream and returns the remaining cards.
    package mutating func finish() -> [Item] {
        transcoder.finish(&buffer)
        scan(isEnd: true)
        if case .inside(let start, let firstLine, _, _) = state {
            let last = lineStart >= buffer.count ? max(line - 1, firstLine) : line
            report(start, firstLine, "the file ends in line \(last) before this card does")
        }
        (buffer, state) = ([], .outside)
        defer { items = [] }
        return items
    }

    /// Handles all complete lines.
    private mutating func scan(isEnd: Bool) {
        while true {
            let (end, terminator) = nextLineEnd(isEnd: isEnd)
            guard let end else {
                scanned = terminator
                refuseLongLine()
                return
            }
            if isSkippingLine {
                isSkippingLine = false
            } else {
                take(lineStart..<end, next: end + terminator)
            }
            line += 1
            lineStart = end + terminator
            scanned = lineStart
        }
    }

    /// The end of the current line and the length of its terminator; nil and the searched range if it is incomplete.
    private func nextLineEnd(isEnd: Bool) -> (end: Int?, length: Int) {
        let bytes = buffer.span
        let end = bytes.endOfLine(from: scanned)
        if end == bytes.count {
            return isEnd && end > lineStart ? (end, 0) : (nil, end)
        }
        if !isEnd, bytes.isTerminatorOpen(at: end) { return (nil, end) }
        return (end, bytes.terminatorLength(at: end))
    }

    private mutating func take(_ range: Range<Int>, next: Int) {
        switch state {
        case .outside:
            if let offset = isMark("BEGIN:VCARD", range, allowIndent: true) { begin(offset) }
        case .inside(let start, let firstLine, let depth, let afterAgent):
            if range.count > limits.line || next - start > limits.card {
                refuse(start, firstLine, lineLength: range.count)
            } else if isMark("END:VCARD", range) != nil {
                if depth == 1, isTooDeep {
                    report(
                        start, firstLine, "cards in it are nested more than \(VCardSplitter.maximumDepth) deep",
                        code: "card-too-deep")
                    state = .outside
                } else if depth == 1 {
                    finishCard(start..<next, firstLine)
                    state = .outside
                } else {
                    state = .inside(start: start, firstLine: firstLine, depth: depth - 1, afterAgent: false)
                }
            } else if let offset = isMark("BEGIN:VCARD", range) {
                if afterAgent {
                    isTooDeep = isTooDeep || depth >= VCardSplitter.maximumDepth
                    state = .inside(start: start, firstLine: firstLine, depth: depth + 1, afterAgent: false)
                } else {
                    report(start, firstLine, "the next card begins in line \(line) before this one ends")
                    begin(offset)
                }
            } else {
                let isAgent = isEmptyAgent(range)
                if isAgent != afterAgent {
                    state = .inside(start: start, firstLine: firstLine, depth: depth, afterAgent: isAgent)
                }
            }
        }
    }

    private mutating func finishCard(_ range: Range<Int>, _ firstLine: Int) {
        let bytes = Array(buffer[range])
        // Each property takes at least one line.
        if line - firstLine >= Card.maximumProperties, let refusal = Card(bytes).refusal {
            return report(range.lowerBound, firstLine, refusal, code: "card-too-long")
        }
        var card = RawCard(bytes: bytes, firstLine: firstLine, lastLine: line)
        card.range = transcoder.omittedBytes.map { range.lowerBound + dropped + $0..<range.upperBound + dropped + $0 }
        items.append(.card(card))
    }

    private mutating func begin(_ start: Int) {
        state = .inside(start: start, firstLine: line, depth: 1, afterAgent: false)
        isTooDeep = false
    }

    /// The position of `word` if the line contains nothing else but spaces and NULs; else nil.
    private func isMark(_ word: StaticString, _ range: Range<Int>, allowIndent: Bool = false) -> Int? {
        let bytes = buffer.span
        var start = range.lowerBound
        if allowIndent {
            while start < range.upperBound, bytes[start].isBlank || bytes[start] == 0 { start += 1 }
        }
        let end = start + word.utf8CodeUnitCount
        guard end <= range.upperBound, bytes.hasWord(word, at: start) else { return nil }
        for index in end..<range.upperBound where !bytes[index].isBlank && bytes[index] != 0 { return nil }
        return start
    }

    /// Whether the line is an `AGENT` of 2.1, whose value is the card on the following lines.
    private func isEmptyAgent(_ range: Range<Int>) -> Bool {
        let bytes = buffer.span
        guard range.count >= 6, bytes.hasWord("AGENT", at: range.lowerBound) else { return false }
        var last = range.upperBound - 1
        while last > range.lowerBound, bytes[last].isBlank { last -= 1 }
        return bytes[last] == ASCII.colon
    }
}

extension VCardSplitter {
    /// Reports the card that started at `start` as invalid.
    private mutating func report(
        _ start: Int, _ firstLine: Int, _ note: String, code: String = "card-without-end"
    ) {
        // The lines before the error, as far as needed for a name.
        let part = Array(buffer[start..<min(lineStart, start + (64 << 10))])
        let name = Card(part).details.displayName
        items.append(
            .problem(
                InputProblem(
                    code, line: firstLine, columns: 1...1, excerpt: "BEGIN:VCARD", subject: name.isEmpty ? nil : name,
                    code == "card-without-end" ? "BEGIN:VCARD without END:VCARD" : note, note: note,
                    hint: "fix that card and import the file again; nothing is imported twice")))
    }

    /// Rejects the card that started at `start` for its size or the length of its current line.
    private mutating func refuse(_ start: Int, _ firstLine: Int, lineLength: Int) {
        if lineLength > limits.line {
            report(start, firstLine, "line \(line) is longer than \(limits.line >> 20) MiB", code: "line-too-long")
        } else {
            report(start, firstLine, "the card is longer than \(limits.card >> 20) MiB", code: "card-too-long")
        }
        state = .outside
    }

    /// Skips a line that exceeds the limit, with the card that contains it.
    private mutating func refuseLongLine() {
        if case .inside(let start, let firstLine, _, _) = state {
            guard buffer.count - lineStart > limits.line || buffer.count - start > limits.card else { return }
            refuse(start, firstLine, lineLength: buffer.count - lineStart)
        } else {
            // No marker is that long, but spaces may precede it.
            guard buffer.count - lineStart > 1 << 16 else { return }
        }
        isSkippingLine = true
        // A CR at the end is kept, as it may start the terminator.
        dropped += scanned - lineStart
        buffer.removeSubrange(lineStart..<scanned)
        scanned = lineStart
    }

    /// Removes the bytes that are no longer needed.
    private mutating func compact() {
        var keep = lineStart
        if case .inside(let start, let firstLine, let depth, let afterAgent) = state {
            keep = start
            state = .inside(start: 0, firstLine: firstLine, depth: depth, afterAgent: afterAgent)
        }
        guard keep > 0 else { return }
        dropped += keep
        buffer.removeSubrange(0..<keep)
        lineStart -= keep
        scanned -= keep
    }
}
