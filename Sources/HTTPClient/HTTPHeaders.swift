/// The header fields of a message, in order; names are compared without regard to case (RFC 9110 §5).
package struct HTTPHeaders: Hashable, Sendable {
    /// One field.
    package struct Field: Hashable, Sendable {
        /// The field name; comparisons ignore case (RFC 9110 §5.1).
        package var name: String
        /// The field value (RFC 9110 §5.5).
        package var value: String
    }

    /// The fields as they were sent or are to be sent.
    package private(set) var fields: [Field] = []

    package init() {}

    /// The value of the first field called `name`. Setting it replaces all of them, `nil` removes them.
    package subscript(name: String) -> String? {
        get { fields.first { $0.isCalled(name) }?.value }
        set {
            fields.removeAll { $0.isCalled(name) }
            if let newValue { append(name, newValue) }
        }
    }

    /// The values of all fields called `name`.
    package func values(_ name: String) -> [String] { fields.filter { $0.isCalled(name) }.map(\.value) }

    /// Adds a field and keeps those of the same name.
    package mutating func append(_ name: String, _ value: String) { fields.append(Field(name: name, value: value)) }

    /// Lengthens the value of the last field, as a folded line does.
    mutating func extendLast(_ text: String) {
        if !fields.isEmpty { fields[fields.count - 1].value += " " + text }
    }
}

extension HTTPHeaders: ExpressibleByDictionaryLiteral {
    /// Creates header fields in the order of the literal; a name may occur several times.
    package init(dictionaryLiteral elements: (String, String)...) {
        for (name, value) in elements { append(name, value) }
    }
}

extension HTTPHeaders.Field {
    func isCalled(_ other: String) -> Bool { asciiLowercased(name) == asciiLowercased(other) }

    /// Whether it can be sent: a token, and a value without line ends and NUL.
    var isSound: Bool {
        !name.isEmpty && name.utf8.allSatisfy(HTTPHeaders.Field.isToken)
            && value.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }
    }

    /// The characters of a token (RFC 9110 §5.6.2).
    static func isToken(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: Array("!#$%&'*+-.^_`|~".utf8).contains(byte)
        }
    }
}

/// `text` with its ASCII capitals made small, and nothing else changed.
func asciiLowercased(_ text: some StringProtocol) -> String {
    String(decoding: text.utf8.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }, as: UTF8.self)
}
