package import Commands
package import Sync

/// A plugin with accounts. It gets the commands `accounts`, `sync` and `status` (``AccountCommands``), the service
/// that syncs in the background, and its parts of `hub sync` and `hub status`.
package protocol AccountPlugin: Plugin {
    /// The plugin's part of its accounts.
    associatedtype Accounts: AccountBackend

    /// The accounts.
    var accounts: AccountManager<Accounts> { get }
    /// The log of the background service.
    var log: Log { get }

    /// The fields of what an account offers, for `accounts test` and `add`.
    static var itemFields: [Field<Accounts.Item>] { get }
    /// More columns of `accounts list` and `status`.
    static var accountColumns: [Field<AccountStatus<Accounts.State>>] { get }
    /// Returns what an account offers, in one line.
    static func line(_ item: Accounts.Item) -> String
    /// Returns what was found at an account that was added or changed.
    static func summary(of items: [Accounts.Item], in account: Account) -> AccountSummary

    /// Returns the messages about a sync.
    func notes(on report: SyncReport<Accounts.Details>) async throws -> [Diagnostic]
    /// Returns the messages of `status` about an account.
    func notes(on status: AccountStatus<Accounts.State>) async throws -> [Diagnostic]
    /// Says of the items whose ids begin so what they are here and in the accounts, which are asked. Changes nothing.
    func explain(_ prefix: String) async throws -> [ItemExplanation]
}

extension AccountPlugin {
    /// Returns nothing: the plugin cannot tell.
    package func explain(_ prefix: String) async throws -> [ItemExplanation] { [] }
}

/// What was found at an account that was added or changed.
package struct AccountSummary: Sendable {
    /// What was found, in a few words: `2 books`.
    package let text: String
    /// More, one line each.
    package let lines: [String]
    /// The command that comes next, after the plugin's name; nil for `sync ACCOUNT`.
    package let next: String?

    package init(_ text: String, lines: [String] = [], next: String? = nil) {
        self.text = text
        self.lines = lines
        self.next = next
    }
}

extension AccountPlugin {
    /// No more columns.
    package static var accountColumns: [Field<AccountStatus<Accounts.State>>] { [] }

    /// Returns the number of items, and a line for each.
    package static func summary(of items: [Accounts.Item], in account: Account) -> AccountSummary {
        AccountSummary(count(items), lines: items.map { "  " + line($0) })
    }

    /// Returns `1 book` or `2 books`.
    static func count(_ items: [Accounts.Item]) -> String {
        let words = Accounts.kind.texts.found
        return items.count == 1 ? "1 \(words.one)" : "\(items.count) \(words.many)"
    }

    /// Returns no messages.
    package func notes(on status: AccountStatus<Accounts.State>) async throws -> [Diagnostic] { [] }
}

extension AccountPlugin where Accounts.Details == SyncNotes {
    /// Returns the messages that the sync has left.
    package func notes(on report: SyncReport<SyncNotes>) async throws -> [Diagnostic] { report.notes }
}

extension ServiceDeclaration {
    /// The service that syncs the accounts of `plugin` in the background.
    package static func accounts<P: AccountPlugin>(of plugin: P.Type) -> ServiceDeclaration {
        ServiceDeclaration("sync", summary: "sync \(P.Accounts.kind.things) in the background") { (plugin: P) in
            plugin.accounts.service(log: plugin.log)
        }
    }
}

extension SyncProvider {
    /// The accounts of `plugin` in `hub sync`.
    package static func accounts<P: AccountPlugin>(of plugin: P.Type) -> SyncProvider {
        SyncProvider { (plugin: P, input) in
            try await AccountSyncCommand(plugin, input).results(of: try plugin.accounts.registry.accounts())
        } explain: { plugin, prefix in
            try await plugin.explain(prefix)
        }
    }
}

extension StatusProvider {
    /// The accounts of `plugin` in `hub status`.
    package static func accounts<P: AccountPlugin>(of plugin: P.Type) -> StatusProvider {
        StatusProvider { (plugin: P) in
            try await plugin.accounts.list().map { StatusLine($0.name, state: $0.word, detail: $0.detail) }
        }
    }
}

/// The accounts of a plugin in its descriptor: their settings, the service that syncs them, and their parts of `hub sync`,
/// `hub status` and `hub doctor`.
package struct AccountDeclaration: Sendable {
    let keys: [any ConfigDeclaration]
    let service: ServiceDeclaration
    let sync: SyncProvider
    let status: StatusProvider
    let check: DoctorCheck

    /// Declares the accounts of `plugin`.
    package init<P: AccountPlugin>(of plugin: P.Type) {
        keys = P.Accounts.kind.keys.all
        service = .accounts(of: plugin)
        sync = .accounts(of: plugin)
        status = .accounts(of: plugin)
        check = .accounts(of: plugin)
    }
}
