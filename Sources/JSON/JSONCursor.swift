/// Reads JSON value by value, without making a tree: for large bodies of which little is kept.
///
/// The caller asks for the kind of what comes next and takes or skips it, so a value of the wrong type costs one field and
/// not the body. Text that is not JSON ends the whole read. Accepted beside RFC 8259: a byte order mark at the beginning,
/// repeated names (each is seen), half a surrogate pair and invalid UTF-8 in strings (read as U+FFFD).
package struct JSONCursor {
    /// The type of a value.
    package enum Kind: Sendable { case object, array, string, number, bool, null }

    /// Why some bytes are not acceptable as JSON.
    package typealias Problem = JSONReader.Problem

    // The buffer outlives the cursor: `read` alone makes one, inside the scope of the pointer.
    private let bytes: UnsafeBufferPointer<UInt8>
    private let maximumDepth: Int
    private var offset = 0
    private var depth = 0
    /// Whether a value came before, inside the current object or array.
    private var needsComma = false

    init(_ bytes: UnsafeBufferPointer<UInt8>, maximumDepth: Int) {
        self.bytes = bytes
        self.maximumDepth = maximumDepth
    }

    /// Returns what `body` makes of the one value in `bytes`; it must take or skip the whole value.
    package static func read<Result>(
        _ bytes: [UInt8], limits: JSONReader.Limits = .init(),
        _ body: (inout JSONCursor) throws(Problem) -> Result
    ) throws(Problem) -> Result {
        guard bytes.count <= limits.bytes else { throw Problem(kind: .tooLarge, offset: limits.bytes) }
        return try bytes.withUnsafeBufferPointer { buffer throws(Problem) in
            var cursor = JSONCursor(buffer, maximumDepth: limits.depth)
            if buffer.starts(with: [0xEF, 0xBB, 0xBF]) { cursor.offset = 3 }
            let result = try body(&cursor)
            try cursor.expectEnd()
            return result
        }
    }

    /// Throws unless nothing but whitespace follows.
    mutating func expectEnd() throws(Problem) {
        skipWhitespace()
        guard offset == bytes.count else { throw problem(.trailingText) }
    }

    private func problem(_ kind: Problem.Kind) -> Problem { Problem(kind: kind, offset: offset) }

    /// The next byte; 0, which begins nothing, at the end.
    private var peek: UInt8 { offset < bytes.count ? bytes[offset] : 0 }

    private func unexpected() -> Problem { problem(offset < bytes.count ? .unexpectedByte : .unexpectedEnd) }

    private mutating func skipWhitespace() {
        // Bodies of programs have none.
        if offset < bytes.count, bytes[offset] > 0x20 { return }
        while offset < bytes.count {
            switch bytes[offset] {
            case 0x20, 0x0A, 0x0D, 0x09: offset += 1
            default: return
            }
        }
    }

    /// The kind of the value that comes next.
    package mutating func kind() throws(Problem) -> Kind {
        skipWhitespace()
        switch peek {
        case UInt8(ascii: "{"): return .object
        case UInt8(ascii: "["): return .array
        case UInt8(ascii: "\""): return .string
        case UInt8(ascii: "t"), UInt8(ascii: "f"): return .bool
        case UInt8(ascii: "n"): return .null
        case UInt8(ascii: "-"), 0x30...0x39: return .number
        default: throw unexpected()
        }
    }

    private mutating func open(_ byte: UInt8) throws(Problem) {
        skipWhitespace()
        guard peek == byte else { throw unexpected() }
        guard depth < maximumDepth else { throw problem(.tooDeep) }
        offset += 1
        depth += 1
        needsComma = false
    }

    /// Whether another element or member follows; passes the comma before it, or the closing byte.
    private mutating func advance(closing byte: UInt8) throws(Problem) -> Bool {
        skipWhitespace()
        if peek == byte {
            offset += 1
            depth -= 1
            needsComma = true
            return false
        }
        if needsComma {
            guard peek == UInt8(ascii: ",") else { throw unexpected() }
            offset += 1
            skipWhitespace()
            // JSON has no comma before the closing byte.
            if peek == byte { throw problem(.unexpectedByte) }
        }
        return true
    }

    /// Opens the array that comes next.
    package mutating func beginArray() throws(Problem) { try open(UInt8(ascii: "[")) }

    /// Whether the array has another element, which comes next; closes the array if it does not.
    package mutating func nextElement() throws(Problem) -> Bool { try advance(closing: UInt8(ascii: "]")) }

    /// Opens the object that comes next.
    package mutating func beginObject() throws(Problem) { try open(UInt8(ascii: "{")) }

    /// Returns the index of the next member's name among `keys`, ``JSONKeys/other`` for another name; nil, and the object
    /// is closed, if it has no more members. The member's value comes next.
    package mutating func nextMember(_ keys: JSONKeys) throws(Problem) -> Int? {
        guard try advance(closing: UInt8(ascii: "}")) else { return nil }
        let (range, isPlain) = try scanString()
        var index = JSONKeys.other
        if isPlain {
            index = keys.index(of: part(range))
        } else {
            var name = decoded(range, isPlain: false)
            index = name.withUTF8 { keys.index(of: $0) }
        }
        try colon()
        return index
    }

    /// Returns the next member's name, for objects whose names are data; nil, and the object is closed, if it has no more.
    package mutating func nextName() throws(Problem) -> String? {
        guard try advance(closing: UInt8(ascii: "}")) else { return nil }
        let (range, isPlain) = try scanString()
        let name = decoded(range, isPlain: isPlain)
        try colon()
        return name
    }

    /// Returns the next member's name and its place as a strict reader takes it; nil, and the object is closed, if it has no more.
    mutating func nextName(isLenient: Bool) throws(Problem) -> (String, Int)? {
        guard try advance(closing: UInt8(ascii: "}")) else { return nil }
        let start = offset
        let name = try string(isLenient: isLenient)
        try colon()
        return (name, start)
    }

    /// Takes a string as a strict reader does: of valid UTF-8, and without half a surrogate pair unless `isLenient`.
    mutating func string(isLenient: Bool) throws(Problem) -> String {
        skipWhitespace()
        let (range, isPlain) = try scanString()
        needsComma = true
        let content = part(range)
        guard !isPlain else { return try validated(content, at: range.lowerBound) }
        let (text, hasHalfPair) = unescaped(content)
        guard isLenient || !hasHalfPair else { throw Problem(kind: .invalidString, offset: range.lowerBound) }
        return try validated(text, at: range.lowerBound)
    }

    private func validated(_ text: some Collection<UInt8>, at offset: Int) throws(Problem) -> String {
        if let string = String(validating: text, as: UTF8.self) { return string }
        throw Problem(kind: .invalidUTF8, offset: offset)
    }

    private mutating func colon() throws(Problem) {
        skipWhitespace()
        guard peek == UInt8(ascii: ":") else { throw unexpected() }
        offset += 1
    }

    /// Takes a string.
    package mutating func string() throws(Problem) -> String {
        skipWhitespace()
        let (range, isPlain) = try scanString()
        needsComma = true
        return decoded(range, isPlain: isPlain)
    }

    /// Takes true or false.
    package mutating func bool() throws(Problem) -> Bool {
        skipWhitespace()
        let isTrue = peek == UInt8(ascii: "t")
        try word(isTrue ? "true" : "false")
        return isTrue
    }

    /// Takes a number and returns its text, which must not be used after the read.
    package mutating func number() throws(Problem) -> UnsafeBufferPointer<UInt8> {
        skipWhitespace()
        let range = try scanNumber()
        needsComma = true
        return part(range)
    }

    /// Takes an array and returns the texts of its first numbers, at most `limit`, which must not be used after the read. Other
    /// values are passed over.
    package mutating func numbers(limit: Int) throws(Problem) -> [UnsafeBufferPointer<UInt8>] {
        var numbers: [UnsafeBufferPointer<UInt8>] = []
        numbers.reserveCapacity(min(limit, 200))
        try beginArray()
        while try nextElement() {
            guard numbers.count < limit, try kind() == .number else {
                try skip()
                continue
            }
            repeat { numbers.append(part(try scanNumber())) } while numbers.count < limit && passCommaBeforeNumber()
            needsComma = true
        }
        return numbers
    }

    /// Passes a comma when a number follows at once, as it does in long lists of programs; false when there may be anything else.
    private mutating func passCommaBeforeNumber() -> Bool {
        guard offset + 1 < bytes.count, bytes[offset] == UInt8(ascii: ",") else { return false }
        let next = bytes[offset + 1]
        guard next &- 0x30 < 10 || next == UInt8(ascii: "-") else { return false }
        offset += 1
        return true
    }

    /// Passes over a value of any kind.
    package mutating func skip() throws(Problem) {
        // Depth is bounded, so recursion is.
        switch try kind() {
        case .object:
            try beginObject()
            while try advance(closing: UInt8(ascii: "}")) {
                _ = try scanString()
                try colon()
                try skip()
            }
        case .array:
            try beginArray()
            while try nextElement() { try skip() }
        case .string:
            _ = try scanString()
            needsComma = true
        case .number:
            _ = try scanNumber()
            needsComma = true
        case .bool: _ = try bool()
        case .null: try word("null")
        }
    }

    private mutating func word(_ word: StaticString) throws(Problem) {
        for index in 0..<word.utf8CodeUnitCount {
            guard peek == word.utf8Start[index] else { throw unexpected() }
            offset += 1
        }
        needsComma = true
    }

    /// The bytes of a range that was scanned.
    @inline(__always)
    private func part(_ range: Range<Int>) -> UnsafeBufferPointer<UInt8> {
        assert(range.lowerBound >= 0 && range.upperBound <= bytes.count)
        return UnsafeBufferPointer(start: bytes.baseAddress.map { $0 + range.lowerBound }, count: range.count)
    }

    /// Passes a string; the range of its content, and whether that has no escapes.
    private mutating func scanString() throws(Problem) -> (Range<Int>, isPlain: Bool) {
        guard peek == UInt8(ascii: "\"") else { throw unexpected() }
        offset += 1
        let start = offset
        var isPlain = true
        while true {
            offset = JSONScan.text(bytes, from: offset)
            guard offset < bytes.count else { break }
            let byte = bytes[offset]
            offset += 1
            if byte == UInt8(ascii: "\"") { return (start..<offset - 1, isPlain) }
            if byte < 0x20 { throw Problem(kind: .invalidString, offset: offset - 1) }
            if byte == UInt8(ascii: "\\") {
                isPlain = false
                try checkEscape()
            }
        }
        throw problem(.unexpectedEnd)
    }

    private mutating func checkEscape() throws(Problem) {
        guard offset < bytes.count else { throw problem(.unexpectedEnd) }
        let byte = bytes[offset]
        offset += 1
        if byte == UInt8(ascii: "u") {
            guard offset + 4 <= bytes.count else { throw problem(.unexpectedEnd) }
            for digit in bytes[offset..<offset + 4] {
                guard JSONCursor.hexadecimal(digit) != nil else { throw problem(.invalidString) }
            }
            offset += 4
        } else if JSONCursor.escape(byte) == nil {
            throw Problem(kind: .invalidString, offset: offset - 1)
        }
    }

    // Inlined, as a page of charts is forty thousand numbers.
    @inline(__always)
    private mutating func scanNumber() throws(Problem) -> Range<Int> {
        let start = offset
        if peek == UInt8(ascii: "-") { offset += 1 }
        let whole = offset
        try digits(of: start)
        if bytes[whole] == 0x30, offset > whole + 1 { throw Problem(kind: .invalidNumber, offset: start) }
        if peek == UInt8(ascii: ".") {
            offset += 1
            try digits(of: start)
        }
        if peek | 0x20 == UInt8(ascii: "e") {
            offset += 1
            if peek == UInt8(ascii: "+") || peek == UInt8(ascii: "-") { offset += 1 }
            try digits(of: start)
        }
        return start..<offset
    }

    @inline(__always)
    private mutating func digits(of start: Int) throws(Problem) {
        let first = offset
        offset = JSONScan.digits(bytes, from: first)
        if offset == first { throw Problem(kind: .invalidNumber, offset: start) }
    }
}

