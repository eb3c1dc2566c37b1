/// The header fields of a message, in order; names are compared without regard to case (RFC 9110 §5).
package struct HTTPHeaders: Sendable {
    /// Names and values as they were sent or are to be sent.
    package private(set) var fields: [(name: String, value: String)] = []

    package init() {}

    /// The value of the first field called `name`. Setting it replaces all of them, `nil` removes them.
    package subscript(name: String) -> String? {
        get { fields.first { equalIgnoringCase($0.name, name) }?.value }
        set {
            fields.removeAll { equalIgnoringCase($0.name, name) }
            if let newValue { fields.append((name, newValue)) }
        }
    }

    /// The values of all fields called `name`.
    package func values(_ name: String) -> [String] {
        fields.filter { equalIgnoringCase($0.name, name) }.map(\.value)
    }

    /// Adds a field and keeps those of the same name, as `Set-Cookie` needs it.
    package mutating func append(_ name: String, _ value: String) {
        fields.append((name, value))
    }
}

extension HTTPHeaders: ExpressibleByDictionaryLiteral {
    /// Creates header fields in the order of the literal; a name may occur several times.
    package init(dictionaryLiteral elements: (String, String)...) {
        fields = elements.map { (name: $0.0, value: $0.1) }
    }
}

/// Whether two field names or tokens are equal in ASCII, letter case aside.
func equalIgnoringCase(_ left: some StringProtocol, _ right: some StringProtocol) -> Bool {
    left.utf8.count == right.utf8.count && zip(left.utf8, right.utf8).allSatisfy { lowercased($0) == lowercased($1) }
}

private func lowercased(_ byte: UInt8) -> UInt8 {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
}
