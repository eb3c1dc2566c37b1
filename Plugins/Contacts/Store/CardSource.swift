package import ContactsDomain
import Hashing
package import Text

/// The identity of an incoming card: 64 bits of a hash of its `UID`, or of its content if it has none.
///
/// A number keeps the index small, which determines the speed of an import. The chance of a collision among a million
/// cards is one in thirty million; then one would be taken for a new version of the other, and history has both.
package enum CardSource {
    /// The source of a card with these details; `contentHash` replaces a missing `UID`.
    package static func key(uid: ByteString?, contentHash: Int) -> Int {
        // RFC 6350 writes urn:uuid: before the id, 3.0 does not.
        guard let uid = uid?.withoutURN, !uid.isEmpty else { return contentHash }
        return Int(truncatingIfNeeded: FNV1a.hash(uid.bytes))
    }

    /// The content hash as a number; `UID`, `REV` and other metadata are ignored.
    package static func contentHash(of card: Card) -> Int {
        Int(truncatingIfNeeded: card.contentHash)
    }
}
