import Commands
package import ContactsDomain
import HubKit

/// Books by a selector: `account/book`, the name of a book, or an account with one book.
extension AddressBooks {
    /// The selector for contacts that are in no book.
    package static let here = Book.here

    /// All books of the configured accounts, and those of no account.
    package func all() async throws -> [Book] {
        let names = Set(try registry.accounts().map(\.name))
        return try await contacts.read { try $0.localBooks() + $0.books().filter { names.contains($0.account) } }
    }

    /// Returns the books that `word` matches; for an account all of its books. Throws `not-found`.
    package func several(_ word: String) async throws -> [Book] {
        let all = try await all()
        let exact = all.filter { $0.fullName == word }
        if !exact.isEmpty { return exact }
        let found = all.filter { $0.account == word }
        if !found.isEmpty { return found }
        let named = all.filter { $0.name == word }
        if !named.isEmpty { return named }
        let nearest = Suggestion.nearest(to: word, in: all.flatMap { [$0.account, $0.name, $0.fullName] })
        throw HubError(
            .notFound, code: "no-book", "no book named \"\(TerminalSanitizer.line(word))\"",
            hint: nearest.map { "did you mean \($0)?" } ?? "hub contacts books list")
    }

    /// Returns the book that `word` matches; nil for `here`. Throws a usage error if several match.
    package func one(_ word: String) async throws -> Book? {
        if word == Self.here { return nil }
        let found = try await several(word)
        if found.count == 1 { return found[0] }
        throw HubError(
            .usage, code: "ambiguous", "\"\(TerminalSanitizer.line(word))\" matches \(found.count) books",
            details: found.map(\.fullName), hint: "use ACCOUNT/BOOK, such as \(found[0].fullName)")
    }

    /// Returns the read-only books of the contacts `ids`, each once.
    package func readOnly(of ids: [String]) async throws -> [Book] {
        try await contacts.read { transaction in
            var known: [String: Book?] = [:]
            var found: [Book] = []
            for id in ids {
                guard let name = try transaction.contact(id)?.book, known[name] == nil else { continue }
                let book = try transaction.book(name)
                known[name] = .some(book)
                if let book, book.remote.isReadOnly { found.append(book) }
            }
            return found
        }
    }

    /// Returns the book for new contacts: the setting `default_book`, else the first writable book of the only account,
    /// which stays the same when books are added later. Nil for no book.
    package func forNewContacts() async throws -> Book? {
        let config = try registry.settings.current()
        if let word = config[Self.defaultBook] { return try await one(word) }
        let accounts = try registry.accounts()
        guard accounts.count == 1, let account = accounts.first?.name else { return nil }
        return try await contacts.read { try $0.firstWritableBook(of: account) }
    }
}

extension Book {
    /// The name with its account: `posteo/Contacts`.
    package var fullName: String { "\(account)/\(name)" }
}
