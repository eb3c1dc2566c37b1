package import ContactsDomain
import HubKit
package import Storage

extension ContactsPlugin {
    /// Copies the contacts `ids` to `book`, or with nil to no book. Each copy has a `UID` of its own, and is marked as distinct
    /// from its original, so that it is not proposed as a duplicate.
    /// - Returns: the copies, without those of contacts that are in the book already.
    package func copy(_ ids: [String], to book: Book?, operation: Operation) async throws -> [ContactSummary] {
        try book?.requireWritable()
        let rules = contacts.rules
        return try await contacts.write(operation) { transaction in
            let copies = try ids.compactMap { id -> ContactSummary? in
                let row = try transaction.editableContact(id, expecting: nil)
                guard row.book != book?.id else { return nil }
                let card = row.card.copied(as: ContactUID.random(), at: transaction.now.milliseconds)
                let source = CardSource.key(uid: card.details.uid, contentHash: 0)
                let copy = try transaction.insertContact(
                    Identifier.make(), card, source: source, origin: nil, book: book?.id)
                _ = try transaction.keepApart(id, copy.id)
                return ContactSummary(id: copy.id, card.details)
            }
            try transaction.reindexContacts(copies.map(\.id), rules)
            try transaction.emit(ContactEvents.added, copies)
            return copies
        }
    }
}

extension Book {
    /// Throws `denied` if the book is read-only.
    func requireWritable() throws(HubError) {
        guard remote.isReadOnly else { return }
        throw HubError(
            .denied, code: "book-read-only", "\(fullName) is read-only", hint: "see hub contacts books list")
    }
}
