/// Lists the tags in use.
package struct GetTags: Sendable {
    /// A tag and the number of contacts with it.
    package struct Label: Hashable, Sendable {
        /// The tag as written in the cards.
        package let tag: String
        /// The number of live contacts with it.
        package let count: Int
    }

    let contacts: ContactStore

    package init(_ contacts: ContactStore) { self.contacts = contacts }

    /// Returns all tags in use, in the order of their folded names.
    package func callAsFunction() async throws -> [Label] {
        try await contacts.read { try $0.contactTags().map { Label(tag: $0.tag, count: $0.count) } }
    }
}
