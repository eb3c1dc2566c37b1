package import ContactsDomain
package import HubKit

/// Moves contacts to the trash.
package struct DeleteContacts: Sendable {
    let contacts: ContactStore

    package init(_ contacts: ContactStore) { self.contacts = contacts }

    /// Moves all of `ids` to the trash, or none: throws `not-found` when one is not there, or is in the trash already,
    /// and `conflict` when it is no longer at `revision`, which a caller gives who saw one contact.
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
