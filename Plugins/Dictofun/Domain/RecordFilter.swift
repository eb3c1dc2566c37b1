package import Time

/// The records that a list shows, and their order.
package struct RecordFilter: Hashable, Sendable {
    /// The field by which a list is sorted.
    package enum Order: String, CaseIterable, Sendable {
        /// By the time at which it began, the newest first.
        case recorded
        /// By the time at which it came here, the newest first.
        case added
        /// The longest first.
        case length
    }

    /// The words that a record must have in its text or name.
    package var words: [String] = []
    /// The tags that it must have.
    package var tags: [String] = []
    /// The local time from which on it began.
    package var since: LocalTime?
    /// The local time before which it began.
    package var until: LocalTime?
    /// Whether the trash is listed.
    package var isTrash = false
    /// The order.
    package var order = Order.recorded
    /// Whether the order is reversed.
    package var isReversed = false

    package init() {}
}
