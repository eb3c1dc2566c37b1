/// Reads JSON strictly after RFC 8259: UTF-8, one value, no name twice in an object, bounded in size and depth.
package struct JSONReader {
    /// The error for text that is not acceptable JSON.
    package struct Problem: Error, Equatable {
        /// The kind of error.
        package enum Kind: Sendable {
            case unexpectedByte, unexpectedEnd, invalidNumber, invalidString, invalidUTF8, duplicateName, tooDeep
            case tooLarge, trailingText
        }

        /// The kind of error.
        package let kind: Kind
        /// The position in bytes from the beginning.
        package let offset: Int
    }

    /// The limits for the input.
    package struct Limits: Sendable {
        /// The most bytes.
        package var bytes: Int
        /// The most arrays and objects inside each other.
        package var depth: Int

        package init(bytes: Int = 16 << 20, depth: Int = 64) {
            self.bytes = bytes
            self.depth = depth
        }
    }

    private let bytes: [UInt8]
    private var offset = 0
    private var depth = 0
    private let limits: Limits

    private init(_ bytes: [UInt8], _ limits: Limits) {
        self.bytes = bytes
        self.limits = limits
    }

    /// The value that `bytes` hold.
    package static func read(_ bytes: [UInt8], limits: Limits = Limits()) throws(Problem) -> JSONValue {
        guard bytes.count <= limits.bytes else { throw Problem(kind: .tooLarge, offset: limits.bytes) }
        guard bytes.withUnsafeBufferPointer({ String(validating: $0, as: UTF8.self) }) != nil else {
            throw Problem(kind: .invalidUTF8, offset: 0)
        }
        var reader = JSONReader(bytes, limits)
        let value = try reader.value()
        reader.skipBlanks()
        guard reader.offset == bytes.count else { throw reader.problem(.trailingText) }
        return value
    }

    private func problem(_ kind: Problem.Kind) -> Problem { Problem(kind: kind, offset: offset) }

    private var peek: UInt8? { offset < bytes.count ? bytes[offset] : nil }

    private mutating func skipBlanks() {
        while let byte = peek, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { offset += 1 }
    }

    /// Takes `byte` after blanks, if it is next.
    private mutating func take(_ byte: UnicodeScalar) -> Bool {
        skipBlanks()
        guard peek == UInt8(ascii: byte) else { return false }
        offset += 1
        return true
    }

    private mutating func expect(_ byte: UnicodeScalar) throws(Problem) {
        guard take(byte) else { throw problem(peek == nil ? .unexpectedEnd : .unexpectedByte) }
    }

    private mutating func value() throws(Problem) -> JSONValue {
        skipBlanks()
        guard let byte = peek else { throw problem(.unexpectedEnd) }
        switch byte {
        case UInt8(ascii: "{"): return try nested { reader throws(Problem) in try reader.object() }
        case UInt8(ascii: "["): return try nested { reader throws(Problem) in try reader.array() }
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"): return try word("true", .bool(true))
        case UInt8(ascii: "f"): return try word("false", .bool(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        case UInt8(ascii: "-"), 0x30...0x39: return try number()
        default: throw problem(.unexpectedByte)
        }
    }

    private mutating func nested(
        _ read: (inout JSONReader) throws(Problem) -> JSONValue
    ) throws(Problem) -> JSONValue {
        guard depth < limits.depth else { throw problem(.tooDeep) }
        depth += 1
        let value = try read(&self)
        depth -= 1
        return value
    }

    private mutating func word(_ word: String, _ value: JSONValue) throws(Problem) -> JSONValue {
        guard bytes[offset...].starts(with: word.utf8) else { throw problem(.unexpectedByte) }
        offset += word.utf8.count
        return value
    }

    private mutating func array() throws(Problem) -> JSONValue {
        try expect("[")
        var elements: [JSONValue] = []
        if take("]") { return .array([]) }
        repeat { elements.append(try value()) } while take(",")
        try expect("]")
        return .array(elements)
    }

    private mutating func object() throws(Problem) -> JSONValue {
        try expect("{")
        var members: [JSONValue.Member] = []
        var names: Set<String> = []
        if take("}") { return .object([]) }
        repeat {
            skipBlanks()
            guard let byte = peek else { throw problem(.unexpectedEnd) }
            guard byte == UInt8(ascii: "\"") else { throw problem(.unexpectedByte) }
            let start = offset
            let name = try string()
            guard names.insert(name).inserted else { throw Problem(kind: .duplicateName, offset: start) }
            try expect(":")
            members.append(JSONValue.Member(name: name, value: try value()))
        } while take(",")
        try expect("}")
        return .object(members)
    }

    private mutating func number() throws(Problem) -> JSONValue {
        let start = offset
        func isDigit(_ byte: UInt8?) -> Bool { byte.map { (0x30...0x39).contains($0) } ?? false }
        func digits(_ reader: inout JSONReader) throws(Problem) {
            guard isDigit(reader.peek) else { throw Problem(kind: .invalidNumber, offset: start) }
            while isDigit(reader.peek) { reader.offset += 1 }
        }
        if peek == UInt8(ascii: "-") { offset += 1 }
        if peek == UInt8(ascii: "0") { offset += 1 } else { try digits(&self) }
        if isDigit(peek) { throw Problem(kind: .invalidNumber, offset: start) }
        if peek == UInt8(ascii: ".") {
            offset += 1
            try digits(&self)
        }
        if peek == UInt8(ascii: "e") || peek == UInt8(ascii: "E") {
            offset += 1
            if peek == UInt8(ascii: "+") || peek == UInt8(ascii: "-") { offset += 1 }
            try digits(&self)
        }
        return .number(String(decoding: bytes[start..<offset], as: UTF8.self))
    }
}

extension JSONReader {
    private mutating func string() throws(Problem) -> String {
        offset += 1
        var text: [UInt8] = []
        while let byte = peek {
            offset += 1
            switch byte {
            case UInt8(ascii: "\""): return String(decoding: text, as: UTF8.self)
            case UInt8(ascii: "\\"): text += Array(String(try escape()).utf8)
            case 0..<0x20: throw Problem(kind: .invalidString, offset: offset - 1)
            default: text.append(byte)
            }
        }
        throw problem(.unexpectedEnd)
    }

    private mutating func escape() throws(Problem) -> Unicode.Scalar {
        guard let byte = peek else { throw problem(.unexpectedEnd) }
        offset += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(byte)
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{C}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"): return try unicodeEscape()
        default: throw Problem(kind: .invalidString, offset: offset - 1)
        }
    }

    /// A scalar from one escape, or from two that are a surrogate pair; a lone surrogate is refused.
    private mutating func unicodeEscape() throws(Problem) -> Unicode.Scalar {
        let start = offset
        let high = try hexadecimal()
        if let scalar = Unicode.Scalar(UInt32(high)) { return scalar }
        guard (0xD800..<0xDC00).contains(high), bytes[offset...].starts(with: [0x5C, 0x75]) else {
            throw Problem(kind: .invalidString, offset: start)
        }
        offset += 2
        let low = try hexadecimal()
        guard (0xDC00..<0xE000).contains(low),
            let scalar = Unicode.Scalar(0x10000 + (UInt32(high) - 0xD800) << 10 + (UInt32(low) - 0xDC00))
        else { throw Problem(kind: .invalidString, offset: start) }
        return scalar
    }

    private mutating func hexadecimal() throws(Problem) -> UInt16 {
        guard offset + 4 <= bytes.count else { throw problem(.unexpectedEnd) }
        let digits = bytes[offset..<offset + 4]
        guard digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
            let number = UInt16(String(decoding: digits, as: UTF8.self), radix: 16)
        else { throw problem(.invalidString) }
        offset += 4
        return number
    }
}
