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
        try await contacts.write(operation) { transaction in
            try transaction.updateContact(id, expecting: revision, change: change)
        }
    }
}

extension Transaction {
    /// Updates the card of one contact; writes nothing if nothing changes.
    func updateContact(
        _ id: String, expecting revision: Int?, change: (inout ContactDetails) throws -> Void
    ) throws -> UpdateContact.Result {
        let contact = try editableContact(id, expecting: revision)
        var details = contact.details
        try change(&details)
        let update = contact.card.updated(to: details, at: now.milliseconds)
        guard !update.changes.isEmpty else {
            return UpdateContact.Result(contact: contact, changes: [], untouched: update.untouched)
        }
        try details.checked(Set(update.changes.map(\.field)))
        try updateContact(id, card: update.card)
        return UpdateContact.Result(
            contact: try saved(id, ContactEvents.changed), changes: update.changes, untouched: update.untouched)
    }
}
