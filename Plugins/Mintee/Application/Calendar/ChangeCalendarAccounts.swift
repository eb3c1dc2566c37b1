package import HubKit
package import Links

/// Connects an account: tests it, keeps password and settings. When any step fails, nothing is kept.
package struct AddCalendarAccount: Sendable {
    let desk: CalendarDesk

    package init(_ desk: CalendarDesk) { self.desk = desk }

    /// Connects `account` and answers with the calendars that it has; the one for tasks is made by the first sync.
    ///
    /// Throws `conflict` when there is one of that name, and what is wrong with address, user, password or calendar.
    package func callAsFunction(_ account: Account, password: GivenPassword) async throws -> [FoundCollection] {
        try desk.register.requireNetwork()
        try desk.register.requireFree(account.name)
        let secret = try await desk.register.secret(password)
        let found: [FoundCollection]
        do throws(HubError) {
            found = try await desk.calendars(try desk.link(to: account, password: secret, isBrief: true), of: account)
            _ = try FindCalendar.choice(among: found, of: account)
        } catch {
            throw error.whileAdding(CalendarDesk.words)
        }
        return try await desk.register.add(account, password: password) { found }
    }
}

/// Changes an account after having tested what it would be.
package struct EditCalendarAccount: Sendable {
    let desk: CalendarDesk

    package init(_ desk: CalendarDesk) { self.desk = desk }

    /// Puts `account`, and `password` where it is given, in the place of what was there; answers with the calendars.
    package func callAsFunction(_ account: Account, password: GivenPassword?) async throws -> [FoundCollection] {
        try desk.register.requireNetwork()
        let (setup, secret) = try await desk.register.changed(account, password: password)
        let found = try await desk.calendars(
            try desk.link(to: account, password: secret, isBrief: true), of: account)
        let chosen = try FindCalendar.choice(among: found, of: account)
        try await desk.register.replace(setup, password: password)
        // What stays the same place stays known; of another place nothing is.
        try await desk.keep { transaction in
            guard let known = try transaction.calendar(of: account.name), known.href != chosen?.href else { return }
            try transaction.forgetCalendar(of: account.name)
        }
        desk.register.announce()
        return found
    }
}

/// Disconnects an account. Nothing changes on the other side.
package struct RemoveCalendarAccount: Sendable {
    let desk: CalendarDesk

    package init(_ desk: CalendarDesk) { self.desk = desk }

    /// Removes the account from the config file, its password from the keyring, and what was known of its sync.
    package func callAsFunction(_ name: String) async throws {
        let setup = try desk.register.account(name)
        let lease = try await desk.register.leases.acquire(CalendarDesk.words.lease(name))
        defer { withExtendedLifetime(lease) {} }
        try await desk.register.remove(setup)
        try await desk.keep { try $0.forgetAccount(name) }
        desk.register.announce()
    }
}

/// Talks to an account and looks what calendars it has, as a test; it changes nothing there.
package struct TestCalendarAccount: Sendable {
    let desk: CalendarDesk

    package init(_ desk: CalendarDesk) { self.desk = desk }

    /// The calendars of the account `name`, and how long the answer took; throws why it cannot be talked to.
    package func callAsFunction(
        _ name: String
    ) async throws -> (calendars: [FoundCollection], duration: Duration) {
        let setup = try desk.register.account(name)
        try desk.register.requireNetwork()
        let start = desk.clock.monotonicNow
        let found = try await desk.calendars(try await desk.link(to: setup, isBrief: true), of: setup.account)
        return (found, desk.clock.monotonicNow - start)
    }
}
