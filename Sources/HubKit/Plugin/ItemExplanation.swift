/// What one item is here and at another place, such as a book of an account or another machine, and what the next exchange does with it.
package struct ItemExplanation: Hashable, Sendable {
    /// The other place: `posteo/Contacts`, or the name of a machine.
    package let place: String
    /// The item, in a few words.
    package let item: String
    /// What both had when they were last equal.
    package let base: String
    /// What has changed here since.
    package var here: String
    /// What has changed there since.
    package var there: String
    /// What the next exchange does.
    package var next: String
    /// The reason.
    package var why: String

    package init(
        place: String, item: String, base: String, here: String = "", there: String = "", next: String = "",
        why: String = ""
    ) {
        self.place = place
        self.item = item
        self.base = base
        self.here = here
        self.there = there
        self.next = next
        self.why = why
    }
}
