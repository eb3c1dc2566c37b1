package import ContactsDomain

/// Finds contacts by any text of theirs, the best first.
package struct SearchContacts: Sendable {
    /// What a search found.
    package struct Result: Sendable {
        /// The contacts that match, the best first.
        package let rows: [ContactSummary]
        /// How many live contacts there are.
        package let total: Int
        /// When nothing matches: contacts whose names are near to what was typed.
        package let suggestions: [ContactSummary]
    }

    let contacts: ContactStore

    package init(_ contacts: ContactStore) { self.contacts = contacts }

    /// The contacts that match all words of `text`, at most `limit`. No input is an error.
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
