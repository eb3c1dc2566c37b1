/// What one item is here and in an account, and what the next sync does with it.
package struct AccountItemState: Hashable, Sendable {
    /// The account, or the collection of one: `posteo/Contacts`.
    package let place: String
    /// The item, in a few words.
    package let item: String
    /// What both had when they were last equal.
    package var base: String
    /// What has changed here since.
    package var here = ""
    /// What has changed there since.
    package var there = ""
    /// What the next sync does.
    package var next = ""
    /// The reason.
    package var why = ""

    package init(place: String, item: String, base: String) {
        self.place = place
        self.item = item
        self.base = base
    }
}
