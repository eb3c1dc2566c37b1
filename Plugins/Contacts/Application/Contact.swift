package import ContactsDomain
package import HubKit

/// A contact with its card and metadata.
package struct Contact: Sendable {
    /// The contact's id.
    package let id: String
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
    /// The card, byte for byte.
    package let card: Card
    /// The parsed fields of the card.
    package let details: ContactDetails

    init(_ row: ContactRow) {
        id = row.id
        revision = row.revision
        createdAt = row.createdAt
        changedAt = row.changedAt
        deletedAt = row.deletedAt
        mergedInto = row.mergedInto
        book = row.book
        card = row.card
        details = row.card.details
    }

    /// The contact as a list row.
    package var summary: ContactSummary { ContactSummary(id: id, details) }
}

extension HubError {
    /// The error for an unknown id.
    static func contactNotFound(_ id: String) -> HubError {
        HubError(
            .notFound, code: "contact-not-found", "no contact with the id \(id)", hint: "use hub contacts to list all")
    }
}
