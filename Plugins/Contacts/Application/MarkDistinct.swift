package import HubKit

extension ContactsPlugin {
    /// Marks every pair of `ids`. Throws `not-found` if one does not exist.
    /// - Returns: the number of new pairs.
    @discardableResult
    package func markDistinct(_ ids: [String], operation: Operation) async throws -> Int {
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
