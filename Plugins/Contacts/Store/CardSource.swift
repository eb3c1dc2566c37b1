package import ContactsDomain
import Hashing

/// What tells an incoming card apart: 64 bits of a hash of its `UID`, or of its content when it has none.
///
/// A number keeps the index small, which is what the speed of an import hangs on. Two of a million cards fall together
/// once in thirty million books; then one would be taken for a new version of the other, and history keeps both.
package enum CardSource {
    /// The source of a card with these details; `contentHash` stands in for a missing `UID`.
    package static func key(uid: String?, contentHash: Int) -> Int {
        guard let uid = uid.map(normalized), !uid.isEmpty else { return contentHash }
        return Int(truncatingIfNeeded: FNV1a.hash(uid.utf8))
    }

    /// The card's content as a number; `UID`, `REV` and what programs change by themselves do not count.
    package static func contentHash(of card: Card) -> Int {
        Int(truncatingIfNeeded: card.contentHash)
    }

    /// `urn:uuid:` is only how RFC 6350 spells what 3.0 writes bare.
    private static func normalized(_ uid: String) -> Substring {
        let prefix = "urn:uuid:"
        return uid.utf8.count > prefix.utf8.count && uid.prefix(prefix.count).lowercased() == prefix
            ? uid.dropFirst(prefix.count) : Substring(uid)
    }
}
