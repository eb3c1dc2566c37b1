package import ContactsDomain
package import Storage

/// The result of an update.
package struct UpdatedContact: Sendable {
    /// The stored contact.
    package let contact: Contact
    /// The changed fields; empty if nothing was written.
    package let changes: [FieldChange]
    /// The number of properties of the card that kept their bytes.
    package let untouched: Int
}

extension ContactsPlugin {
    /// Sets the values of the contact `id` to `details`.
    ///
    /// Throws `not-found`, `invalid`, and `conflict` with an ``EditConflict`` as cause if the contact is no longer at
    /// `revision`.
    package func update(
        _ id: String, to details: ContactDetails, expecting revision: Int?, operation: Operation
    ) async throws -> UpdatedContact {
        try await update(id, expecting: revision, operation: operation) { $0 = details }
    }

    /// Changes the details of the contact `id` with `change`, in one transaction.
    package func update(
        _ id: String, expecting revision: Int? = nil, operation: Operation,
        change: @escaping @Sendable (inout ContactDetails) throws -> Void
    ) async throws -> UpdatedContact {
        try await contacts.write(operation) { transaction in
            try transaction.updateContact(id, expecting: revision, change: change)
        }
    }

    /// Changes the details of all contacts `ids` with `change`, in one transaction, and returns those that changed.
    package func updateAll(
        _ ids: [String], operation: Operation, change: @escaping @Sendable (inout ContactDetails) throws -> Void
    ) async throws -> [UpdatedContact] {
        try await contacts.write(operation) { transaction in
            try ids.map { try transaction.updateContact($0, expecting: nil, change: change) }.filter {
                !$0.changes.isEmpty
            }
        }
    }
}

extension Transaction {
    /// Updates the card of one contact; writes nothing if nothing changes.
    func updateContact(
        _ id: String, expecting revision: Int?, change: (inout ContactDetails) throws -> Void
    ) throws -> UpdatedContact {
        let contact = try editableContact(id, expecting: revision)
        var details = contact.details
        try change(&details)
        let update = contact.card.updated(to: details, at: now.milliseconds)
        guard !update.changes.isEmpty else {
            return UpdatedContact(contact: contact, changes: [], untouched: update.untouched)
        }
        let fields = Set(update.changes.map(\.field))
        try details.checked(fields)
        if fields.contains("birthday") { try details.checkBirthday(at: now) }
        try updateContact(id, card: update.card)
        return UpdatedContact(
            contact: try saved(id, ContactEvents.changed), changes: update.changes, untouched: update.untouched)
    }
}
