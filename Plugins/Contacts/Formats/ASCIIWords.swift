/// A small table from ASCII words to values, ignoring case; it looks up bytes without creating a string.
struct ASCIIWords<Value: Sendable>: Sendable {
    private struct Entry: Sendable {
        let letters: Range<Int>
        let value: Value
    }

    /// The words in upper case, one after another.
    private var letters: [UInt8] = []
    private var entries: [Entry] = []
    /// The hash table: the number of an entry and one, at the first free slot after that of its word; 0 in a free slot.
    private var slots: [UInt8]

    /// Creates a table of `entries`, at most 127; the words are in upper case.
    init(_ words: [(String, Value)]) {
        precondition(words.count < 128)
        slots = [UInt8](repeating: 0, count: 256)
        for (word, value) in words {
            let start = letters.count
            letters += Array(word.utf8)
            entries.append(Entry(letters: start..<letters.count, value: value))
            var slot = ASCIIWords.slot(of: letters.span.extracting(start..<letters.count))
            while slots[Int(slot)] != 0 { slot &+= 1 }
            slots[Int(slot)] = UInt8(entries.count)
        }
    }

    /// Returns the value for `text`, or nil if it is not in the table.
    func value(of text: Span<UInt8>) -> Value? {
        if text.isEmpty { return nil }
        var slot = ASCIIWords.slot(of: text)
        while case let number = Int(slots[Int(slot)]), number > 0 {
            let entry = entries[number - 1]
            if text.equalsIgnoringCase(letters.span.extracting(entry.letters)) { return entry.value }
            slot &+= 1
        }
        return nil
    }

    /// The first slot for a word, by its length and three of its letters.
    private static func slot(of word: Span<UInt8>) -> UInt8 {
        guard word.count > 0 else { return 0 }
        let (first, middle, last) = (word[0], word[word.count / 2], word[word.count - 1])
        // The factors give most names of properties a slot of their own.
        let letters = (first & 0xDF) &* 7 &+ (middle & 0xDF) &* 5 &+ (last & 0xDF) &* 15
        return UInt8(truncatingIfNeeded: word.count) &* 5 &+ letters
    }
}

extension Span<UInt8> {
    /// Whether these are the letters of `word`, ignoring case.
    func equalsIgnoringCase(_ word: Span<UInt8>) -> Bool {
        guard count == word.count else { return false }
        for index in indices {
            let (mine, other) = (self[unchecked: index], word[unchecked: index])
            if mine != other, mine.uppercasedASCII != other.uppercasedASCII { return false }
        }
        return true
    }

    /// Whether `word`, which is in upper case, starts at `start`.
    func hasWord(_ word: StaticString, at start: Int) -> Bool {
        let length = word.utf8CodeUnitCount
        guard start >= 0, start + length <= count else { return false }
        let letters = UnsafeBufferPointer(start: word.utf8Start, count: length)
        for index in 0..<length where self[start + index].uppercasedASCII != letters[index] { return false }
        return true
    }
}

/// The bytes with a meaning in the vCard grammar.
enum ASCII {
    static let tab: UInt8 = 0x09
    static let lf: UInt8 = 0x0A
    static let cr: UInt8 = 0x0D
    static let space: UInt8 = 0x20
    static let quote: UInt8 = 0x22
    static let comma: UInt8 = 0x2C
    static let dot: UInt8 = 0x2E
    static let colon: UInt8 = 0x3A
    static let semicolon: UInt8 = 0x3B
    static let equals: UInt8 = 0x3D
    static let backslash: UInt8 = 0x5C
}

extension UInt8 {
    /// The byte in upper case when it is a small ASCII letter.
    var uppercasedASCII: UInt8 { self &- 0x61 < 26 ? self & 0xDF : self }

    /// Whether the byte is a space or a tab.
    var isBlank: Bool { self == ASCII.space || self == ASCII.tab }
}
