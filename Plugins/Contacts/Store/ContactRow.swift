package import ContactsDomain
package import HubKit

/// A contact as stored.
package struct ContactRow: Sendable {
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
}
