package import Storage
package import Sync

/// A plugin's part of its accounts: it connects to one, finds what is there, and syncs it once. ``AccountManager`` does
/// the rest: settings, secrets, locks, schedule, log and errors.
///
/// Its calls may throw ``RemoteError``, which becomes an error with a hint for the account.
package protocol AccountBackend: Sendable {
    /// A connection to an account.
    associatedtype Connection: Sendable
    /// One thing that an account offers, such as an address book.
    associatedtype Item: Sendable
    /// The data of an account here, for lists.
    associatedtype State: AccountDetails = NoAccountDetails
    /// The results of a sync beyond its counts.
    associatedtype Details: SyncDetails = SyncNotes

    /// The kind of the accounts.
    static var kind: AccountKind { get }

    /// Returns a connection; it may be made on first use. `isBrief` selects short timeouts, of seconds, for a user who
    /// waits.
    func connect(to account: Account, password: String?, isBrief: Bool) async throws -> Connection

    /// Lets the user allow access to an account by OAuth, with a client that is described by `file`, and returns the secret to
    /// store. `show` shows lines to the user at once.
    func signIn(
        to account: Account, client file: [UInt8], show: @escaping @Sendable ([String]) async -> Void
    ) async throws -> String

    /// Returns what to tell of a server that takes everyone without a secret; nil for one that needs one, or may need one. Called
    /// before the user is asked for a secret.
    func openness(of account: Account) async -> String?

    /// Returns what the account offers, which also tests the connection. Changes nothing.
    func discover(_ account: Account, over connection: Connection) async throws -> [Item]

    /// Throws if the account cannot be used with what was found. `old` is the account that it replaces; nil for a new
    /// one. With `isForced` the same data may be in another account too.
    func check(
        _ items: [Item], of account: Account, over connection: Connection, replacing old: Account?, isForced: Bool
    ) async throws

    /// Stores what was found at an account that was just added, or changed, and returns the part that is used.
    func save(_ items: [Item], of account: Account, replacing old: Account?) async throws -> [Item]

    /// Syncs the account once and adds to the report; what was added before an error is kept.
    func sync(
        _ account: Account, over connection: Connection, _ request: SyncRequest, into report: inout SyncReport<Details>
    ) async throws

    /// Whether local changes are pending.
    func hasPendingChanges(for account: Account, in transaction: Transaction) throws -> Bool

    /// Returns the data of the account here.
    func state(of account: Account, in transaction: Transaction) throws -> State

    /// Deletes all that is stored of a removed account; the user's data is kept.
    func forget(_ account: String, in transaction: Transaction) throws
}

extension AccountBackend {
    /// Throws: accounts of this kind have no OAuth.
    package func signIn(
        to account: Account, client file: [UInt8], show: @escaping @Sendable ([String]) async -> Void
    ) async throws -> String {
        throw HubError(.usage, code: "no-oauth", "\(Self.kind.noun.many) of \(Self.kind.plugin) have no OAuth")
    }

    /// Returns nil: accounts of this kind have a secret.
    package func openness(of account: Account) async -> String? { nil }

    /// Accepts whatever was found.
    package func check(
        _ items: [Item], of account: Account, over connection: Connection, replacing old: Account?, isForced: Bool
    ) async throws {}

    /// Stores nothing.
    package func save(_ items: [Item], of account: Account, replacing old: Account?) async throws -> [Item] { items }

    /// Tests the connection, for accounts that have nothing to sync.
    package func sync(
        _ account: Account, over connection: Connection, _ request: SyncRequest, into report: inout SyncReport<Details>
    ) async throws {
        _ = try await discover(account, over: connection)
    }

    /// Returns false: nothing is sent.
    package func hasPendingChanges(for account: Account, in transaction: Transaction) throws -> Bool { false }

    /// Deletes nothing.
    package func forget(_ account: String, in transaction: Transaction) throws {}
}

extension AccountBackend where State == NoAccountDetails {
    /// Returns an empty state.
    package func state(of account: Account, in transaction: Transaction) throws -> State { NoAccountDetails() }
}

/// The data of an account here, as lists show it.
package protocol AccountDetails: Sendable {
    /// The amount of data, such as `4 contacts`; nil if it is not counted.
    var amount: String? { get }
    /// The part of a sentence about what `accounts rm` leaves, such as `4 contacts are kept here`.
    var kept: String? { get }
    /// The number of conflicts that are left to the user.
    var conflicts: Int { get }
    /// More about the account; `isFailing` if the last sync failed.
    func remarks(isFailing: Bool) -> [String]
}

extension AccountDetails {
    /// No amount.
    package var amount: String? { nil }
    /// Nothing to say.
    package var kept: String? { nil }
    /// No conflicts.
    package var conflicts: Int { 0 }
    /// No remarks.
    package func remarks(isFailing: Bool) -> [String] { [] }
}

/// The state of accounts without data here.
package struct NoAccountDetails: AccountDetails {}
