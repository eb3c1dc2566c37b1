/// Which contacts a list shows, and in which order.
package struct ContactFilter: Hashable, Sendable {
    /// What a list is sorted by.
    package enum Order: String, CaseIterable, Sendable {
        /// By name, in the person's language.
        case name
        /// By the time they were made or changed, the oldest first.
        case created, changed
    }

    /// Words that each contact must match; empty for all.
    package var words = SearchQuery("")
    /// Tags that each must have, whatever their case and accents.
    package var tags: [String] = []
    /// The ids of books elsewhere, of which each must be in one; nil for all contacts, empty for those only here.
    package var books: [String]?
    /// Changed at this moment or later, in milliseconds since 1970 UTC.
    package var since: Int64?
    /// Changed before this moment, in milliseconds since 1970 UTC.
    package var until: Int64?
    /// The order.
    package var order = Order.name
    /// Whether the order is turned round.
    package var isReversed = false

    package init() {}
}
