/// A value that a contact has once, so that a merge of two must choose.
package enum MergeField: String, CaseIterable, Sendable {
    case name, org, title, role, birthday, anniversary, kind, gender
    case sortAs = "sort-as"
}

/// A value that a merge had to choose.
package struct MergeConflict: Hashable, Sendable {
    /// The field.
    package let field: MergeField
    /// The value that is kept.
    package let kept: String
    /// The value that is left out; it stays with the contact in the trash.
    package let dropped: String

    package init(_ field: MergeField, kept: String, dropped: String) {
        self.field = field
        self.kept = kept
        self.dropped = dropped
    }
}
