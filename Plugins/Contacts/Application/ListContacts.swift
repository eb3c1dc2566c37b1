package import ContactsDomain
import System

/// A page of the list.
package struct ContactPage: Sendable {
    /// The maximum number of rows per page.
    package static let maximumCount = 1000

    /// The rows, at most the requested number.
    package let rows: [ContactSummary]
    /// The cursor of the next page; nil on the last one.
    package let next: String?
}

/// The result of a search.
package struct ContactSearchResult: Sendable {
    /// The matching contacts, best match first.
    package let rows: [ContactSummary]
    /// The number of live contacts.
    package let total: Int
    /// If nothing matches: contacts with similar names.
    package let suggestions: [ContactSummary]
}

extension ContactsPlugin {
    /// Returns the page of all contacts after `cursor`, or the first one.
    ///
    /// Throws `invalid` if `cursor` is not valid.
    package func contactPage(after cursor: String? = nil, limit: Int = 50) async throws -> ContactPage {
        let start = cursor.flatMap(ListCursor.init(text:))
        if cursor != nil, start == nil {
            throw HubError(.invalid, code: "cursor-invalid", "invalid cursor")
        }
        let limit = min(max(limit, 1), ContactPage.maximumCount)
        return try await contacts.read { transaction in
            let page = try transaction.contactPage(after: start, limit: limit)
            return ContactPage(rows: page.rows, next: page.next?.text)
        }
    }

    /// Returns the contacts that match `filter`, at most `limit`. Any input is valid.
    package func filter(_ filter: ContactFilter, limit: Int? = nil) async throws -> [ContactSummary] {
        try await contacts.read { try $0.contacts(filter, limit: limit) }
    }

    /// Returns the contacts that match `filter`, at most `limit`, and the number of all of them.
    package func list(
        _ filter: ContactFilter, limit: Int?
    ) async throws -> (rows: [ContactSummary], total: Int) {
        try await contacts.read { try $0.contactList(filter, limit: limit) }
    }

    /// Returns the contacts that match the words `searchQuery`, in the order of names.
    package func filter(searchQuery: String, limit: Int? = nil) async throws -> [ContactSummary] {
        var wanted = ContactFilter()
        wanted.query = ContactQuery(words: SearchQuery(searchQuery))
        return try await filter(wanted, limit: limit)
    }

    /// Returns the contacts that match all words of `text`, at most `limit`. Any input is valid.
    package func search(_ text: String, limit: Int = 50) async throws -> ContactSearchResult {
        try await search(ContactQuery(words: SearchQuery(text)), like: text, limit: limit)
    }

    /// Returns the contacts that match `query`, at most `limit`; if there are none, those with names similar to `text`.
    package func search(_ query: ContactQuery, like text: String, limit: Int = 50) async throws -> ContactSearchResult {
        try await contacts.read { transaction in
            let rows = try transaction.searchContacts(query, limit: limit)
            let suggestions =
                rows.isEmpty && query.conditions.isEmpty ? try transaction.contactsNear(text, limit: 3) : []
            return ContactSearchResult(rows: rows, total: try transaction.contactCount(), suggestions: suggestions)
        }
    }

    /// Returns how many contacts match `query`.
    package func countMatches(_ query: ContactQuery) async throws -> Int {
        try await contacts.read { try $0.matchCount(query) }
    }
}
