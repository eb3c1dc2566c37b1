import Text

/// Writes JSON (RFC 8259) into a buffer, members in the order in which they are given, without blanks.
///
/// It trusts its caller to open, name and close in the right order; what it adds are commas and escapes.
package struct JSONWriter: Sendable {
    /// The UTF-8 text so far; a caller that streams may empty it between values.
    package var bytes: [UInt8] = []

    private var needsComma = false

    package init() {}

    /// The text so far.
    package var string: String { String(decoding: bytes, as: UTF8.self) }

    /// Opens an object; `members` writes names and values.
    package mutating func object(_ members: (inout JSONWriter) throws -> Void) rethrows {
        try nest("{", "}", members)
    }

    /// Opens an array; `elements` writes its values.
    package mutating func array(_ elements: (inout JSONWriter) throws -> Void) rethrows {
        try nest("[", "]", elements)
    }

    /// Begins an array whose elements come later; ``endArray()`` closes it.
    package mutating func beginArray() {
        separate()
        bytes.append(UInt8(ascii: "["))
        needsComma = false
    }

    /// Closes what ``beginArray()`` opened.
    package mutating func endArray() {
        bytes.append(UInt8(ascii: "]"))
        needsComma = true
    }

    /// The name of the member whose value comes next.
    package mutating func name(_ name: String) {
        separate()
        quote(name)
        bytes.append(UInt8(ascii: ":"))
        needsComma = false
    }

    /// A string.
    package mutating func value(_ text: String) {
        separate()
        quote(text)
        needsComma = true
    }

    /// A whole number.
    package mutating func value(_ number: Int) { raw(String(number)) }

    /// A number as it was read, such as `1.50`; the caller vouches for its form.
    package mutating func number(_ text: String) { raw(text) }

    /// True or false.
    package mutating func value(_ truth: Bool) { raw(truth ? "true" : "false") }

    /// Null.
    package mutating func null() { raw("null") }

    /// A line end between the values of JSON Lines.
    package mutating func endLine() {
        bytes.append(UInt8(ascii: "\n"))
        needsComma = false
    }

    /// A line end inside an array, for readers that go line by line.
    package mutating func breakLine() {
        separate()
        bytes.append(UInt8(ascii: "\n"))
        needsComma = false
    }

    private mutating func raw(_ text: String) {
        separate()
        bytes.append(contentsOf: text.utf8)
        needsComma = true
    }

    private mutating func nest(
        _ open: UnicodeScalar, _ close: UnicodeScalar, _ content: (inout JSONWriter) throws -> Void
    ) rethrows {
        separate()
        bytes.append(UInt8(ascii: open))
        needsComma = false
        try content(&self)
        bytes.append(UInt8(ascii: close))
        needsComma = true
    }

    private mutating func separate() {
        if needsComma { bytes.append(UInt8(ascii: ",")) }
    }

    /// Escapes what RFC 8259 demands, and also what could confuse a terminal (see ``TerminalSanitizer``).
    private mutating func quote(_ text: String) {
        bytes.append(UInt8(ascii: "\""))
        defer { bytes.append(UInt8(ascii: "\"")) }
        let isPlain = text.utf8.allSatisfy { (0x20..<0x7F).contains($0) && $0 != 0x22 && $0 != 0x5C }
        guard !isPlain else { return bytes.append(contentsOf: text.utf8) }
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": bytes += [UInt8(ascii: "\\"), UInt8(ascii: "\"")]
            case "\\": bytes += [UInt8(ascii: "\\"), UInt8(ascii: "\\")]
            case "\n": bytes += [UInt8(ascii: "\\"), UInt8(ascii: "n")]
            case "\r": bytes += [UInt8(ascii: "\\"), UInt8(ascii: "r")]
            case "\t": bytes += [UInt8(ascii: "\\"), UInt8(ascii: "t")]
            case " "..."~": bytes.append(UInt8(truncatingIfNeeded: scalar.value))
            default:
                if TerminalSanitizer.isHarmful(scalar) {
                    for unit in String(scalar).utf16 { escape(unit) }
                } else {
                    bytes.append(contentsOf: String(scalar).utf8)
                }
            }
        }
    }

    private mutating func escape(_ unit: UInt16) {
        let digits = String(unit, radix: 16)
        bytes += Array("\\u".utf8) + Array(repeating: UInt8(ascii: "0"), count: 4 - digits.count) + Array(digits.utf8)
    }
}

extension JSONWriter {
    /// A value that was read, numbers and the order of members as they were.
    package mutating func value(_ json: JSONValue) {
        switch json {
        case .null: null()
        case .bool(let truth): value(truth)
        case .number(let text): number(text)
        case .string(let text): value(text)
        case .array(let elements):
            array { writer in
                for element in elements { writer.value(element) }
            }
        case .object(let members):
            object { writer in
                for member in members {
                    writer.name(member.name)
                    writer.value(member.value)
                }
            }
        }
    }
}
