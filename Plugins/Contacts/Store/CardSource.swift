package import ContactsDomain
import Hashing

/// The identity of an incoming card: 64 bits of a hash of its `UID`, or of its content if it has none.
///
/// A number keeps the index small, which determines the speed of an import. The chance of a collision among a million
/// cards is one in thirty million; then one would be taken for a new version of the other, and history has both.
package enum CardSource {
    /// The source of a card with these details; `contentHash` replaces a missing `UID`.
    package static func key(uid: String?, contentHash: Int) -> Int {
        guard let uid = uid.map(normalized), !uid.isEmpty else { return contentHash }
        return Int(truncatingIfNeeded: FNV1a.hash(uid.utf8))
    }

    /// The content hash as a number; `UID`, `REV` and other metadata are ignored.
    package static func contentHash(of card: Card) -> Int {
        Int(truncatingIfNeeded: card.contentHash)
    }

    /// RFC 6350 writes `urn:uuid:` before the id, 3.0 does not.
    private static func normalized(_ uid: String) -> Substring {
        let prefix = "urn:uuid:"
        return uid.utf8.count > prefix.utf8.count && uid.prefix(prefix.count).lowercased() == prefix
            ? uid.dropFirst(prefix.count) : Substring(uid)
    }
}
