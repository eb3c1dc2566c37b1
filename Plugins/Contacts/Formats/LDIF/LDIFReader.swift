import Text
import TextDecoding

/// Reads LDIF (RFC 2849), as exported by Thunderbird and Evolution.
///
/// An entry is identified by its distinguished name. A value given by URL (`:<`) is never fetched.
struct LDIFReader: CardTextReader {
    private var lines = TextLines()
    /// The logical line that the next physical line may continue.
    private var pending: LDIFLine?
    private var entry: LDIFEntry?

    mutating func feed(_ chunk: [UInt8]) -> [FoundCard] { lines.feed(chunk).flatMap { take($0) } }

    mutating func finish() -> [FoundCard] {
        let last = lines.finish().flatMap { take($0) }
        return last + endLine() + endEntry()
    }

    private mutating func take(_ line: TextLines.Line) -> [FoundCard] {
        if line.bytes.first == ASCII.space, !line.isTooLong, pending != nil {
            pending?.append(line)
            return []
        }
        let last = endLine()
        if line.bytes.allSatisfy(\.isBlank), !line.isTooLong { return last + endEntry() }
        pending = LDIFLine(line)
        return last
    }

    /// Adds the completed line to its entry.
    private mutating func endLine() -> [FoundCard] {
        guard let line = pending else { return [] }
        pending = nil
        if line.isComment { return [] }
        let attribute = line.attribute
        switch attribute?.name {
        case "version" where entry == nil: return []
        case "dn":
            // An entry without the blank line before it.
            let last = endEntry()
            entry = LDIFEntry(line, name: attribute?.text ?? "")
            return last
        default: break
        }
        guard entry != nil else {
            // All lines up to the next blank line belong to it.
            entry = LDIFEntry(line, name: "")
            entry?.fail("entry-without-name", "this entry does not start with dn:")
            return []
        }
        entry?.take(line, attribute)
        return []
    }

    private mutating func endEntry() -> [FoundCard] {
        defer { entry = nil }
        return entry.map { [$0.item()] } ?? []
    }
}

/// A logical line: folded lines joined.
struct LDIFLine: Sendable {
    /// The first physical line.
    let first: TextLines.Line
    private(set) var last: Int
    private var bytes: [UInt8]
    private var isTooLong: Bool

    /// The maximum length of a value in bytes.
    private static let maximumLength = 32 << 20

    init(_ line: TextLines.Line) {
        first = line
        last = line.number
        bytes = line.bytes
        isTooLong = line.isTooLong
    }

    /// Adds a physical line that begins with a space.
    mutating func append(_ line: TextLines.Line) {
        last = line.number
        guard !isComment, bytes.count + line.bytes.count <= LDIFLine.maximumLength else {
            isTooLong = isTooLong || !isComment
            return
        }
        bytes += line.bytes.dropFirst()
    }

    var isComment: Bool { bytes.first == 0x23 }

    /// An attribute.
    struct Attribute {
        /// The lower-case name without options such as `;lang-de`.
        var name: String
        /// The value.
        var bytes: [UInt8]

        var text: String { TextDecoding.withoutControls(TextDecoding.decode(bytes)).trimmed }
    }

    /// Parses the line; nil if it is not an attribute with an inline value.
    var attribute: Attribute? {
        guard !isTooLong, let colon = bytes.firstIndex(of: ASCII.colon), colon > 0 else { return nil }
        let description = bytes[..<colon].prefix { $0 != ASCII.semicolon }
        let name = TextDecoding.decode(Array(description)).lowercased()
        guard !name.isEmpty, name.unicodeScalars.allSatisfy({ LDIFLine.isNameLetter($0) }) else { return nil }
        var value = bytes[(colon + 1)...]
        let mark = value.first
        if mark == ASCII.colon || mark == 0x3C { value = value.dropFirst() }
        if mark == 0x3C { return nil }
        value = value.drop { $0 == ASCII.space }
        guard mark == ASCII.colon else { return Attribute(name: name, bytes: Array(value)) }
        return Base64.decode(value).map { Attribute(name: name, bytes: $0) }
    }

    private static func isNameLetter(_ scalar: Unicode.Scalar) -> Bool {
        scalar.isASCII && (scalar.properties.isAlphabetic || "0123456789-_.".unicodeScalars.contains(scalar))
    }
}
