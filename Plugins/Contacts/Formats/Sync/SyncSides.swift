/// The state of both sides when they were last equal. The texts differ if the server rewrites cards.
package struct SyncBase: Sendable {
    /// The local card.
    package var ours: Card
    /// The remote card.
    package var theirs: Card

    package init(ours: Card, theirs: Card) {
        self.ours = ours
        self.theirs = theirs
    }
}

/// The local side of a fetched card.
package struct LocalSide: Sendable {
    /// The current local card.
    package let card: Card
    /// Whether the contact is in this book and not in the trash.
    package let isHere: Bool
    /// The state of both sides when they were last equal; nil if they were never linked.
    package let base: SyncBase?

    package init(card: Card, isHere: Bool = true, base: SyncBase? = nil) {
        self.card = card
        self.isHere = isHere
        self.base = base
    }
}
