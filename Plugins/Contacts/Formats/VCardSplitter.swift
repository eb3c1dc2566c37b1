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
    /// Whether it was made from an entry of another format, which begins in `firstLine`.
    package var isConverted = false
    /// The byte range in its file; nil if the file is not UTF-8 or in another format.
    package var range: Range<Int>?
}

/// Splits a stream of bytes into cards and continues after invalid ones.
///
/// It holds at most one card in memory. Line ends may be CR LF, LF or CR; UTF-16 and byte order marks are supported. In
/// joined files, `END:VCARD` and the next `BEGIN:VCARD` may be on one line. Text around cards is reported, once per gap.
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
    /// The maximum length of a line outside of cards that is searched for the start of one.
    private static let maximumStrayLine = 1 << 16

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
    /// A `BEGIN:VCARD` at the end of a property in the line before: a new card, if its `VERSION` follows.
    private var glued: (start: Int, line: Int)?
    /// The text since the last card that is not part of one.
    private var stray: StrayText?
    private var hasCards = false
    /// Whether the lines belong to a card that was refused for its size.
    private var isInRefused = false
    private var items: [Item] = []

    /// Lines outside of cards.
    private struct StrayText {
        let firstLine: Int
        var lastLine: Int
        let excerpt: String
    }

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
        // A file without any card is of another format, which its reader reports.
        if hasCards { reportStray() }
        (buffer, state, glued, stray) = ([], .outside, nil, nil)
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

    /// Handles a line, which may end one card and begin the next.
    private mutating func take(_ range: Range<Int>, next: Int) {
        var rest = range
        while !rest.isEmpty {
            switch state {
            case .outside:
                return takeOutside(rest)
            case .inside(let start, let firstLine, let depth, let afterAgent):
                if range.count > limits.line || next - start > limits.card {
                    return refuse(start, firstLine, lineLength: range.count)
                }
                guard let end = endMark(rest) else {
                    return takeProperty(
                        rest, start: start, firstLine: firstLine, depth: depth, afterAgent: afterAgent)
                }
                rest = endOfFiller(end..<rest.upperBound)..<rest.upperBound
                finish(start..<(rest.isEmpty ? next : end), firstLine, depth: depth)
            }
        }
    }

    private mutating func takeOutside(_ range: Range<Int>) {
        let start = endOfFiller(range)
        guard start < range.upperBound else { return }
        guard range.count <= VCardSplitter.maximumStrayLine, let mark = beginMark(start..<range.upperBound) else {
            if isInRefused {
                isInRefused = endMark(range) == nil
                return
            }
            if hasMark(start..<range.upperBound) { reportMark(start) }
            return addStray(start)
        }
        if start < mark, !isInRefused { addStray(start) }
        reportStray()
        begin(mark)
    }

    /// Ends the card or nested card in `range`.
    private mutating func finish(_ range: Range<Int>, _ firstLine: Int, depth: Int) {
        glued = nil
        if depth > 1 {
            state = .inside(start: range.lowerBound, firstLine: firstLine, depth: depth - 1, afterAgent: false)
            return
        }
        if isTooDeep {
            report(
                range.lowerBound, firstLine, "cards in it are nested more than \(VCardSplitter.maximumDepth) deep",
                code: "card-too-deep")
        } else {
            finishCard(range, firstLine)
        }
        state = .outside
    }

    /// Handles a line in a card that does not end it.
    private mutating func takeProperty(_ range: Range<Int>, start: Int, firstLine: Int, depth: Int, afterAgent: Bool) {
        let isAgent = isAgent(range)
        // A line that begins with a space continues the one before it.
        let mark = buffer[range.lowerBound].isBlank ? nil : beginMark(range)
        let isWholeLine = mark != nil && mark == endOfFiller(range)
        let isEmptyAgent = isAgent && isEmptyValue(range)
        if isWholeLine, afterAgent {
            isTooDeep = isTooDeep || depth >= VCardSplitter.maximumDepth
            state = .inside(start: start, firstLine: firstLine, depth: depth + 1, afterAgent: false)
            return
        } else if let mark, isWholeLine {
            replaceCard(start, firstLine, by: mark, in: line)
        } else if let glued, isVersion(range) {
            replaceCard(start, firstLine, by: glued.start, in: glued.line)
        } else if isEmptyAgent != afterAgent {
            state = .inside(start: start, firstLine: firstLine, depth: depth, afterAgent: isEmptyAgent)
        }
        glued = isWholeLine || isAgent ? nil : mark.map { ($0, line) }
    }

    /// Reports the card at `start` as one without an end, since another one begins at `mark`.
    private mutating func replaceCard(_ start: Int, _ firstLine: Int, by mark: Int, in line: Int) {
        report(start, firstLine, "the next card begins in line \(line) before this one ends")
        begin(mark, line: line)
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

    private mutating func begin(_ start: Int, line: Int? = nil) {
        state = .inside(start: start, firstLine: line ?? self.line, depth: 1, afterAgent: false)
        (isTooDeep, glued, hasCards, isInRefused) = (false, nil, true, false)
    }

    /// The end of `END:VCARD` if the line begins with it.
    private func endMark(_ range: Range<Int>) -> Int? {
        let bytes = buffer.span
        let first = bytes[range.lowerBound]
        guard first.mayEnclose(UInt8(ascii: "e")), !first.isBlank else { return nil }
        let start = bytes.endOfFiller(range)
        guard bytes.hasWord("END:VCARD", at: start), start + 9 <= range.upperBound else { return nil }
        return start + 9
    }

    /// The position of `BEGIN:VCARD` if the line ends with it; else nil.
    private func beginMark(_ range: Range<Int>) -> Int? {
        let bytes = buffer.span
        guard bytes[range.upperBound - 1].mayEnclose(UInt8(ascii: "d")) else { return nil }
        let mark = bytes.startOfFiller(range) - 11
        return mark >= range.lowerBound && bytes.hasWord("BEGIN:VCARD", at: mark) ? mark : nil
    }

    private func endOfFiller(_ range: Range<Int>) -> Int {
        let bytes = buffer.span
        return bytes.endOfFiller(range)
    }

    /// Whether `BEGIN:VCARD` is anywhere in the line.
    private func hasMark(_ range: Range<Int>) -> Bool {
        let bytes = buffer.span
        return bytes.position(of: "BEGIN:VCARD", in: range) != nil
    }

    private func isVersion(_ range: Range<Int>) -> Bool {
        let bytes = buffer.span
        return bytes.hasWord("VERSION", at: range.lowerBound)
    }

    private func isAgent(_ range: Range<Int>) -> Bool {
        let bytes = buffer.span
        return range.count >= 6 && bytes.hasWord("AGENT", at: range.lowerBound)
    }

    /// Whether the value of a property is empty; that of an `AGENT` of 2.1 is the card on the following lines.
    private func isEmptyValue(_ range: Range<Int>) -> Bool {
        let bytes = buffer.span
        var last = range.upperBound - 1
        while last > range.lowerBound, bytes[last].isBlank { last -= 1 }
        return bytes[last] == ASCII.colon
    }
}

