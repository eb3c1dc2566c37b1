import Collation
import Commands
package import ContactsDomain
package import HubKit
import Storage
import Sync

extension AddressBooks {
    /// Creates the book `name` in `account`. Throws the error of the account.
    package func create(_ name: String, in account: String) async throws -> Book {
        let setup = try registry.account(account)
        let made = try await connected(to: setup) { try await $0.createBook(name) }
        let names = setup.account.collections
        if !names.isEmpty, let change = Self.kind.keys.change(names + [name], of: account) {
            try await registry.settings.apply([change])
        }
        let book = try await contacts.write(Self.kind.operation) { try $0.saveBook(made, account: account) }
        registry.announce()
        return book
    }

    /// Creates a book of no account, which is only on this machine.
    package func createLocal(_ name: String, operation: Operation) async throws -> Book {
        try await contacts.write(operation) { transaction in
            guard try !transaction.localBooks().contains(where: { $0.name == name }) else {
                throw HubError(.conflict, code: "book-exists", "there is a book named \(name) already")
            }
            return try transaction.addLocalBook(
                word: try transaction.newWord(for: name), name: name)
        }
    }

    /// Removes a book of no account; its contacts are kept, in no book.
    package func removeLocal(_ book: Book, operation: Operation) async throws {
        try await contacts.write(operation) { try $0.removeLocalBook(book.id) }
    }

    /// Returns the number of contacts of a book.
    package func contactCount(_ book: Book) async throws -> Int {
        try await contacts.read { try $0.contactCount(inBook: book.id) }
    }

    /// Returns whether a book no longer exists in its account. Throws the error of the account.
    package func isGone(_ book: Book) async throws -> Bool {
        try await connected(to: try registry.account(book.account)) { connection in
            do throws(RemoteError) {
                _ = try await connection.open(book.remote).state()
                return false
            } catch .notFound {
                return true
            }
        }
    }

    /// Forgets a book that no longer exists in its account; its contacts are kept, in no book.
    package func forget(_ book: Book) async throws { try await remove(book) {} }

    /// Deletes a book with all its cards in its account; its contacts are kept here, in no book. Throws the error of the
    /// account.
    package func remove(_ book: Book) async throws {
        let setup = try registry.account(book.account)
        try await remove(book) {
            try await connected(to: setup) { try await $0.removeBook(book.remote.href) }
        }
    }

    private func remove(_ book: Book, there: () async throws -> Void) async throws {
        let lock = try await registry.lock(try registry.account(book.account).account)
        defer { withExtendedLifetime(lock) {} }
        try await there()
        try await contacts.write(Self.kind.operation) { try $0.removeBook(book.id) }
        registry.announce()
    }

    func connected<Result>(
        to setup: ConfiguredAccount, _ body: (any AccountClient) async throws -> Result
    ) async throws -> Result {
        try registry.requireNetwork(for: setup.account)
        let connection = try await accounts.connect(to: setup)
        return try await accounts.attempting(setup.account) { try await body(connection) }
    }

    /// Moves the contacts `ids` to `book`, or with nil out of all books.
    /// - Returns: the contacts that were in another book before.
    package func move(
        _ ids: [String], to book: Book?, operation: Operation
    ) async throws -> [ContactSummary] {
        try book?.requireWritable()
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

extension Transaction {
    /// A word for the address of a new book with this name.
    fileprivate func newWord(for name: String) throws -> String {
        let words = Transliterator.fold(name).utf8.split { !(0x61...0x7A ~= $0 || 0x30...0x39 ~= $0) }
        let word = words.prefix(5).map { String(Substring($0)) }.joined(separator: "-")
        let known = Set(try localBooks().map(\.word) + [Book.here, "all", ""])
        return known.contains(word) ? "\(word.isEmpty ? "book" : word)-\(Identifier.make())" : word
    }
}
