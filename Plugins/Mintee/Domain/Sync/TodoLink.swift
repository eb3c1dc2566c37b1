package import CivilDate

/// The link between a day or a period and its to-do on a server: the path, and the state of both sides at the last
/// comparison.
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

    /// The day or the period of the to-do.
    package let day: TaskDay
    /// The path, as the server writes it.
    package var href: String
    /// The etag; empty for a to-do that was sent and has not been seen since.
    package var etag: String
    /// The entry here that the server has; differs from the current entry if a change has not been sent yet.
    package var ours: Entry?
    /// The entry on the server; of a period, its percentage and description.
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
    /// The `COMPLETED` of the to-do of a period on the server, in milliseconds since 1970-01-01T00:00:00Z; nil if it has
    /// none, and for a day.
    package var completedAt: Int64?

    package init(
        _ day: TaskDay, href: String, etag: String = "", ours: Entry? = nil, theirs: Entry? = nil,
        state: String? = nil, number: Double? = nil, changedAt: Int64? = nil, sent: Int = 0, seen: Int = 0,
        unread: String? = nil, sending: Sending? = nil, completedAt: Int64? = nil
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
        self.completedAt = completedAt
    }

    /// Whether the to-do has been seen on the server.
    package var isSeen: Bool { !etag.isEmpty }
}

/// One day or one period of one task, which corresponds to one to-do.
package struct TaskDay: Hashable, Sendable, Comparable {
    /// The id of the task.
    package let taskID: String
    /// The due day, or the first day of the period; for the last days, which move, the first day of the task.
    package let date: CivilDate
    /// Whether the to-do is that of a period.
    package let isPeriod: Bool

    package init(_ taskID: String, _ date: CivilDate, isPeriod: Bool = false) {
        self.taskID = taskID
        self.date = date
        self.isPeriod = isPeriod
    }

    /// The task and the day or period of a `UID`; nil if hub did not create it.
    package init?(uid: String) {
        let parts = uid.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 4, parts[0] == "task", ["day", "period"].contains(parts[2]), !parts[1].isEmpty,
            let date = CivilDate(parts[3])
        else { return nil }
        self.init(String(parts[1]), date, isPeriod: parts[2] == "period")
    }

    /// The `UID` of the to-do: `task/2gd…/day/2026-11-20`, `task/2gd…/period/2026-11-16`.
    package var uid: String { "task/\(taskID)/\(isPeriod ? "period" : "day")/\(date)" }

    /// Orders by date, then by task id; a day precedes the period that begins with it.
    package static func < (left: TaskDay, right: TaskDay) -> Bool {
        (left.date, left.taskID, left.isPeriod ? 1 : 0) < (right.date, right.taskID, right.isPeriod ? 1 : 0)
    }
}
