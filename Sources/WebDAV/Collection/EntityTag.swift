import Hashing

/// The stored tag of an item: that of its server, or, if a server sends none, one of its content.
///
/// Only a strong tag of the server's can be made a condition (RFC 9110 §13.1.1).
enum EntityTag {
    /// Returns a tag for an item without one: FNV-1a over its bytes, after a character that no server's tag begins
    /// with.
    static func ofContent(_ bytes: [UInt8]) -> String {
        "~\(bytes.count)-\(String(FNV1a.hash(bytes), radix: 16))"
    }

    /// Returns the value for If-Match; nil when the server would not match it.
    static func condition(_ tag: String) -> String? {
        if tag.isEmpty || tag.hasPrefix("~") || tag.hasPrefix("W/")
            || tag.utf8.contains(where: { $0 < 0x21 || $0 == 0x7F })
        {
            return nil
        }
        return tag.hasPrefix("\"") ? tag : "\"\(tag)\""
    }
}
