package import ContactsDomain

/// Lists the contacts that match, in the order asked for; by names when none is.
package struct FilterContacts: Sendable {
    let contacts: ContactStore

    package init(_ contacts: ContactStore) { self.contacts = contacts }

    /// The contacts that `filter` lets through, at most `limit`. No input is an error.
    package func callAsFunction(_ filter: ContactFilter, limit: Int? = nil) async throws -> [ContactSummary] {
        try await contacts.read { try $0.contacts(filter, limit: limit) }
    }

    /// The contacts that match the words of `searchQuery` in the order of names.
    package func callAsFunction(searchQuery: String, limit: Int? = nil) async throws -> [ContactSummary] {
        var filter = ContactFilter()
        filter.words = SearchQuery(searchQuery)
        return try await callAsFunction(filter, limit: limit)
    }
}
