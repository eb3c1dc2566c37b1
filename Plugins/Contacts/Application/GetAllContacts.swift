package import ContactsDomain

/// Lists every contact in the order of names.
package struct GetAllContacts: Sendable {
    let contacts: ContactStore

    package init(_ contacts: ContactStore) { self.contacts = contacts }

    /// Returns all live contacts in the order of names.
    package func callAsFunction() async throws -> [ContactSummary] {
        try await contacts.read { try $0.contacts(ContactFilter()) }
    }
}
