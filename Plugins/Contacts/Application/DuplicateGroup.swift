package import ContactsDomain

/// Contacts that may be duplicates of each other.
package struct DuplicateGroup: Sendable {
    /// The likelihood.
    package let tier: DuplicateTier
    /// The matching fields, for output.
    package let evidence: [String]
    /// The contacts; the first is the one to keep, which was changed last.
    package let members: [ContactSummary]
    /// The revisions of the contacts when they were read.
    let revisions: [String: Int]

    /// The contact to keep.
    package var keep: ContactSummary { members[0] }
    /// The contacts to merge into it.
    package var drop: [ContactSummary] { Array(members.dropFirst()) }
}
