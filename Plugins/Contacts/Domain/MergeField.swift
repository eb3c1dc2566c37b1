package import Text

/// A field with a single value, for which a merge must choose.
package enum MergeField: String, CaseIterable, Sendable {
    case name, org, title, role, birthday, anniversary, kind, gender
    case sortAs = "sort-as"
}

/// Conflicting values of a merge.
package struct MergeConflict: Hashable, Sendable {
    /// The field.
    package let field: MergeField
    /// The kept value.
    package let kept: String
    /// The dropped value, which stays in the contact in the trash.
    package let dropped: String

    package init(_ field: MergeField, kept: String, dropped: String) {
        self.field = field
        self.kept = kept
        self.dropped = dropped
    }
}

/// The identity and content of a card that was merged into another contact, to recognise it when it is imported again.
package struct MergedSource: Hashable, Sendable {
    /// The `UID` of the card; empty if it had none.
    package let uid: ByteString
    /// The content hash of the card as last imported; nil if unknown.
    package let content: Int?

    package init(uid: ByteString, content: Int?) {
        self.uid = uid
        self.content = content
    }
}
