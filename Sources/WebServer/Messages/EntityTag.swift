import Hashing

/// A validator of a representation (RFC 9110 §8.8.3): two with the same strong tag are equal byte for byte.
package struct EntityTag: Hashable, Sendable {
    /// The tag with its quotes, as written in a header field.
    package let field: String

    /// A strong tag with the text `opaque`, which must be printable ASCII without quotes.
    package init(_ opaque: String) { field = "\"\(opaque)\"" }

    /// Creates the tag of `bytes`: 64 bits of FNV-1a and their length. It distinguishes versions; it is not
    /// cryptographic.
    package init(of bytes: [UInt8]) {
        self.init("\(String(FNV1a.hash(bytes), radix: 36))-\(String(bytes.count, radix: 36))")
    }

    /// Whether an `If-None-Match` field names this tag, by weak comparison (RFC 9110 §13.1.2).
    func isNamed(in field: String) -> Bool {
        field.split(separator: ",").contains { item in
            let tag = item.filter { $0 != " " && $0 != "\t" }
            return tag == "*" || tag == self.field || tag == "W/\(self.field)"
        }
    }
}

extension HTTPRequest {
    /// Whether the client holds the version `tag` already, so that 304 is the answer.
    package func holds(_ tag: EntityTag) -> Bool {
        headers.values("If-None-Match").contains(where: tag.isNamed)
    }
}
