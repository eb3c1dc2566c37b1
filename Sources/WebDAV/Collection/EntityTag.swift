import Hashing

/// How the state of an item is named in what is kept: as its server does, or, where a server gives no tag, by its content.
///
/// Only a strong tag of the server's can be made a condition (RFC 9110 §13.1.1).
enum EntityTag {
    /// The tag for an item without one: FNV-1a over its bytes, behind a character no server's tag begins with.
    static func ofContent(_ bytes: [UInt8]) -> String {
        return "~\(bytes.count)-\(String(FNV1a.hash(bytes), radix: 16))"
    }

    /// What If-Match may hold; nil when the server would not match it.
    static func condition(_ tag: String) -> String? {
        if tag.isEmpty || tag.hasPrefix("~") || tag.hasPrefix("W/")
            || tag.utf8.contains(where: { $0 < 0x21 || $0 == 0x7F })
        {
            return nil
        }
        return tag.hasPrefix("\"") ? tag : "\"\(tag)\""
    }
}
