package import CivilDate

/// The link between a day and its to-do on a server: the path, and the state of both sides at the last comparison.
package struct TodoLink: Hashable, Sendable {
    /// An entry that was sent.
    package struct Sending: Hashable, Sendable {
        /// The entry.
        package let entry: Entry?
        /// The time of its change, in milliseconds since 1970-01-01T00:00:00Z.
        package let changedAt: Int64

        package init(_ entry: Entry?, changedAt: Int64) {
            self.entry = entry
            self.changedAt = changedAt
        }
    }

    /// The day of the to-do.
    package let day: TaskDay
    /// The path, as the server writes it.
    package var href: String
    /// The etag; empty for a to-do that was sent and has not been seen since.
    package var etag: String
    /// The entry here that the server has; differs from the current entry if a change has not been sent yet.
    package var ours: Entry?
    /// The entry on the server.
    package var theirs: Entry?
    /// The `STATUS` on the server; nil if it was not seen yet.
    package var state: String?
    /// The exact value in a custom property, which other programs preserve.
    package var number: Double?
    /// The time of the last change on the server, in milliseconds since 1970-01-01T00:00:00Z; nil if unknown.
    package var changedAt: Int64?
    /// The fingerprint of the day here that the server has; 0 if changes have not been sent yet.
    package var sent: Int
    /// The fingerprint of the to-do on the server.
    package var seen: Int
    /// The etag of an item at this path that cannot be read, empty if it could not be fetched; else nil.
    package var unread: String?
    /// The entry that was sent last, until the response is received.
    package var sending: Sending?

    package init(
        _ day: TaskDay, href: String, etag: String = "", ours: Entry? = nil, theirs: Entry? = nil,
        state: String? = nil, number: Double? = nil, changedAt: Int64? = nil, sent: Int = 0, seen: Int = 0,
        unread: String? = nil, sending: Sending? = nil
    ) {
        self.day = day
        self.href = href
        self.etag = etag
        self.ours = ours
        self.theirs = theirs
        self.state = state
        self.number = number
        self.changedAt = changedAt
        self.sent = sent
        self.seen = seen
        self.unread = unread
        self.sending = sending
    }

    /// Whether the to-do has been seen on the server.
    package var isSeen: Bool { !etag.isEmpty }
}

/// One day of one task, which corresponds to one to-do.
package struct TaskDay: Hashable, Sendable, Comparable {
    /// The id of the task.
    package let taskID: String
    /// The due day.
    package let date: CivilDate

    package init(_ taskID: String, _ date: CivilDate) {
        self.taskID = taskID
        self.date = date
    }

    /// Orders by date, then by task id.
    package static func < (left: TaskDay, right: TaskDay) -> Bool {
        (left.date, left.taskID) < (right.date, right.taskID)
    }
}