extension UInt8 {
    /// Whether the first or last byte of a line may be that of a mark with this letter there, or filler beside one. Most
    /// lines are ruled out by it.
    fileprivate func mayEnclose(_ letter: UInt8) -> Bool { self | 0x20 == letter || !isVisibleASCII }
}

extension Span<UInt8> {
    /// The end of the bytes at the start of `range` that have no meaning between cards.
    fileprivate func endOfFiller(_ range: Range<Int>) -> Int {
        var index = range.lowerBound
        while case let length = fillerLength(at: index, before: range.upperBound), length > 0 { index += length }
        return index
    }

    /// The start of such bytes at the end of `range`.
    fileprivate func startOfFiller(_ range: Range<Int>) -> Int {
        var index = range.upperBound
        while let length = (1...3).first(where: {
            index - $0 >= range.lowerBound && fillerLength(at: index - $0, before: index) == $0
        }) { index -= length }
        return index
    }

    /// The length of the character at `index` if it has no meaning between cards: a space, NUL, form feed, the end-of-file
    /// mark of DOS, a byte order mark, or a line or paragraph separator of Unicode. Else 0.
    private func fillerLength(at index: Int, before end: Int) -> Int {
        guard index < end else { return 0 }
        switch self[index] {
        case 0, ASCII.tab, 0x0B, 0x0C, 0x1A, ASCII.space: return 1
        case 0xC2: return index + 1 < end && [0x85, 0xA0].contains(self[index + 1]) ? 2 : 0
        case 0xE2:
            let isSeparator =
                index + 2 < end && self[index + 1] == 0x80 && [0x8B, 0xA8, 0xA9].contains(self[index + 2])
            return isSeparator ? 3 : 0
        case 0xEF: return index + 2 < end && self[index + 1] == 0xBB && self[index + 2] == 0xBF ? 3 : 0
        default: return 0
        }
    }

