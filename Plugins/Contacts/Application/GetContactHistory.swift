package import ContactsDomain
package import HubKit

/// Lists the changes of a contact, newest first.
package struct GetContactHistory: Sendable {
    /// An operation and its changes of the contact.
    package struct Version: Sendable {
        /// The operation.
        package let operation: OperationRecord
        /// The changed fields; empty if it only moved the contact to or from the trash.
        package let changes: [FieldChange]
        /// Whether the contact was created, changed, removed or restored.
        package let verb: String
    }

    let contacts: ContactStore

    package init(_ contacts: ContactStore) { self.contacts = contacts }

    /// Returns the versions of the contact with the full id `id`, as far back as history goes.
    package func callAsFunction(_ id: String) async throws -> [Version] {
        try await contacts.store.database.history.versions(of: id, owner: contacts.store.owner)
            .compactMap { version in
                version.changes.contactChange.map { change in
                    Version(operation: version.operation, changes: change.fields, verb: change.verb)
                }
            }
    }
}
