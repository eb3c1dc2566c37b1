package import ContactsDomain
package import HubKit

/// One contact with all that is known of it.
package struct Contact: Sendable {
    /// The contact's id.
    package let id: String
    /// Grows with every change; an update names the one it saw.
    package let revision: Int
    /// When the contact was made here.
    package let createdAt: Instant
    /// When it was changed last.
    package let changedAt: Instant
    /// Since when it is in the trash; nil for a live contact.
    package let deletedAt: Instant?
    /// The contact that took this one over when it went to the trash; nil for all others.
    package let mergedInto: String?
    /// The address book elsewhere that it belongs to; nil is the one that is only here.
    package let book: String?
    /// The card, byte for byte.
    package let card: Card
    /// What hub understands of the card.
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

    /// The contact as a row of a list.
    package var summary: ContactSummary { ContactSummary(id: id, details) }
}

extension HubError {
    /// No contact has this id.
    static func contactNotFound(_ id: String) -> HubError {
        HubError(
            .notFound, code: "contact-not-found", "no contact with the id \(id)", hint: "use hub contacts to list all")
    }
}
