package import HubKit

/// Remembers that contacts are not one, so that they are never proposed as duplicates again.
package struct KeepApart: Sendable {
    let contacts: ContactStore

    package init(_ contacts: ContactStore) { self.contacts = contacts }

    /// Remembers it of every two of `ids`; throws `not-found` when one is not there.
    /// - Returns: how many pairs are new.
    @discardableResult
    package func callAsFunction(_ ids: [String], operation: Operation) async throws -> Int {
        try await contacts.write(operation) { transaction in
            for id in ids { _ = try transaction.editableContact(id, expecting: nil) }
            var count = 0
            for (index, id) in ids.enumerated() {
                for other in ids[(index + 1)...] where other != id {
                    if try transaction.keepApart(id, other) { count += 1 }
                }
            }
            return count
        }
    }
}
