package import ContactsDomain
import HubKit

/// Lists contacts page by page in the order of names.
package struct GetContacts: Sendable {
    /// A page of the list.
    package struct Page: Sendable {
        /// The rows, at most the requested number.
        package let rows: [ContactSummary]
        /// The cursor of the next page; nil on the last one.
        package let next: String?
    }

    /// The maximum number of rows per page.
    package static let maximumLimit = 1000

    let contacts: ContactStore

    package init(_ contacts: ContactStore) { self.contacts = contacts }

    /// Returns the page after `cursor`, or the first one.
    ///
    /// Throws `invalid` if `cursor` is not valid.
    package func callAsFunction(after cursor: String? = nil, limit: Int = 50) async throws -> Page {
        let start = cursor.flatMap(ListCursor.init(text:))
        if cursor != nil, start == nil {
            throw HubError(.invalid, code: "cursor-invalid", "invalid cursor")
        }
        let limit = min(max(limit, 1), GetContacts.maximumLimit)
        return try await contacts.read { transaction in
            let page = try transaction.contactPage(after: start, limit: limit)
            return Page(rows: page.rows, next: page.next?.text)
        }
    }
}
