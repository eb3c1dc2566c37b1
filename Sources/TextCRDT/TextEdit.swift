/// A change of a text at one place: `deletedCount` scalars from `position` on give way to `inserted`.
///
/// Positions and counts are in Unicode scalars, never in grapheme clusters: clusters join and part as their
/// neighbours change, scalars do not.
package struct TextEdit: Hashable, Sendable {
    /// The position in Unicode scalars.
    package var position: Int
    /// The number of Unicode scalars deleted at the position.
    package var deletedCount: Int
    /// The text inserted at the position, after the deletion.
    package var inserted: String

    package init(position: Int, deletedCount: Int = 0, inserted: String = "") {
        self.position = position
        self.deletedCount = deletedCount
        self.inserted = inserted
    }
}

extension [TextEdit] {
    /// The number of inserted scalars.
    package var insertedCount: Int { reduce(0) { $0 + $1.inserted.unicodeScalars.count } }
    /// The number of deleted scalars.
    package var deletedCount: Int { reduce(0) { $0 + $1.deletedCount } }
}

/// An error of a replicated text. The text has not changed.
package enum TextCRDTError: Error, Hashable {
    /// A position or count that the text does not have.
    case outOfBounds(position: Int, count: Int)
    /// Events whose parents are not known here; ask for them first.
    case missingParents([EventID])
    /// Bytes that no encoder of this format wrote.
    case malformed(String)
    /// The text would have more than `ReplicatedText.maximumEventCount` events.
    case tooManyEvents
    /// A known event that has other content in the bytes: two replicas use one agent.
    case conflict(EventID)
    /// Events that follow each other in so many ways that merging them takes too long.
    case tooComplex
}
