/// What is known of the to-do that stands for a day elsewhere: where it is, and what both sides said when they were last
/// compared.
package struct TodoLink: Hashable, Sendable {
    /// The day it stands for.
    package let day: TaskDay
    /// Where it is, as its keeper writes it.
    package var href: String
    /// The keeper's tag; empty for a to-do that was on its way there and has not been seen since.
    package var tag: String
    /// What we said, of that which they know; what we say now differs when something waits to be sent.
    package var ours: Entry?
    /// What they said.
    package var theirs: Entry?
    /// The state in which they had it, as calendars name it; nil when it was not seen.
    package var state: String?
    /// The exact number in it; other programs leave it as hub wrote it.
    package var number: Double?
    /// When they changed it last, in milliseconds since 1970 UTC, where it says so.
    package var changedAt: Int64?
    /// The fingerprint of our side that they have; 0 when something waits to be sent.
    package var sent: Int
    /// The fingerprint of theirs.
    package var seen: Int

    package init(
        _ day: TaskDay, href: String, tag: String = "", ours: Entry? = nil, theirs: Entry? = nil,
        state: String? = nil, number: Double? = nil, changedAt: Int64? = nil, sent: Int = 0, seen: Int = 0
    ) {
        self.day = day
        self.href = href
        self.tag = tag
        self.ours = ours
        self.theirs = theirs
        self.state = state
        self.number = number
        self.changedAt = changedAt
        self.sent = sent
        self.seen = seen
    }

    /// Whether it has been seen at its place.
    package var isSeen: Bool { !tag.isEmpty }
}
