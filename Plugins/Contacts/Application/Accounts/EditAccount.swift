package import ContactsDomain
import HubKit

/// Changes an account after having tested what it would be.
package struct EditAccount: Sendable {
    let desk: AccountDesk

    package init(_ desk: AccountDesk) { self.desk = desk }

    /// Puts `account`, and `password` where it is given, in the place of what was there; answers with the books.
    package func callAsFunction(_ account: Account, password: AddAccount.Password?) async throws -> [Book] {
        if account.kind == .carddav { try desk.requireNetwork() }
        let old = try desk.account(account.name)
        var source = account.kind == .vdir ? nil : old.password
        var secret: String?
        switch password {
        case .typed(let text): (source, secret) = (.keyring(account.name), text)
        case .source(let given): source = given
        case .none?: source = nil
        case nil: break
        }
        if secret == nil, let source { secret = try await desk.secrets.read(source) }
        let found = try await desk.books(try desk.link(to: account, password: secret, isBrief: true), of: account)
        if case .typed(let text) = password {
            do throws(HubError) {
                try await desk.secrets.save(text, account: account.name)
            } catch {
                throw HubError.noKeyring(error, account.name)
            }
        }
        let new = AccountSetup(account: account, password: source)
        let kept = Set(new.changes.map(\.path))
        let dropped = old.changes.map(\.path).filter { !kept.contains($0) }
        try desk.settings.apply(dropped.map { .remove($0) } + new.changes)
        let books = try await desk.keep(found, of: account)
        // What stays the same place keeps its books; of another place the old ones mean nothing.
        let hrefs = Set(books.map(\.remote.href))
        try await desk.contacts.write(.accounts) { transaction in
            for book in try transaction.books(of: account.name) where !hrefs.contains(book.remote.href) {
                try transaction.removeBook(book.id)
            }
        }
        desk.announce()
        return books
    }
}

extension SettingChange {
    /// What it changes.
    fileprivate var path: ConfigPath {
        switch self {
        case .set(let path, _), .remove(let path): path
        }
    }
}
