/// A card that a contact took over when it was merged: under which name it may come again, and what it said.
package struct MergedSource: Hashable, Sendable {
    /// The `UID` of the card; empty when it had none.
    package let uid: String
    /// The content hash of the card as it last came from outside; nil when that is not known.
    package let content: Int?

    package init(uid: String, content: Int?) {
        self.uid = uid
        self.content = content
    }
}
