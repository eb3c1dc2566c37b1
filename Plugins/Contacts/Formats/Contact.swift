package import Time

/// A contact with its card.
package struct Contact: Sendable {
    /// The id of the contact.
    package let id: String
    /// The card, byte for byte as imported or last edited.
    package let card: Card
    /// The revision number, increased by every change; an update passes the one it was based on.
    package let revision: Int
    /// The time of creation.
    package let createdAt: Instant
    /// The time of the last change.
    package let changedAt: Instant
    /// The time when it was moved to the trash; nil for a live contact.
    package let deletedAt: Instant?
    /// The contact that this one was merged into; nil for all others.
    package let mergedInto: String?
    /// The id of the address book that it belongs to; nil for none.
    package let book: String?

    package init(
        id: String, card: Card, revision: Int, createdAt: Instant, changedAt: Instant, deletedAt: Instant? = nil,
        mergedInto: String? = nil, book: String? = nil
    ) {
        self.id = id
        self.card = card
        self.revision = revision
        self.createdAt = createdAt
        self.changedAt = changedAt
        self.deletedAt = deletedAt
        self.mergedInto = mergedInto
        self.book = book
    }

    /// The fields of the card, parsed with each call.
    package var details: ContactDetails { card.details }

    /// The contact as a list row.
    package var summary: ContactSummary { ContactSummary(id: id, card.details) }
}
