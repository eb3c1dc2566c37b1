package import ContactsDomain
package import HubKit
package import Links

/// The accounts and how they stand.
package struct GetAccounts: Sendable {
    /// An account with what is known of it.
    package struct Item: Sendable {
        package let setup: AccountSetup
        package let books: [Book]
        /// How many live contacts its books have.
        package let contacts: Int
        /// Whether something waits to be sent.
        package let isWaiting: Bool
        /// The last sync; nil before the first.
        package let run: AccountRun?
        /// What is not synced, the oldest first.
        package let problems: [StoredProblem]
        /// How many conflicts wait to be resolved.
        package let conflicts: Int
        /// Who talks to it now.
        package let holder: Lease.Holder?
    }

    let desk: AccountDesk

    package init(_ desk: AccountDesk) { self.desk = desk }

    /// All accounts, in the order of the config file.
    package func callAsFunction() async throws -> [Item] {
        let setups = try desk.accounts()
        guard !setups.isEmpty else { return [] }
        let leases = desk.register.leases
        return try await desk.contacts.read { transaction in
            let conflicts = try transaction.conflicts()
            return try setups.map { setup in
                let books = try transaction.books(of: setup.name)
                return Item(
                    setup: setup, books: books,
                    contacts: try books.reduce(0) { try $0 + transaction.contactCount(inBook: $1.id) },
                    // A read-only book takes nothing, however often it is tried.
                    isWaiting: try books.contains { book in
                        try !book.remote.isReadOnly && transaction.hasSyncWork(in: book)
                    },
                    run: try transaction.accountRun(setup.name),
                    problems: try books.flatMap { try transaction.syncProblems(of: $0.id) },
                    conflicts: conflicts.count { conflict in books.contains { $0.id == conflict.book } },
                    holder: try leases.holder(of: AccountDesk.words.lease(setup.name)))
            }
        }
    }
}
