package import ContactsDomain
package import HubKit
package import Sync

/// Lists the accounts with their sync state.
package struct GetAccounts: Sendable {
    /// An account with its state.
    package struct Item: Sendable {
        /// The account as configured.
        package let setup: ConfiguredAccount
        /// The books of the account.
        package let books: [Book]
        /// The number of live contacts in its books.
        package let contacts: Int
        /// Whether local changes are pending.
        package let isWaiting: Bool
        /// The last sync; nil before the first.
        package let run: SyncLogEntry?
        /// The items that are not synced, oldest first.
        package let problems: [StoredProblem]
        /// The number of open conflicts.
        package let conflicts: Int
        /// The process that is syncing it now.
        package let holder: FileLock.Holder?
    }

    let manager: AccountManager

    package init(_ manager: AccountManager) { self.manager = manager }

    /// Returns all accounts, in the order of the config file.
    package func callAsFunction() async throws -> [Item] {
        let setups = try manager.accounts()
        guard !setups.isEmpty else { return [] }
        let locks = manager.register.locks
        return try await manager.contacts.read { transaction in
            let conflicts = try transaction.conflicts()
            return try setups.map { setup in
                let books = try transaction.books(of: setup.name)
                return Item(
                    setup: setup, books: books,
                    contacts: try books.reduce(0) { try $0 + transaction.contactCount(inBook: $1.id) },
                    // Changes can never be sent to a read-only book.
                    isWaiting: try books.contains { book in
                        try !book.remote.isReadOnly && transaction.hasSyncWork(in: book)
                    },
                    run: try transaction.accountRun(setup.name),
                    problems: try books.flatMap { try transaction.syncProblems(of: $0.id) },
                    conflicts: conflicts.count { conflict in books.contains { $0.id == conflict.book } },
                    holder: try locks.holder(of: AccountManager.words.lock(setup.name)))
            }
        }
    }
}
