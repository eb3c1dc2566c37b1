import JSON
import TextDecoding

/// Reads jCard (RFC 7095): one card, or an array of cards.
///
/// Each card starts with `["vcard",[`, which cannot occur in a string, since quotes are escaped there. So an invalid
/// card ends where the next one starts.
struct JCardReader: CardTextReader {
    private var transcoder = UTF16Transcoder()
    private var buffer: [UInt8] = []
    /// The position up to which the buffer was searched for the start of a card.
    private var scanned = 0
    /// The line number of the start of the buffer.
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

    /// Returns the cards that are followed by another one.
    private mutating func items() -> [FoundCard] {
        var found: [FoundCard] = []
        var cut = 0
        while let start = JCardReader.firstCard(in: buffer[scanned...]) {
            if hasCard, !isSkipping { found.append(item(buffer[cut..<start])) }
            line += buffer[cut..<start].count { $0 == ASCII.lf }
            (hasCard, isSkipping) = (true, false)
            (cut, scanned) = (start, start + 1)
        }
        // The bytes before the last card are removed at once, since each removal moves all that follow.
        buffer.removeFirst(cut)
        scanned -= cut
        // The marker itself may be cut off.
        scanned = max(scanned, buffer.count - JCardReader.maximumMarkerLength)
        if !hasCard { drop(max(0, buffer.count - JCardReader.maximumMarkerLength)) }
        if buffer.count > Card.maximumLength {
            if !isSkipping {
                found.append(
                    .problem(problem(buffer[...], at: 0, "the card is longer than \(Card.maximumLength >> 20) MiB")))
            }
            isSkipping = true
            drop(buffer.count - JCardReader.maximumMarkerLength)
        }
        return found
    }

    private mutating func drop(_ count: Int) {
        line += buffer[..<count].count { $0 == ASCII.lf }
        buffer.removeFirst(count)
        scanned = max(0, scanned - count)
    }

    private func item(_ bytes: ArraySlice<UInt8>) -> FoundCard {
        do throws(JCard.Refusal) {
            let card = try JCard.card(try JCardReader.json(bytes))
            if let refusal = Card(card).refusal { throw JCard.Refusal(reason: refusal) }
            let last = line + bytes.count { $0 == ASCII.lf }
            return .card(RawCard(bytes: card, firstLine: line, lastLine: last, isConverted: true))
        } catch {
            return .problem(problem(bytes, at: min(bytes.startIndex + error.offset, bytes.endIndex), error.reason))
        }
    }

    /// Creates a problem at a position in the card that starts at the first of `bytes`.
    private static func json(_ bytes: ArraySlice<UInt8>) throws(JCard.Refusal) -> JSONValue {
        let limits = JSONReader.Limits(bytes: .max, depth: 32, isLenient: true)
        do {
            return try JSONReader.read(bytes, limits: limits)
        } catch  where error.kind == .invalidUTF8 {
            // The text of a program that wrote Windows-1252.
            let text = Array(TextDecoding.decode(Array(bytes)).utf8)
            do throws(JSONReader.Problem) { return try JSONReader.read(text, limits: limits) } catch {
                throw JCard.Refusal(offset: error.offset, reason: error.kind.reason)
            }
        } catch {
            throw JCard.Refusal(offset: error.offset, reason: error.kind.reason)
        }
    }

    /// A problem at a place in the card that begins at the first of `bytes`.
    private func problem(_ bytes: ArraySlice<UInt8>, at place: Int, _ reason: String) -> InputProblem {
        let start = bytes[..<place].lastIndex(of: ASCII.lf).map { $0 + 1 } ?? bytes.startIndex
        let end = bytes[place...].firstIndex(of: ASCII.lf) ?? bytes.endIndex
        // Of a long line, only the text around the position is shown.
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

    /// The maximum length of the start of a card, with its white space, in bytes.
    private static let maximumMarkerLength = 1024

    /// The position of the first card: `["vcard",[`, with white space up to ``maximumMarkerLength``.
    static func firstCard(in bytes: ArraySlice<UInt8>) -> Int? {
        var index = bytes.startIndex
        while let start = bytes[index...].firstIndex(of: 0x5B) {
            var rest = bytes[(start + 1)...].prefix(maximumMarkerLength - 1)
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
