package import HubKit

/// Marks contacts as different people, so that they are not reported as duplicates again.
package struct MarkDistinct: Sendable {
    let contacts: ContactStore

    package init(_ contacts: ContactStore) { self.contacts = contacts }

    /// Marks every pair of `ids`. Throws `not-found` if one does not exist.
    /// - Returns: the number of new pairs.
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
