import PlainText

/// Reads cards in JSON (RFC 7095): one, or an array of them.
///
/// Each card begins with `["vcard",[`, which can stand in no text, because quotes are escaped there. So a broken card
/// ends where the next one begins.
struct JCardReader: CardTextReader {
    private var transcoder = UTF16Transcoder()
    private var buffer: [UInt8] = []
    /// How far the buffer was looked through for the beginning of a card.
    private var scanned = 0
    /// The line in which the buffer begins.
    private var line = 1
    private var hasCard = false
    private var isSkipping = false

    mutating func feed(_ chunk: [UInt8]) -> [FoundCard] {
        transcoder.feed(chunk, to: &buffer)
        return items()
    }

    mutating func finish() -> [FoundCard] {
        transcoder.finish(&buffer)
        var found = items()
        if hasCard, !isSkipping { found.append(item(buffer[...])) }
        buffer = []
        return found
    }

    /// The cards behind which another one begins.
    private mutating func items() -> [FoundCard] {
        var found: [FoundCard] = []
        var cut = 0
        while let start = JCardReader.firstCard(in: buffer[scanned...]) {
            if hasCard, !isSkipping { found.append(item(buffer[cut..<start])) }
            line += buffer[cut..<start].count { $0 == ASCII.lf }
            (hasCard, isSkipping) = (true, false)
            (cut, scanned) = (start, start + 1)
        }
        // The bytes before the last card go at once: each removal moves all that follow.
        buffer.removeFirst(cut)
        scanned -= cut
        // The mark itself may be cut, with any number of blanks in it.
        scanned = max(scanned, buffer.count - 64)
        if !hasCard { drop(max(0, buffer.count - 64)) }
        if buffer.count > Card.maximumLength {
            if !isSkipping {
                found.append(
                    .problem(problem(buffer[...], at: 0, "the card is longer than \(Card.maximumLength >> 20) MiB")))
            }
            isSkipping = true
            drop(buffer.count - 64)
        }
        return found
    }

    private mutating func drop(_ count: Int) {
        line += buffer[..<count].count { $0 == ASCII.lf }
        buffer.removeFirst(count)
        scanned = max(0, scanned - count)
    }

    private func item(_ bytes: ArraySlice<UInt8>) -> FoundCard {
        var text = JSONText(bytes)
        do throws(JSONText.Failure) {
            let node = try text.value()
            let card = try JCard.card(node)
            if let refusal = Card(card).refusal { throw JSONText.Failure(offset: 0, reason: refusal) }
            let last = line + bytes.count { $0 == ASCII.lf }
            return .card(RawCard(bytes: card, firstLine: line, lastLine: last))
        } catch {
            return .problem(problem(bytes, at: min(bytes.startIndex + error.offset, bytes.endIndex), error.reason))
        }
    }

    /// A problem at a place in the card that begins at the first of `bytes`.
    private func problem(_ bytes: ArraySlice<UInt8>, at place: Int, _ reason: String) -> InputProblem {
        let start = bytes[..<place].lastIndex(of: ASCII.lf).map { $0 + 1 } ?? bytes.startIndex
        let end = bytes[place...].firstIndex(of: ASCII.lf) ?? bytes.endIndex
        // Of a long line, what stands around the place.
        func text(_ range: Range<Int>) -> String {
            TextDecoding.withoutControls(TextDecoding.decode(Array(bytes[range])))
        }
        let before = text(max(start, place - 80)..<place)
        let excerpt = before + text(place..<min(end, place + 40))
        let column = min(before.count, max(0, excerpt.count - 1)) + 1
        return InputProblem(
            "card-unreadable", line: line + bytes[..<place].count { $0 == ASCII.lf }, columns: column...column,
            excerpt: excerpt, "not a jCard", note: reason)
    }

    /// Where the first card begins: at `["vcard",[` with blanks anywhere between.
    static func firstCard(in bytes: ArraySlice<UInt8>) -> Int? {
        var index = bytes.startIndex
        while let start = bytes[index...].firstIndex(of: 0x5B) {
            var rest = bytes[(start + 1)...]
            func skip() { rest = rest.drop { $0.isBlank || $0 == ASCII.lf || $0 == ASCII.cr } }
            skip()
            if rest.starts(with: Array("\"vcard\"".utf8)) {
                rest = rest.dropFirst(7)
                skip()
                if rest.first == ASCII.comma {
                    rest = rest.dropFirst()
                    skip()
                    if rest.first == 0x5B { return start }
                }
            }
            index = start + 1
        }
        return nil
    }
}
