import ContactsDomain
import HubKit

/// The books that a word of the command line names.
struct BookSelection: Sendable {
    static let completion = Completion.from(ContactsPlugin.self) { contacts, _ in
        try await contacts.resolveBook.all().map { CompletionWord($0.fullName) }
            + [CompletionWord(ResolveBook.here, "in no book elsewhere")]
    }

    private let contacts: ContactsPlugin

    init(_ contacts: ContactsPlugin) { self.contacts = contacts }

    /// The ids of the books that `word` names; none for `here`.
    func ids(_ word: String) async throws -> [String] {
        word == ResolveBook.here ? [] : try await contacts.resolveBook.several(word).map(\.id)
    }
}

extension ContactsPlugin {
    /// What a person should know who changed the contacts `ids`: some of their books may take no changes.
    func readOnlyNotes(_ ids: [String]) async throws -> [Note] {
        try await resolveBook.readOnly(of: ids).map {
            .warning("\($0.fullName) is read-only: the change is kept here only and is not sent", code: "read-only")
        }
    }

    /// The book for a new contact: the one that `word` names, else the default; nil is the one that is only here.
    func bookForNew(_ word: String?) async throws -> Book? {
        guard let word else { return try await resolveBook.forNewContacts() }
        let book = try await resolveBook.one(word)
        if let book, book.remote.isReadOnly {
            throw HubError(.denied, code: "book-read-only", "\(book.fullName) takes no contacts from here")
        }
        return book
    }
}
