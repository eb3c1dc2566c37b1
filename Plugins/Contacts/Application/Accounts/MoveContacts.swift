package import ContactsDomain
package import HubKit

/// Moves contacts to another book; the next sync creates them there and removes them from the old one.
package struct MoveContacts: Sendable {
    let contacts: ContactStore

    package init(_ contacts: ContactStore) { self.contacts = contacts }

    /// Moves the contacts `ids` to `book`, or with nil out of all books.
    /// - Returns: the contacts that were in another book before.
    package func callAsFunction(
        _ ids: [String], to book: Book?, operation: Operation
    ) async throws -> [ContactSummary] {
        if let book, book.remote.isReadOnly {
            throw HubError(
                .denied, code: "book-read-only", "\(book.fullName) is read-only",
                hint: "see hub contacts books list")
        }
        return try await contacts.write(operation) { transaction in
            let moved = try ids.compactMap { id -> ContactSummary? in
                let row = try transaction.editableContact(id, expecting: nil)
                guard row.book != book?.id else { return nil }
                try transaction.setBook(id, book?.id)
                return ContactSummary(id: id, row.card.details)
            }
            try transaction.emit(ContactEvents.changed, moved)
            return moved
        }
    }
}
