package import ContactsDomain
package import HubKit

/// Restores contacts from the trash.
package struct RestoreContacts: Sendable {
    let contacts: ContactStore

    package init(_ contacts: ContactStore) { self.contacts = contacts }

    /// Restores all of `ids`, or none. Throws `not-found` if one is not in the trash.
    @discardableResult
    package func callAsFunction(_ ids: [String], operation: Operation) async throws -> [ContactSummary] {
        let rules = contacts.rules
        return try await contacts.write(operation) { transaction in
            let restored = try ids.map { id in
                guard let row = try transaction.contact(id), row.deletedAt != nil else {
                    throw HubError(
                        .notFound, code: "contact-not-in-trash", "no contact in the trash with the id \(id)",
                        hint: "see hub contacts list --trash")
                }
                try transaction.setDeleted(id, at: nil)
                return ContactSummary(id: id, row.card.details)
            }
            try transaction.reindexContacts(ids, rules)
            try transaction.emit(ContactEvents.added, restored)
            return restored
        }
    }
}
