import ContactsDomain
import HubKit

/// Resolves book names from the command line.
struct BookSelection: Sendable {
    static let completion = Completion.from(ContactsPlugin.self) { contacts, _ in
        try await contacts.books.all().map { CompletionWord($0.fullName) }
            + [CompletionWord(AddressBooks.here, "only on this machine, in no book")]
    }

    private let contacts: ContactsPlugin

    init(_ contacts: ContactsPlugin) { self.contacts = contacts }

    /// Returns the ids of the books with the name `word`; none for `here`.
    func ids(_ word: String) async throws -> [String] {
        word == AddressBooks.here ? [] : try await contacts.books.several(word).map(\.id)
    }
}

extension ContactsPlugin {
    /// Returns a warning for each read-only book of the changed contacts `ids`.
    func readOnlyNotes(_ ids: [String]) async throws -> [Diagnostic] {
        try await books.readOnly(of: ids).map {
            .warning("\($0.fullName) is read-only: the change is not sent", code: "read-only")
        }
    }

    /// Returns the book for a new contact: the one named `word`, else the default; nil for a contact in no book.
    func bookForNew(_ word: String?) async throws -> Book? {
        guard let word else { return try await books.forNewContacts() }
        let book = try await books.one(word)
        if let book, book.remote.isReadOnly {
            throw HubError(.denied, code: "book-read-only", "\(book.fullName) is read-only")
        }
        return book
    }
}
