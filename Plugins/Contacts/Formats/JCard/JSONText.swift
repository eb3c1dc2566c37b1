import PlainText

/// A JSON value (RFC 8259), as far as jCard needs it: numbers and literals keep their text.
indirect enum JSONNode: Hashable, Sendable {
    case string(String)
    /// A number, `true` or `false`.
    case literal(String)
    case null
    case array([JSONNode])
    /// The members in order.
    case object([Member])

    struct Member: Hashable, Sendable {
        let name: String
        let value: JSONNode
    }

    /// The text of a scalar value.
    var text: String? {
        switch self {
        case .string(let text), .literal(let text): text
        case .null: ""
        case .array, .object: nil
        }
    }
}

/// Parses one JSON value at the start of some bytes; the bytes after it are ignored.
struct JSONText {
    /// The error of invalid JSON.
    struct Failure: Error, Hashable {
        /// The byte offset of the error.
        let offset: Int
        let reason: String
    }

    private static let maximumDepth = 32

    private let bytes: ArraySlice<UInt8>
    private var index: Int

    init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
        index = bytes.startIndex
    }

    /// The value.
    mutating func value(depth: Int = 0) throws(Failure) -> JSONNode {
        guard depth < JSONText.maximumDepth else { throw failure("nested too deeply") }
        skipBlanks()
        switch peek {
        case 0x5B: return .array(try array(depth))
        case 0x7B: return .object(try object(depth))
        case ASCII.quote: return .string(try string())
        case nil: throw failure("the file ends here")
        default: return try literal()
        }
    }

    private var peek: UInt8? { index < bytes.endIndex ? bytes[index] : nil }

    private func failure(_ reason: String) -> Failure { Failure(offset: index - bytes.startIndex, reason: reason) }

    private mutating func skipBlanks() {
        while let byte = peek, byte.isBlank || byte == ASCII.lf || byte == ASCII.cr { index += 1 }
    }

    private mutating func take(_ byte: UInt8) -> Bool {
        skipBlanks()
        guard peek == byte else { return false }
        index += 1
        return true
    }

    private mutating func array(_ depth: Int) throws(Failure) -> [JSONNode] {
        index += 1
        var items: [JSONNode] = []
        if take(0x5D) { return items }
        while true {
            items.append(try value(depth: depth + 1))
            if take(0x5D) { return items }
            guard take(ASCII.comma) else { throw failure("expected a comma or ]") }
        }
    }

    private mutating func object(_ depth: Int) throws(Failure) -> [JSONNode.Member] {
        index += 1
        var members: [JSONNode.Member] = []
        if take(0x7D) { return members }
        while true {
            skipBlanks()
            guard peek == ASCII.quote else { throw failure("expected a name in quotes") }
            let name = try string()
            guard take(ASCII.colon) else { throw failure("expected a colon") }
            members.append(JSONNode.Member(name: name, value: try value(depth: depth + 1)))
            if take(0x7D) { return members }
            guard take(ASCII.comma) else { throw failure("expected a comma or }") }
        }
    }

    private mutating func literal() throws(Failure) -> JSONNode {
        let start = index
        while let byte = peek, byte.isJSONWord { index += 1 }
        let word = String(decoding: bytes[start..<index], as: UTF8.self)
        if word == "null" { return .null }
        guard word == "true" || word == "false" || Double(word) != nil else {
            index = start
            throw failure("expected a value")
        }
        return .literal(word)
    }

    private mutating func string() throws(Failure) -> String {
        index += 1
        var text: [UInt8] = []
        while let byte = peek {
            index += 1
            switch byte {
            case ASCII.quote: return TextDecoding.decode(text)
            case ASCII.backslash: text += try escape()
            case 0..<0x20: throw failure("line end or control character in a string")
            default: text.append(byte)
            }
        }
        throw failure("unterminated string")
    }

    private mutating func escape() throws(Failure) -> [UInt8] {
        guard let letter = peek else { throw failure("the file ends here") }
        index += 1
        switch letter {
        case 0x6E: return [ASCII.lf]
        case 0x74: return [ASCII.tab]
        case 0x72: return [ASCII.cr]
        case 0x62: return [0x08]
        case 0x66: return [0x0C]
        case ASCII.quote, ASCII.backslash, 0x2F: return [letter]
        case 0x75:
            var units = [try hexadecimal()]
            if units[0] & 0xFC00 == 0xD800, peek == ASCII.backslash, bytes[index...].dropFirst().first == 0x75 {
                index += 2
                units.append(try hexadecimal())
            }
            return Array(String(decoding: units, as: UTF16.self).utf8)
        default: throw failure("invalid escape \\\(Character(Unicode.Scalar(letter)))")
        }
    }

    private mutating func hexadecimal() throws(Failure) -> UInt16 {
        let digits = bytes[index...].prefix(4)
        guard digits.count == 4, !digits.contains(0x2B), !digits.contains(0x2D),
            let unit = UInt16(String(decoding: digits, as: UTF8.self), radix: 16)
        else { throw failure("expected four hexadecimal digits") }
        index += 4
        return unit
    }
}

extension UInt8 {
    /// Whether the byte may occur in a number, `true`, `false` or `null`.
    fileprivate var isJSONWord: Bool {
        (self | 0x20) &- 0x61 < 26 || self &- 0x30 < 10 || [0x2B, 0x2D, 0x2E].contains(self)
    }
}
