package import ContactsDomain

/// Searches all fields of contacts, best match first.
package struct SearchContacts: Sendable {
    /// The result of a search.
    package struct Result: Sendable {
        /// The matching contacts, best match first.
        package let rows: [ContactSummary]
        /// The number of live contacts.
        package let total: Int
        /// If nothing matches: contacts with similar names.
        package let suggestions: [ContactSummary]
    }

    let contacts: ContactStore

    package init(_ contacts: ContactStore) { self.contacts = contacts }

    /// Returns the contacts that match all words of `text`, at most `limit`. Any input is valid.
    package func callAsFunction(_ text: String, limit: Int = 50) async throws -> Result {
        let query = SearchQuery(text)
        return try await contacts.read { transaction in
            let rows = try transaction.searchContacts(query, limit: limit)
            return Result(
                rows: rows, total: try transaction.contactCount(),
                suggestions: rows.isEmpty ? try transaction.contactsNear(text, limit: 3) : [])
        }
    }
}