    /// The position of the first `word`, which is in upper case, in `range`; nil if there is none.
    fileprivate func position(of word: StaticString, in range: Range<Int>) -> Int? {
        var index = range.lowerBound
        let last = range.upperBound - word.utf8CodeUnitCount
        while index <= last {
            if hasWord(word, at: index) { return index }
            index += 1
        }
        return nil
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

    /// Adds the text from `start` on to that which is not part of a card.
    private mutating func addStray(_ start: Int) {
        if stray == nil {
            let text = TextDecoding.decode(Array(buffer[start..<buffer.span.endOfLine(from: start)].prefix(120)))
            stray = StrayText(firstLine: line, lastLine: line, excerpt: TextDecoding.withoutControls(text))
        }
        stray?.lastLine = line
    }

    /// Reports the text since the last card.
    private mutating func reportStray() {
        guard let text = stray else { return }
        stray = nil
        let lines =
            text.firstLine == text.lastLine
            ? "line \(text.firstLine) is" : "lines \(text.firstLine) to \(text.lastLine) are"
        items.append(
            .problem(
                InputProblem(
                    "text-outside-card", line: text.firstLine, columns: 1...max(1, text.excerpt.count),
                    excerpt: text.excerpt, "\(lines) not part of a card", note: "outside of a card",
                    hint: "import the formats of a mixed file one by one")))
    }

    /// Reports a `BEGIN:VCARD` that other text follows.
    private mutating func reportMark(_ start: Int) {
        let text = TextDecoding.decode(Array(buffer[start..<buffer.span.endOfLine(from: start)].prefix(120)))
        items.append(
            .problem(
                InputProblem(
                    "card-begin-unreadable", line: line, excerpt: TextDecoding.withoutControls(text),
                    "text follows BEGIN:VCARD in the same line", note: "this card is not read",
                    hint: "put each property on a line of its own and import the file again")))
    }

    /// Rejects the card that started at `start` for its size or the length of its current line.
    private mutating func refuse(_ start: Int, _ firstLine: Int, lineLength: Int) {
        if lineLength > limits.line {
            report(start, firstLine, "line \(line) is longer than \(limits.line >> 20) MiB", code: "line-too-long")
        } else {
            report(start, firstLine, "the card is longer than \(limits.card >> 20) MiB", code: "card-too-long")
        }
        (state, isInRefused) = (.outside, true)
    }

    /// Skips a line that exceeds the limit, with the card that contains it.
    private mutating func refuseLongLine() {
        if case .inside(let start, let firstLine, _, _) = state {
            guard buffer.count - lineStart > limits.line || buffer.count - start > limits.card else { return }
            refuse(start, firstLine, lineLength: buffer.count - lineStart)
        } else {
            // No marker is that long, but spaces may precede it.
            guard buffer.count - lineStart > VCardSplitter.maximumStrayLine else { return }
            let start = endOfFiller(lineStart..<scanned)
            if !isSkippingLine, !isInRefused, start < scanned { addStray(start) }
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
        glued = glued.map { ($0.start - keep, $0.line) }
        dropped += keep
        buffer.removeSubrange(0..<keep)
        lineStart -= keep
        scanned -= keep
    }
}
