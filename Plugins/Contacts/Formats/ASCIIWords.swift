/// A small table from ASCII words to values, ignoring case; it looks up bytes without creating a string.
struct ASCIIWords<Value: Sendable>: Sendable {
    private var byLength: [[(word: [UInt8], value: Value)]] = []

    /// Creates a table of `entries`; the words are in upper case.
    init(_ entries: some Sequence<(String, Value)>) {
        for (word, value) in entries {
            let bytes = Array(word.utf8)
            while byLength.count <= bytes.count { byLength.append([]) }
            byLength[bytes.count].append((bytes, value))
        }
    }

    /// Returns the value for `text`, or nil if it is not in the table.
    func value(of text: Span<UInt8>) -> Value? {
        guard text.count < byLength.count else { return nil }
        for entry in byLength[text.count] where text.equalsIgnoringCase(entry.word) { return entry.value }
        return nil
    }
}

extension Span<UInt8> {
    /// Whether these are the letters of `word`, which is in upper case.
    func equalsIgnoringCase(_ word: [UInt8]) -> Bool {
        guard count == word.count else { return false }
        for index in indices where self[index].uppercasedASCII != word[index] { return false }
        return true
    }

    /// Whether `word`, which is in upper case, starts at `start`.
    func hasWord(_ word: StaticString, at start: Int) -> Bool {
        let length = word.utf8CodeUnitCount
        guard start >= 0, start + length <= count else { return false }
        return word.withUTF8Buffer { letters in
            for index in 0..<length where self[start + index].uppercasedASCII != letters[index] { return false }
            return true
        }
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
