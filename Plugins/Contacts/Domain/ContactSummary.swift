/// The values of a contact in a list.
package struct ContactSummary: Hashable, Sendable {
    /// The contact's id.
    package var id: String
    /// The name for display.
    package var name: String
    /// The primary phone number; empty when there is none.
    package var phone: String
    /// The primary e-mail address; empty when there is none.
    package var email: String
    /// The tags.
    package var tags: [String]
    /// Whether it is a group of contacts, not a person or an organization.
    package var isGroup: Bool

    package init(id: String, name: String, phone: String, email: String, tags: [String], isGroup: Bool = false) {
        self.id = id
        self.name = name
        self.phone = phone
        self.email = email
        self.tags = tags
        self.isGroup = isGroup
    }

    /// The name, or a placeholder.
    package var shownName: String { name.isEmpty ? "(no name)" : name }

    /// Creates the row of the contact `id` with these details.
    package init(id: String, _ details: ContactDetails) {
        self.init(
            id: id, name: details.displayName, phone: details.phones.primary?.value ?? "",
            email: details.emails.primary?.value ?? "", tags: details.tags, isGroup: details.kind == .group)
    }
}
