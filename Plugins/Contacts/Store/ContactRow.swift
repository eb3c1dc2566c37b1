package import ContactsDomain
package import HubKit

/// One contact as it is stored.
package struct ContactRow: Sendable {
    /// The contact's id.
    package let id: String
    /// The card, byte for byte as it came or as the last edit left it.
    package let card: Card
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
}
