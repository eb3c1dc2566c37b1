import ContactsDomain
import HubKit
import Sync

/// Updates the settings when books were renamed: a book is identified by its path, so settings must follow its name.
struct FollowRenamedBooks: Sendable {
    let manager: AccountManager

    /// Renames books in the config file whose names in `seen` differ from those in `known`. Returns the updated
    /// account.
    func callAsFunction(_ seen: [RemoteBook], _ known: [Book], _ account: Account) async throws -> Account {
        var names = account.collections
        var changes: [SettingChange] = []
        let target = try manager.register.settings.current()[AccountKeys.defaultBook]
        for book in known {
            guard let now = seen.first(where: { $0.href == book.remote.href })?.name, now != book.name else { continue }
            if let index = names.firstIndex(of: book.name) { names[index] = now }
            let isOnlyOfName = known.count { $0.name == book.name } == 1
            if target == book.fullName || target == book.name && isOnlyOfName {
                changes.append(.set(ConfigPath(["default_book"]), .text("\(book.account)/\(now)")))
            }
        }
        if names != account.collections, let change = AccountKeys.contacts.change(names, of: account.name) {
            changes.append(change)
        }
        if !changes.isEmpty { try manager.register.settings.apply(changes) }
        return Account(
            name: account.name, address: account.address, user: account.user, every: account.every, collections: names,
            trust: account.trust)
    }
}
