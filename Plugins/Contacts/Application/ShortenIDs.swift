import HubKit

/// Tells how much of an id must be shown.
package struct ShortenIDs: Sendable {
    let contacts: ContactStore

    package init(_ contacts: ContactStore) { self.contacts = contacts }

    /// The shortest beginning of each id that names only it, of three characters or more.
    package func callAsFunction(_ ids: [String]) async throws -> [String: String] {
        try await contacts.store.read { transaction in
            var short: [String: String] = [:]
            for id in ids { short[id] = String(id.prefix(try transaction.shortIDLength(id))) }
            return short
        }
    }
}
