/// A filter and sort order for contact lists.
package struct ContactFilter: Hashable, Sendable {
    /// The sort key of a list.
    package enum Order: String, CaseIterable, Sendable {
        /// By name, in the configured locale.
        case name
        /// By the time of creation or change, oldest first.
        case created, changed
    }

    /// The words and conditions that each contact must match; empty for all.
    package var query = ContactQuery()
    /// The tags that each contact must have, ignoring case and accents.
    package var tags: [String] = []
    /// The ids of groups, of each of which a contact must be a member.
    package var groups: [String] = []
    /// The ids of books, of which each contact must be in one; nil for all contacts, empty for those in no book.
    package var books: [String]?
    /// Changed at this moment or later, in milliseconds since 1970 UTC.
    package var since: Int64?
    /// Changed before this moment, in milliseconds since 1970 UTC.
    package var until: Int64?
    /// The order.
    package var order = Order.name
    /// Whether the order is reversed.
    package var isReversed = false

    package init() {}
}
