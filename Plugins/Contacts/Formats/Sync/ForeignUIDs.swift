package import Text

/// The `UID`s by which a server knows cards that have others here, as far as some cards refer to them.
///
/// A server that gives cards `UID`s of its own, such as Google's, keeps references to other cards as they were written:
/// those that it gets name its `UID`s, and those that it returns are translated back.
package struct ForeignUIDs: Hashable, Sendable {
    /// The `UID`s here, by those that the server gave or had given before.
    private var ours: [ByteString: ByteString] = [:]
    /// The `UID`s that the server gave last, by those here.
    private var theirs: [ByteString: ByteString] = [:]

    package init() {}

    /// Whether all references are the same on both sides.
    package var isEmpty: Bool { ours.isEmpty && theirs.isEmpty }

    /// Records that the card with the `UID` `ours` has, or had, the `UID` `theirs` on the server.
    package mutating func add(_ theirs: ByteString, for ours: ByteString) { self.ours[theirs] = ours }

    /// Records that the card with the `UID` `ours` has the `UID` `theirs` on the server now.
    package mutating func set(_ theirs: ByteString, for ours: ByteString) { self.theirs[ours] = theirs }

    /// Returns a card of the server with references that are valid here.
    package func translated(_ card: Card) -> Card { ours.isEmpty ? card : card.namingReferences { ours[$0] } }

    /// Returns a card from here with references that are valid on the server.
    package func translatedBack(_ card: Card) -> Card {
        theirs.isEmpty ? card : card.namingReferences { theirs[$0] }
    }

    /// Whether a card of the server has a reference that the server does not know by that `UID`, or not any longer.
    package func isOutdated(_ references: [ByteString]) -> Bool {
        references.contains { uid in
            let own = ours[uid] ?? uid
            return theirs[own] ?? own != uid
        }
    }
}

extension Card {
    /// The `UID` without `urn:uuid:`; nil if there is none.
    package var plainUID: ByteString? {
        for property in properties where property.kind == .uid {
            let uid = ByteString(trimmedText(property))
            if !uid.isEmpty { return uid.withoutURN }
        }
        return nil
    }
}
