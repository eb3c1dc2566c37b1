package import ContactsDomain
package import HubKit

/// Tells what was done to a contact, newest first.
package struct GetContactHistory: Sendable {
    /// One operation and what it changed.
    package struct Version: Sendable {
        /// The operation.
        package let operation: OperationRecord
        /// What it changed in people's words; empty when only the trash was concerned.
        package let changes: [FieldChange]
        /// Whether the contact was made, changed, removed or brought back.
        package let verb: String
    }

    let contacts: ContactStore

    package init(_ contacts: ContactStore) { self.contacts = contacts }

    /// The versions of the contact with the whole id `id`, as far back as history goes.
    package func callAsFunction(_ id: String) async throws -> [Version] {
        try await contacts.store.database.history.versions(of: id, owner: contacts.store.owner)
            .compactMap { version in
                version.changes.contactChange.map { change in
                    Version(operation: version.operation, changes: change.fields, verb: change.verb)
                }
            }
    }
}
