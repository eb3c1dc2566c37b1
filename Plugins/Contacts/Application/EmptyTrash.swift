package import HubKit

/// Destroys contacts in the trash, with all that history kept of them: nothing brings them back.
package struct EmptyTrash: Sendable {
    let contacts: ContactStore

    /// How many contacts are destroyed in one transaction. What an import wrote stands in history in parts of a thousand
    /// or so, and each part that loses a contact is written anew: many at once are much cheaper than few.
    private static let batch = 500

    package init(_ contacts: ContactStore) { self.contacts = contacts }

    /// Destroys what is in the trash since before `moment`, and says how many contacts that were.
    package func callAsFunction(before moment: Instant, operation: Operation) async throws -> Int {
        // Nothing of it may be recorded: what history kept could be brought back.
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
