package import ContactsDomain

/// Lists the matching contacts in the requested order; by name by default.
package struct FilterContacts: Sendable {
    let contacts: ContactStore

    package init(_ contacts: ContactStore) { self.contacts = contacts }

    /// Returns the contacts that match `filter`, at most `limit`. Any input is valid.
    package func callAsFunction(_ filter: ContactFilter, limit: Int? = nil) async throws -> [ContactSummary] {
        try await contacts.read { try $0.contacts(filter, limit: limit) }
    }

    /// Returns the contacts that match `searchQuery`, in the order of names.
    package func callAsFunction(searchQuery: String, limit: Int? = nil) async throws -> [ContactSummary] {
        var filter = ContactFilter()
        filter.words = SearchQuery(searchQuery)
        return try await callAsFunction(filter, limit: limit)
    }
}
