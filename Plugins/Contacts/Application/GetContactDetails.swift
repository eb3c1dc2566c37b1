import HubKit

/// Shows all that is known of one contact, live or in the trash.
package struct GetContactDetails: Sendable {
    let contacts: ContactStore

    package init(_ contacts: ContactStore) { self.contacts = contacts }

    /// The contact with the whole id `id`; throws `not-found`.
    package func callAsFunction(_ id: String) async throws -> Contact {
        guard let row = try await contacts.read({ try $0.contact(id) }) else { throw HubError.contactNotFound(id) }
        return Contact(row)
    }
}
