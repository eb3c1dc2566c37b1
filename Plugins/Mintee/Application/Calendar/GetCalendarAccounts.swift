package import HubKit
package import Links

/// Returns the accounts with their sync state.
package struct GetCalendarAccounts: Sendable {
    /// An account with its sync state.
    package struct Item: Sendable {
        /// The account as configured.
        package let setup: AccountSetup
        /// The number of days shown in the calendar.
        package let todos: Int
        /// Whether changes have not been sent yet.
        package let isWaiting: Bool
        /// The last sync; nil before the first.
        package let run: AccountRun?
        /// The process that is syncing the account.
        package let holder: Lease.Holder?
    }

    let desk: CalendarDesk

    package init(_ desk: CalendarDesk) { self.desk = desk }

    /// All accounts, in the order of the config file.
    package func callAsFunction() async throws -> [Item] {
        let setups = try desk.register.accounts()
        guard !setups.isEmpty else { return [] }
        let (leases, window) = (desk.register.leases, desk.window)
        return try await desk.store.read { transaction in
            try setups.map { setup in
                Item(
                    setup: setup, todos: try transaction.todoLinks(of: setup.name).count,
                    isWaiting: try transaction.hasTodoWork(window, account: setup.name),
                    run: try transaction.calendarRun(setup.name),
                    holder: try leases.holder(of: CalendarDesk.words.lease(setup.name)))
            }
        }
    }
}
