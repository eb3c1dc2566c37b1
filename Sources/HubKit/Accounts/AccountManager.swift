package import Storage
package import Sync

/// The accounts of a plugin: the use cases that all kinds of account share.
package struct AccountManager<Backend: AccountBackend>: Sendable {
    /// The plugin's part.
    package let backend: Backend
    /// The settings, secrets and locks of the accounts.
    package let registry: AccountRegistry
    /// The plugin's tables, with the log of syncs.
    let store: Store
    /// Returns a random number in 0..<1, for the time of the next sync.
    let jitter: @Sendable () -> Double

    /// Creates the use cases; tests pass their own `jitter`.
    package init(
        _ backend: Backend, registry: AccountRegistry, store: Store,
        jitter: @escaping @Sendable () -> Double = { Double.random(in: 0..<1) }
    ) {
        self.backend = backend
        self.registry = registry
        self.store = store
        self.jitter = jitter
    }

    var kind: AccountKind { Backend.kind }

    /// Returns the accounts with their state; all for no names. Throws `not-found`.
    package func list(_ names: [String] = []) async throws -> [AccountStatus<Backend.State>] {
        let setups = try registry.accounts(names)
        guard !setups.isEmpty else { return [] }
        return try await store.read { transaction in
            try setups.map { setup in
                let run = try transaction.lastSync(of: setup.name)
                return AccountStatus(
                    setup: setup, run: run, holder: try registry.holder(of: setup.account),
                    isPending: try backend.hasPendingChanges(for: setup.account, in: transaction),
                    state: try backend.state(of: setup.account, in: transaction),
                    nextAt: kind.interval == nil ? nil : run.map { Instant(milliseconds: $0.nextAt) },
                    now: registry.clock.now)
            }
        }
    }

    /// Tests the account `name` and returns what it offers, with the response time. Changes nothing.
    package func test(_ name: String) async throws -> (items: [Backend.Item], duration: Duration) {
        let setup = try registry.account(name)
        try registry.requireNetwork(for: setup.account)
        let start = registry.clock.monotonicNow
        let secret = try await registry.password(of: setup)
        let found = try await explore(setup.account, password: secret) { _, items in items }
        return (found, registry.clock.monotonicNow - start)
    }

    /// Adds an account: tests it, and stores what was found, its secret and its settings. If a step fails, nothing is
    /// stored. Returns what was found.
    ///
    /// Throws `conflict` if the name is taken, or if another account has the same data, unless `isForced`; and the
    /// error of the test.
    @discardableResult
    package func add(
        _ account: Account, password: PasswordInput, isForced: Bool = false
    ) async throws -> [Backend.Item] {
        try registry.requireNetwork(for: account)
        try registry.requireFree(account.name)
        let secret = try await registry.secret(password)
        do {
            return try await explore(account, password: secret) { connection, items in
                try await registry.add(account, password: password) {
                    try await backend.check(
                        items, of: account, over: connection, replacing: nil, isForced: isForced)
                } finding: {
                    try await backend.save(items, of: account, replacing: nil)
                }
            }
        } catch let error as HubError {
            throw error.whileAdding(kind)
        }
    }

    /// Lets the user allow access to an account by OAuth, and returns the secret to store. Before, it makes sure that the name is
    /// free for an account that `isNew`, and that the keyring can keep the secret: no one signs in for nothing.
    package func signIn(
        to account: Account, client file: [UInt8], isNew: Bool, show: @escaping @Sendable ([String]) async -> Void
    ) async throws -> PasswordInput {
        try registry.requireNetwork(for: account)
        if isNew { try registry.requireFree(account.name) }
        try await registry.requireKeyring(for: account)
        return .granted(
            try await attempting(account) { try await backend.signIn(to: account, client: file, show: show) })
    }

    /// Changes an account after testing its new settings, and its secret if `password` is given. Returns what was found
    /// and a password that could not be removed.
    package func edit(
        _ account: Account, password: PasswordInput?, isForced: Bool = false
    ) async throws -> (items: [Backend.Item], remaining: RemainingPassword?) {
        try registry.requireNetwork(for: account)
        let old = try registry.account(account.name).account
        let (setup, secret) = try await registry.changed(account, password: password)
        return try await explore(account, password: secret) { connection, items in
            try await backend.check(items, of: account, over: connection, replacing: old, isForced: isForced)
            let remaining = try await registry.replace(setup, password: password)
            let used = try await backend.save(items, of: account, replacing: old)
            registry.announce()
            return (used, remaining)
        }
    }

    /// Removes an account from the config file, its secret from the keyring, and its sync state. The user's data is kept
    /// here and there. Returns a password that could not be removed.
    @discardableResult
    package func remove(_ name: String) async throws -> RemainingPassword? {
        let setup = try registry.account(name)
        let lock = try await registry.lock(setup.account)
        defer { withExtendedLifetime(lock) {} }
        let remaining = try await registry.remove(setup)
        try await store.write(kind.operation) { transaction in
            try backend.forget(name, in: transaction)
            try transaction.forgetSync(of: name)
        }
        registry.announce()
        return remaining
    }

    /// Connects to an account, with its stored secret.
    package func connect(to setup: ConfiguredAccount, isBrief: Bool = false) async throws -> Backend.Connection {
        let secret = try await registry.password(of: setup)
        return try await attempting(setup.account) {
            try await backend.connect(to: setup.account, password: secret, isBrief: isBrief)
        }
    }

    /// Finds what an account offers, and continues with it.
    private func explore<Result>(
        _ account: Account, password: String?, _ body: (Backend.Connection, [Backend.Item]) async throws -> Result
    ) async throws -> Result {
        try await attempting(account) {
            let connection = try await backend.connect(to: account, password: password, isBrief: true)
            return try await body(connection, try await backend.discover(account, over: connection))
        }
    }

    /// Runs `body` and converts the errors of the exchange with `account`.
    package func attempting<Result>(_ account: Account, _ body: () async throws -> Result) async throws -> Result {
        do {
            return try await body()
        } catch let error as RemoteError {
            throw registry.fitting(HubError(error, account: account.name, kind), account: account.name)
        }
    }
}

extension AccountManager {
    /// Creates the use cases for a plugin.
    package init(_ context: Context, _ backend: Backend) {
        self.init(backend, registry: AccountRegistry(Backend.kind, context: context), store: context.store)
    }
}
