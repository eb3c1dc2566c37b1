package import ContactsDomain
package import HubKit

/// Moves contacts to the trash.
package struct DeleteContacts: Sendable {
    let contacts: ContactStore

    package init(_ contacts: ContactStore) { self.contacts = contacts }

    /// Moves all of `ids` to the trash, or none. Throws `not-found` if one does not exist or is already in the trash,
    /// and `conflict` if it is no longer at `revision`, if given.
    @discardableResult
    package func callAsFunction(
        _ ids: [String], expecting revision: Int? = nil, operation: Operation
    ) async throws -> [ContactSummary] {
        let rules = contacts.rules
        return try await contacts.write(operation) { transaction in
            let removed = try ids.map { id in
                let row = try transaction.editableContact(id, expecting: revision)
                try transaction.setDeleted(id, at: transaction.now)
                return ContactSummary(id: id, row.card.details)
            }
            try transaction.reindexContacts(ids, rules)
            try transaction.emit(ContactEvents.removed, removed)
            return removed
        }
    }
}
