import HubKit

/// Shortens ids for output.
package struct ShortenIDs: Sendable {
    let contacts: ContactStore

    package init(_ contacts: ContactStore) { self.contacts = contacts }

    /// Returns the shortest unique prefix of each id, of three characters or more.
    package func callAsFunction(_ ids: [String]) async throws -> [String: String] {
        try await contacts.store.read { transaction in
            var short: [String: String] = [:]
            for id in ids { short[id] = String(id.prefix(try transaction.shortIDLength(id))) }
            return short
        }
    }
}
