/// A strict reader of JSON after RFC 8259: UTF-8, one value, unique names in each object, bounded in size and depth.
package struct JSONReader {
    /// Why some bytes are not acceptable as JSON.
    package struct Problem: Error, Equatable {
        /// The kinds of problems.
        package enum Kind: Sendable {
            case unexpectedByte, unexpectedEnd, invalidNumber, invalidString, invalidUTF8, duplicateName, tooDeep
            case tooLarge, trailingText

            /// The problem in a few words.
            package var reason: String {
                switch self {
                case .unexpectedByte: "unexpected character"
                case .unexpectedEnd: "unexpected end"
                case .invalidNumber: "invalid number"
                case .invalidString: "invalid character or escape in a string"
                case .invalidUTF8: "invalid UTF-8"
                case .duplicateName: "repeated name"
                case .tooDeep: "too many levels"
                case .tooLarge: "too many bytes"
                case .trailingText: "unexpected text after the value"
                }
            }
        }

        /// The kind of the problem.
        package let kind: Kind
        /// Its place, in bytes from the beginning.
        package let offset: Int
    }

    /// The bounds of what is accepted.
    package struct Limits: Sendable {
        /// The maximum number of bytes.
        package var bytes: Int
        /// The maximum number of arrays and objects inside each other.
        package var depth: Int
        /// Whether mistakes of careless programs are passed over: repeated names, half a surrogate pair (read as
        /// U+FFFD), and any bytes after the value.
        package var isLenient: Bool

        package init(bytes: Int = 16 << 20, depth: Int = 64, isLenient: Bool = false) {
            self.bytes = bytes
            self.depth = depth
            self.isLenient = isLenient
        }
    }

    // The buffer outlives the reader: `read` alone makes one, inside the scope of the pointer.
    private let bytes: UnsafeBufferPointer<UInt8>
    private let limits: Limits
    private var offset = 0
    private var depth = 0

    private init(_ bytes: UnsafeBufferPointer<UInt8>, _ limits: Limits) {
        self.bytes = bytes
        self.limits = limits
    }

    /// Returns the value that `bytes` hold.
    package static func read(_ bytes: [UInt8], limits: Limits = Limits()) throws(Problem) -> JSONValue {
        try read(bytes[...], limits: limits)
    }

    /// Returns the value that a part of some bytes holds; offsets of problems count from the beginning of the part.
    package static func read(_ bytes: ArraySlice<UInt8>, limits: Limits = Limits()) throws(Problem) -> JSONValue {
        guard bytes.count <= limits.bytes else { throw Problem(kind: .tooLarge, offset: limits.bytes) }
        return try bytes.withUnsafeBufferPointer { buffer throws(Problem) in
            var reader = JSONReader(buffer, limits)
            let value = try reader.value()
            if !limits.isLenient {
                reader.skipWhitespace()
                guard reader.offset == buffer.count else { throw reader.problem(.trailingText) }
            }
            return value
        }
    }

    private func problem(_ kind: Problem.Kind) -> Problem { Problem(kind: kind, offset: offset) }

    private var peek: UInt8? { offset < bytes.count ? bytes[offset] : nil }

    private mutating func skipWhitespace() {
        while let byte = peek, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { offset += 1 }
    }

    /// Takes `byte`, after whitespace, if it is next.
    private mutating func take(_ byte: UInt8) -> Bool {
        skipWhitespace()
        guard peek == byte else { return false }
        offset += 1
        return true
    }

    private mutating func expect(_ byte: UInt8) throws(Problem) {
        guard take(byte) else { throw problem(peek == nil ? .unexpectedEnd : .unexpectedByte) }
    }

    private mutating func value() throws(Problem) -> JSONValue {
        skipWhitespace()
        guard let byte = peek else { throw problem(.unexpectedEnd) }
        switch byte {
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            guard depth < limits.depth else { throw problem(.tooDeep) }
            depth += 1
            defer { depth -= 1 }
            return byte == UInt8(ascii: "{") ? .object(try object()) : .array(try array())
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"): return try word("true", .bool(true))
        case UInt8(ascii: "f"): return try word("false", .bool(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        case UInt8(ascii: "-"), 0x30...0x39: return .number(try number())
        default: throw problem(.unexpectedByte)
        }
    }

    private mutating func word(_ word: StaticString, _ value: JSONValue) throws(Problem) -> JSONValue {
        let rest = UnsafeBufferPointer(rebasing: bytes[offset...])
        guard rest.starts(with: UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount)) else {
            throw problem(.unexpectedByte)
        }
        offset += word.utf8CodeUnitCount
        return value
    }

    private mutating func array() throws(Problem) -> [JSONValue] {
        offset += 1
        var elements: [JSONValue] = []
        if take(UInt8(ascii: "]")) { return elements }
        repeat { elements.append(try value()) } while take(UInt8(ascii: ","))
        try expect(UInt8(ascii: "]"))
        return elements
    }

    private mutating func object() throws(Problem) -> [JSONValue.Member] {
        offset += 1
        var members: [JSONValue.Member] = []
        var names = UniqueNames()
        if take(UInt8(ascii: "}")) { return members }
        repeat {
            skipWhitespace()
            guard let byte = peek else { throw problem(.unexpectedEnd) }
            guard byte == UInt8(ascii: "\"") else { throw problem(.unexpectedByte) }
            let start = offset
            let name = try string()
            guard limits.isLenient || names.insert(name, after: members) else {
                throw Problem(kind: .duplicateName, offset: start)
            }
            try expect(UInt8(ascii: ":"))
            members.append(JSONValue.Member(name: name, value: try value()))
        } while take(UInt8(ascii: ","))
        try expect(UInt8(ascii: "}"))
        return members
    }

    private mutating func number() throws(Problem) -> String {
        let start = offset
        if peek == UInt8(ascii: "-") { offset += 1 }
        if peek == UInt8(ascii: "0") { offset += 1 } else { try digits(of: start) }
        if isDigit { throw Problem(kind: .invalidNumber, offset: start) }
        if peek == UInt8(ascii: ".") {
            offset += 1
            try digits(of: start)
        }
        if peek == UInt8(ascii: "e") || peek == UInt8(ascii: "E") {
            offset += 1
            if peek == UInt8(ascii: "+") || peek == UInt8(ascii: "-") { offset += 1 }
            try digits(of: start)
        }
        return String(decoding: bytes[start..<offset], as: UTF8.self)
    }

    private var isDigit: Bool { peek.map { $0 &- 0x30 < 10 } ?? false }

    private mutating func digits(of start: Int) throws(Problem) {
        guard isDigit else { throw Problem(kind: .invalidNumber, offset: start) }
        while isDigit { offset += 1 }
    }
}

/// The names that an object has so far; a set is made only for objects of many members.
private struct UniqueNames {
    private var names: Set<String> = []

    /// Whether `name` differs from the names of all `members`, which are those that were asked for before.
    mutating func insert(_ name: String, after members: [JSONValue.Member]) -> Bool {
        guard members.count >= 16 else { return !members.contains { $0.name == name } }
        if names.isEmpty { names = Set(members.map(\.name)) }
        return names.insert(name).inserted
    }
}

extension JSONReader {
    private mutating func string() throws(Problem) -> String {
        offset += 1
        let start = offset
        var isASCII = true
        while let byte = peek {
            switch byte {
            case UInt8(ascii: "\""):
                let text = try decode(start..<offset, isASCII: isASCII)
                offset += 1
                return text
            case UInt8(ascii: "\\"): return try escapedString(from: start)
            case 0..<0x20: throw problem(.invalidString)
            default:
                if byte >= 0x80 { isASCII = false }
                offset += 1
            }
        }
        throw problem(.unexpectedEnd)
    }

    private func decode(_ range: Range<Int>, isASCII: Bool) throws(Problem) -> String {
        let part = UnsafeBufferPointer(rebasing: bytes[range])
        if isASCII { return String(decoding: part, as: UTF8.self) }
        guard let text = String(validating: part, as: UTF8.self) else {
            throw Problem(kind: .invalidUTF8, offset: range.lowerBound)
        }
        return text
    }

    /// The rest of a string that has an escape where the reader is; its text began at `start`.
    private mutating func escapedString(from start: Int) throws(Problem) -> String {
        var text = Array(bytes[start..<offset])
        while let byte = peek {
            offset += 1
            switch byte {
            case UInt8(ascii: "\""):
                guard let string = String(validating: text, as: UTF8.self) else {
                    throw Problem(kind: .invalidUTF8, offset: start)
                }
                return string
            case UInt8(ascii: "\\"): text.append(contentsOf: String(try escape()).utf8)
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

    /// A scalar from one escape, or from two that are a surrogate pair.
    private mutating func unicodeEscape() throws(Problem) -> Unicode.Scalar {
        let start = offset
        let high = try hexadecimal()
        if let scalar = Unicode.Scalar(high) { return scalar }
        guard (0xD800..<0xDC00).contains(high), peek == UInt8(ascii: "\\"), offset + 1 < bytes.count,
            bytes[offset + 1] == UInt8(ascii: "u")
        else { return try lone(start) }
        let end = offset
        offset += 2
        let low = try hexadecimal()
        guard (0xDC00..<0xE000).contains(low),
            let scalar = Unicode.Scalar(0x10000 + (high - 0xD800) << 10 + (low - 0xDC00))
        else {
            offset = end
            return try lone(start)
        }
        return scalar
    }

    /// The replacement of half a surrogate pair whose escape began at `start`.
    private func lone(_ start: Int) throws(Problem) -> Unicode.Scalar {
        guard limits.isLenient else { throw Problem(kind: .invalidString, offset: start) }
        return "\u{FFFD}"
    }

    private mutating func hexadecimal() throws(Problem) -> UInt32 {
        guard offset + 4 <= bytes.count else { throw problem(.unexpectedEnd) }
        var number: UInt32 = 0
        for byte in bytes[offset..<offset + 4] {
            let digit: UInt8
            switch byte {
            case 0x30...0x39: digit = byte - 0x30
            case 0x41...0x46: digit = byte - 0x41 + 10
            case 0x61...0x66: digit = byte - 0x61 + 10
            default: throw problem(.invalidString)
            }
            number = number << 4 | UInt32(digit)
        }
        offset += 4
        return number
    }
}
