import Text

/// The header fields of a message, in order; names are compared without regard to case (RFC 9110 §5).
package struct HTTPHeaders: Hashable, Sendable {
    /// One field.
    package struct Field: Hashable, Sendable {
        /// The field name; comparisons ignore case (RFC 9110 §5.1).
        package var name: String
        /// The field value (RFC 9110 §5.5).
        package var value: String

        /// Whether it can be sent: the name is a token, and the value has no line ends and no NUL.
        package var isValid: Bool {
            name.isHTTPToken && value.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }
        }

        fileprivate func isNamed(_ other: String) -> Bool { name.equalsIgnoringASCIICase(other) }
    }

    /// The fields as they were sent or are to be sent.
    package private(set) var fields: [Field] = []

    /// Creates a list without fields.
    package init() {}

    /// The value of the first field called `name`. Setting it replaces all of them, `nil` removes them.
    package subscript(name: String) -> String? {
        get { fields.first { $0.isNamed(name) }?.value }
        set {
            fields.removeAll { $0.isNamed(name) }
            if let newValue { append(name, newValue) }
        }
    }

    /// The values of all fields called `name`.
    package func values(_ name: String) -> [String] { fields.filter { $0.isNamed(name) }.map(\.value) }

    /// Adds a field and keeps those of the same name, as `Set-Cookie` needs it.
    package mutating func append(_ name: String, _ value: String) { fields.append(Field(name: name, value: value)) }

    /// Lengthens the value of the last field, as a folded line does (RFC 9112 §5.2).
    package mutating func extendLast(_ text: String) {
        if !fields.isEmpty { fields[fields.count - 1].value += " " + text }
    }
}

extension HTTPHeaders: ExpressibleByDictionaryLiteral {
    /// Creates header fields in the order of the literal; a name may occur several times.
    package init(dictionaryLiteral elements: (String, String)...) {
        for (name, value) in elements { append(name, value) }
    }
}

extension StringProtocol {
    /// Whether the text is a token (RFC 9110 §5.6.2), such as a method or the name of a field.
    package var isHTTPToken: Bool {
        withBytes { bytes in
            !bytes.isEmpty
                && bytes.allSatisfy { byte in
                    switch byte {
                    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "-"): true
                    default: "!#$%&'*+.^_`|~".utf8.contains(byte)
                    }
                }
        }
    }

    /// The text with its ASCII capitals as small letters, and nothing else changed.
    package var lowercasedASCII: String { String(decoding: utf8.map(\.lowercasedASCII), as: UTF8.self) }

    /// Whether both texts are equal, letter case of ASCII aside: the names of fields, schemes and media types.
    package func equalsIgnoringASCIICase(_ other: some StringProtocol) -> Bool {
        withBytes { bytes in
            other.withBytes { other in
                bytes.count == other.count && bytes.elementsEqual(other) { $0.lowercasedASCII == $1.lowercasedASCII }
            }
        }
    }
}

extension UInt8 {
    fileprivate var lowercasedASCII: UInt8 { 0x41...0x5A ~= self ? self | 0x20 : self }
}
