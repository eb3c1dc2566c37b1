import ContactsDomain
import HubKit

/// Reads cards page by page: of given contacts in their order, or of all in the order of names.
actor CardPages {
    /// The card of a live contact.
    struct Item: Sendable {
        let id: String
        let card: Card
    }

    /// The number of cards per page.
    private static let batch = 200

    private let contacts: ContactStore
    private var ids: ArraySlice<String>?
    private var cursor: ListCursor?
    private var isFinished = false

    init(_ contacts: ContactStore, _ ids: [String]?) {
        self.contacts = contacts
        self.ids = ids.map { $0[...] }
    }

    /// Returns the next cards; nil at the end.
    func next() async throws -> [Item]? {
        guard let page = try await nextIDs() else { return nil }
        return try await contacts.read { transaction in
            try page.compactMap { id in try transaction.contact(id).map { Item(id: id, card: $0.card) } }
        }
    }

    private func nextIDs() async throws -> [String]? {
        if isFinished { return nil }
        if let rest = ids {
            ids = rest.dropFirst(CardPages.batch)
            return rest.isEmpty ? nil : Array(rest.prefix(CardPages.batch))
        }
        let page = try await contacts.read { [cursor] in
            try $0.contactPage(after: cursor, limit: CardPages.batch)
        }
        cursor = page.next
        isFinished = page.next == nil
        return page.rows.isEmpty ? nil : page.rows.map(\.id)
    }
}
