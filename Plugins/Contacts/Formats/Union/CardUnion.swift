/// A card that took over another one.
package struct CardUnion: Sendable {
    /// The card with the values of both; the same bytes when the other says nothing new.
    package let card: Card
    /// The single values of which one had to be chosen.
    package let conflicts: [MergeConflict]

    /// Merges `other` into `card`.
    ///
    /// Every line of `card` that gets nothing new keeps its bytes. Lists become the union by main value, kinds are joined,
    /// notes stand below each other, of pictures the larger one is kept, and every line of `other` that hub does not
    /// understand is added unless it is there. A value that a contact has once stays; the other's is taken when there is
    /// none, or when `taking` names the field. `source` is remembered, so that the other card is known when it comes
    /// again. `time` is the instant for `REV`, in milliseconds since 1970 UTC.
    package init(
        _ card: Card, with other: Card, remembering source: MergedSource?, taking: Set<MergeField> = [],
        region: CallingCode? = nil, at time: Int64?
    ) {
        var merger = CardUnionBuilder(card, other.converted(to: card.version), taking, region)
        merger.merge()
        if let source { merger.remember(source) }
        if let time, merger.hasChanged { merger.patch.setRevision(time) }
        self.card = merger.hasChanged ? Card(merger.patch.bytes()) : card
        conflicts = merger.conflicts
    }
}