extension JSONCursor {
    private func decoded(_ range: Range<Int>, isPlain: Bool) -> String {
        isPlain
            ? String(decoding: part(range), as: UTF8.self)
            : String(decoding: unescaped(part(range)).text, as: UTF8.self)
    }

    /// The text of a string whose escapes were checked, and whether U+FFFD stands for half a surrogate pair.
    private func unescaped(_ content: UnsafeBufferPointer<UInt8>) -> (text: [UInt8], hasHalfPair: Bool) {
        // Escapes of four digits are UTF-16; they wait here until they are whole scalars.
        var text: [UInt8] = []
        var units: [UInt16] = []
        var hasHalfPair = false
        func flush() {
            guard !units.isEmpty else { return }
            let whole = String(validating: units, as: UTF16.self)
            if whole == nil { hasHalfPair = true }
            text += Array((whole ?? String(decoding: units, as: UTF16.self)).utf8)
            units = []
        }
        var index = 0
        while index < content.count {
            let byte = content[index]
            guard byte == UInt8(ascii: "\\") else {
                flush()
                text.append(byte)
                index += 1
                continue
            }
            if content[index + 1] == UInt8(ascii: "u") {
                let unit = content[index + 2..<index + 6].reduce(UInt16(0)) { unit, digit in
                    unit << 4 | UInt16(JSONCursor.hexadecimal(digit) ?? 0)
                }
                units.append(unit)
                index += 6
            } else {
                flush()
                if let scalar = JSONCursor.escape(content[index + 1]) { text.append(scalar) }
                index += 2
            }
        }
        flush()
        return (text, hasHalfPair)
    }

    private static func escape(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): byte
        case UInt8(ascii: "b"): 0x08
        case UInt8(ascii: "f"): 0x0C
        case UInt8(ascii: "n"): 0x0A
        case UInt8(ascii: "r"): 0x0D
        case UInt8(ascii: "t"): 0x09
        default: nil
        }
    }

    private static func hexadecimal(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte - 0x30
        case 0x41...0x46: byte - 0x41 + 10
        case 0x61...0x66: byte - 0x61 + 10
        default: nil
        }
    }
}
