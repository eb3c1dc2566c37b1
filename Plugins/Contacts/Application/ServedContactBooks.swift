import ContactsDomain
import HubKit
import Storage
package import Sync

/// Each address book by itself: the contacts in no book, the books of this machine, and those of accounts.
package struct ServedContactBooks: ServedBooks {
    let contacts: ContactStore

    /// Returns the contacts in no book first: a Mac takes no other book.
    package func books() async throws -> [ServedBook] {
        let books = try await contacts.store.read { try $0.localBooks() + $0.books() }
        let here = ServedBook(Book.here, title: "Contacts", items: ServedContacts(contacts: contacts, scope: .here))
        return [here]
            + books.map { book in
                ServedBook(
                    book.word, title: book.isLocal ? book.name : "\(book.name) (\(book.account))",
                    isReadOnly: book.remote.isReadOnly, isOwn: book.isLocal,
                    items: ServedContacts(contacts: contacts, scope: .book(book.id)))
            }
    }

    /// Makes a book that belongs to no account.
    package func make(_ word: String, title: String, by author: ServedAuthor) async throws -> Bool {
        try await contacts.write(Operation(author)) { transaction in
            guard try transaction.scope(ofWord: word) == nil else { return false }
            _ = try transaction.addLocalBook(word: word, name: title)
            return true
        }
    }

    /// Renames a book that belongs to no account.
    package func rename(_ word: String, to title: String, by author: ServedAuthor) async throws {
        try await contacts.write(Operation(author)) { transaction in
            guard let book = try transaction.localBooks().first(where: { $0.word == word }) else { return }
            try transaction.renameLocalBook(book.id, to: title)
        }
    }

    /// Removes a book that belongs to no account and has no contacts.
    package func remove(_ word: String, by author: ServedAuthor) async throws -> Bool {
        try await contacts.write(Operation(author)) { transaction in
            guard let book = try transaction.localBooks().first(where: { $0.word == word }),
                try transaction.contactCount(inBook: book.id) == 0
            else { return false }
            try transaction.removeLocalBook(book.id)
            return true
        }
    }

    /// Moves a contact to another book, which its account sends to its server; a copy is a contact of its own.
    package func move(_ move: ServedMove) async throws -> ServedMoveResult {
        let rules = contacts.rules
        return try await contacts.write(Operation(move.author)) { try $0.perform(move, rules) }
    }
}

extension Transaction {
    /// The scope of the book with a word; nil if there is none.
    fileprivate func scope(ofWord word: String) throws -> ServedScope? {
        if word == Book.here { return .here }
        return try (localBooks() + books()).first { $0.word == word }.map { .book($0.id) }
    }

    fileprivate func perform(_ move: ServedMove, _ rules: IndexingOptions) throws -> ServedMoveResult {
        guard let source = try scope(ofWord: move.from.book), let target = try scope(ofWord: move.to.book) else {
            return .missing
        }
        try numberAllServed(in: source)
        try numberAllServed(in: target)
        guard let contact = try servedContact(move.from.name, in: source) else { return .missing }
        guard move.condition.holds(for: try ServedEntry(contact, name: move.from.name)) else { return .refused }
        let old = try servedContact(move.to.name, in: target)
        guard old?.id != contact.id, move.overwrites || old == nil else { return .refused }
        if !move.isCopy, source != target, let twin = try twin(of: contact, in: target), twin.id != old?.id,
            let name = try servedName(of: twin.id, in: target)
        {
            return .sameUID(name)
        }
        if let old {
            try setDeleted(old.id, at: now)
            try reindexContacts([old.id], rules)
            try emit(ContactEvents.removed, [old.summary])
        }
        let id = move.isCopy ? try copy(contact, to: target, rules) : contact.id
        if !move.isCopy, source != target { try setBook(id, target.book) }
        if try servedName(of: id, in: target) != move.to.name {
            try setServedName(move.to.name, of: id, in: target)
            try reindexContacts([id], rules)
        }
        let moved = try self.contact(id) ?? contact
        try emit(move.isCopy ? ContactEvents.added : ContactEvents.changed, [moved.summary])
        return .moved(
            ServedItem(try ServedEntry(moved, name: move.to.name), content: moved.card.bytes), isNew: old == nil)
    }

    /// The live contact of a scope that has the `UID` of another one.
    private func twin(of contact: Contact, in scope: ServedScope) throws -> Contact? {
        guard let uid = contact.details.uid, !uid.withoutURN.isEmpty else { return nil }
        return try contacts(withSource: CardSource.key(uid: uid.withoutURN, contentHash: 0)).first {
            guard $0.id != contact.id, $0.deletedAt == nil, $0.details.uid?.withoutURN == uid.withoutURN else {
                return false
            }
            return try servedName(of: $0.id, in: scope) != nil
        }
    }

    /// Copies a contact with a `UID` of its own, so that no book has two of one, and no duplicate is proposed.
    private func copy(_ contact: Contact, to scope: ServedScope, _ rules: IndexingOptions) throws -> String {
        let card = contact.card.copied(as: ContactUID.random(), at: now.milliseconds)
        let source = CardSource.key(uid: card.details.uid, contentHash: 0)
        let copy = try insertContact(Identifier.make(), card, source: source, origin: nil, book: scope.book)
        _ = try keepApart(contact.id, copy.id)
        try reindexContacts([copy.id], rules)
        return copy.id
    }
}
