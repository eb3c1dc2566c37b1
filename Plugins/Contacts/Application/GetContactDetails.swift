import HubKit

/// Returns a contact, live or in the trash.
package struct GetContactDetails: Sendable {
    let contacts: ContactStore

    package init(_ contacts: ContactStore) { self.contacts = contacts }

    /// Returns the contact with the full id `id`. Throws `not-found`.
    package func callAsFunction(_ id: String) async throws -> Contact {
        guard let row = try await contacts.read({ try $0.contact(id) }) else { throw HubError.contactNotFound(id) }
        return Contact(row)
    }
}
