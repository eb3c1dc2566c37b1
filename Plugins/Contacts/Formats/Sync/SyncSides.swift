package import Sync

/// The state of a contact before anything is fetched, without its content.
package struct SyncLocal: Hashable, Sendable {
    /// The id of the contact.
    package let contact: String
    /// Whether it is in this book; false if it is in the trash, deleted, or in another book.
    package let isHere: Bool
    /// Whether it has changed since both sides were last equal.
    package let isChanged: Bool
    /// Whether an open conflict prevents sending it.
    package let isHeld: Bool
    /// The identity of its card, as in an import.
    package let source: Int
    /// The last known remote card; nil if there is none yet.
    package let link: RemoteEntry?
    /// The tag of a remote item that is not a valid vCard, empty if it could not be fetched; else nil.
    package let unread: String?

    package init(
        contact: String, isHere: Bool = true, isChanged: Bool = false, isHeld: Bool = false, source: Int,
        link: RemoteEntry? = nil, unread: String? = nil
    ) {
        self.contact = contact
        self.isHere = isHere
        self.isChanged = isChanged
        self.isHeld = isHeld
        self.source = source
        self.link = link
        self.unread = unread
    }
}

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
