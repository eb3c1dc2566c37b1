package import HubKit

/// Permanently deletes contacts in the trash, with all their history.
package struct EmptyTrash: Sendable {
    let contacts: ContactStore

    /// The number of contacts that are deleted in one transaction. History stores imports in chunks of about a thousand
    /// contacts and rewrites each chunk that loses one, so large batches are much cheaper.
    private static let batch = 500

    package init(_ contacts: ContactStore) { self.contacts = contacts }

    /// Deletes the contacts that were moved to the trash before `moment` and returns their number.
    package func callAsFunction(before moment: Instant, operation: Operation) async throws -> Int {
        // The deletion is not recorded, since recorded rows could be restored.
        let unrecorded = Operation(
            id: operation.id, operation.name, who: operation.who, commandLine: operation.commandLine, kind: .cache)
        var count = 0
        while true {
            let destroyed = try await contacts.write(unrecorded) { transaction in
                let ids = try transaction.trashedContacts(before: moment, limit: EmptyTrash.batch).map(\.id)
                try transaction.forgetHistory(of: ids)
                for id in ids { try transaction.destroyContact(id) }
                return ids.count
            }
            if destroyed == 0 { return count }
            count += destroyed
        }
    }
}
