package import ContactsDomain
package import HubKit

/// Changes a contact; unchanged properties keep their bytes.
package struct UpdateContact: Sendable {
    /// The result of an update.
    package struct Result: Sendable {
        /// The stored contact.
        package let contact: Contact
        /// The changed fields; empty if nothing was written.
        package let changes: [FieldChange]
        /// The number of properties of the card that kept their bytes.
        package let untouched: Int
    }

    let contacts: ContactStore

    package init(_ contacts: ContactStore) { self.contacts = contacts }

    /// Sets the values of the contact `id` to `details`.
    ///
    /// Throws `not-found`, `invalid`, and `conflict` with an ``EditConflict`` as cause if the contact is no longer at
    /// `revision`.
    package func callAsFunction(
        _ id: String, to details: ContactDetails, expecting revision: Int?, operation: Operation
    ) async throws -> Result {
        try await callAsFunction(id, expecting: revision, operation: operation) { $0 = details }
    }

    /// Changes the details of the contact `id` with `change`, in one transaction.
    package func callAsFunction(
        _ id: String, expecting revision: Int? = nil, operation: Operation,
        change: @escaping @Sendable (inout ContactDetails) throws -> Void
    ) async throws -> Result {
        let rules = contacts.rules
        return try await contacts.write(operation) { transaction in
            try transaction.updateContact(id, expecting: revision, rules, change: change)
        }
    }
}

/// The contact was changed by another writer since it was read.
package struct EditConflict: Error, Sendable {
    /// The current contact.
    package let current: Contact
}

extension Transaction {
    /// Returns the live contact `id` at the given revision.
    func editableContact(_ id: String, expecting revision: Int?) throws -> ContactRow {
        guard let row = try contact(id), row.deletedAt == nil else { throw HubError.contactNotFound(id) }
        guard let revision, revision != row.revision else { return row }
        let current = Contact(row)
        throw HubError(
            .conflict, code: "edit-conflict", "\(current.details.displayName) was changed in the meantime",
            details: ["your revision is \(revision), now it is \(row.revision)"],
            hint: "reload it and repeat your change", cause: EditConflict(current: current))
    }

    /// Updates the card of one contact; writes nothing if nothing changes.
    func updateContact(
        _ id: String, expecting revision: Int?, _ rules: IndexingOptions, change: (inout ContactDetails) throws -> Void
    ) throws -> UpdateContact.Result {
        let row = try editableContact(id, expecting: revision)
        var details = row.card.details
        try change(&details)
        let update = row.card.updated(to: details, at: now.milliseconds)
        guard !update.changes.isEmpty else {
            return UpdateContact.Result(contact: Contact(row), changes: [], untouched: update.untouched)
        }
        try details.checked(Set(update.changes.map(\.field)))
        try updateContact(id, card: update.card)
        try reindexContacts([id], rules)
        guard let stored = try contact(id) else { throw HubError.contactNotFound(id) }
        let contact = Contact(stored)
        try emit(ContactEvents.changed, contact.summary)
        return UpdateContact.Result(contact: contact, changes: update.changes, untouched: update.untouched)
    }
}
