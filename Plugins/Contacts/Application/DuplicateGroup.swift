package import ContactsDomain

/// Contacts that may be one.
package struct DuplicateGroup: Sendable {
    /// How sure it is.
    package let tier: DuplicateTier
    /// Why, in a person's words.
    package let evidence: [String]
    /// The contacts; the first is the one to keep: it was changed last.
    package let members: [ContactSummary]
    /// Their revisions when they were read.
    let revisions: [String: Int]

    /// The contact to keep.
    package var keep: ContactSummary { members[0] }
    /// The contacts that it would take over.
    package var drop: [ContactSummary] { Array(members.dropFirst()) }
}
