/// Lists the tags in use.
package struct GetLabels: Sendable {
    /// A tag and how many contacts have it.
    package struct Label: Hashable, Sendable {
        /// The tag as it is written on the cards.
        package let tag: String
        /// How many live contacts have it.
        package let count: Int
    }

    let contacts: ContactStore

    package init(_ contacts: ContactStore) { self.contacts = contacts }

    package func callAsFunction() async throws -> [Label] {
        try await contacts.read { try $0.contactTags().map { Label(tag: $0.tag, count: $0.count) } }
    }
}
