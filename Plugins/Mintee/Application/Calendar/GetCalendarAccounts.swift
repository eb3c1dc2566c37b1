package import HubKit
package import Sync

/// Returns the accounts with their sync state.
package struct GetCalendarAccounts: Sendable {
    /// An account with its sync state.
    package struct Item: Sendable {
        /// The account as configured.
        package let setup: ConfiguredAccount
        /// The number of days shown in the calendar.
        package let todos: Int
        /// Whether changes have not been sent yet.
        package let isWaiting: Bool
        /// The last sync; nil before the first.
        package let run: SyncLogEntry?
        /// The process that is syncing the account.
        package let holder: FileLock.Holder?
    }

    let manager: CalendarAccountManager

    package init(_ manager: CalendarAccountManager) { self.manager = manager }

    /// All accounts, in the order of the config file.
    package func callAsFunction() async throws -> [Item] {
        let setups = try manager.register.accounts()
        guard !setups.isEmpty else { return [] }
        let (locks, window) = (manager.register.locks, manager.window)
        return try await manager.store.read { transaction in
            try setups.map { setup in
                Item(
                    setup: setup, todos: try transaction.todoLinks(of: setup.name).count,
                    isWaiting: try transaction.hasTodoWork(window, account: setup.name),
                    run: try transaction.calendarRun(setup.name),
                    holder: try locks.holder(of: CalendarAccountManager.words.lock(setup.name)))
            }
        }
    }
}
