/// The identity and content of a card that was merged into another contact, to recognise it when it is imported again.
package struct MergedSource: Hashable, Sendable {
    /// The `UID` of the card; empty if it had none.
    package let uid: String
    /// The content hash of the card as last imported; nil if unknown.
    package let content: Int?

    package init(uid: String, content: Int?) {
        self.uid = uid
        self.content = content
    }
}
