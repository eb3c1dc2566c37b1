package import HubKit
package import Sync

/// Adds an account: tests it, and saves its password and settings. If any step fails, nothing is saved.
package struct AddCalendarAccount: Sendable {
    let manager: CalendarAccountManager

    package init(_ manager: CalendarAccountManager) { self.manager = manager }

    /// Adds `account` and returns its calendars; the calendar for tasks is created by the first sync.
    ///
    /// Throws `conflict` if the name is taken or, unless `isForced`, if another account has the same calendar; also
    /// throws if the address, user, password or calendar is wrong.
    package func callAsFunction(
        _ account: Account, password: PasswordInput, isForced: Bool = false
    ) async throws -> [DiscoveredCollection] {
        try manager.register.requireNetwork()
        try manager.register.requireFree(account.name)
        let secret = try await manager.register.secret(password)
        let found: [DiscoveredCollection]
        let chosen: String?
        do throws(HubError) {
            let link = try manager.link(to: account, password: secret, isBrief: true)
            found = try await manager.calendars(link, of: account)
            chosen = try FindCalendar.choice(among: found, of: account).map { link.place($0.href) }
        } catch {
            throw error.whileAdding(CalendarAccountManager.words)
        }
        let check: () async throws -> Void = { if !isForced { try await requireApart(account, at: chosen) } }
        return try await manager.register.add(account, password: password, checking: check) { found }
    }

    /// Throws if another account uses the same calendar: each day would be stored once and synced twice.
    private func requireApart(_ account: Account, at chosen: String?) async throws {
        for other in try manager.register.accounts().map(\.account) where other.name != account.name {
            let known = try await manager.store.read { try $0.calendar(of: other.name) }
            let way = try manager.link(to: other, password: nil, isBrief: true)
            let isSamePlace = chosen != nil && known.map { way.place($0.href) } == chosen
            let isSameName =
                other.address.origin == account.address.origin && other.user == account.user
                && other.calendar == account.calendar
            guard isSamePlace || isSameName else { continue }
            throw HubError(
                .conflict, code: "same-collection",
                "\(account.name) has the same calendar as \(other.name); nothing was saved",
                details: [chosen ?? "\(account.calendar) at \(account.place)"],
                hint: "choose another one with --calendar NAME, or connect both with --force")
        }
    }
}

/// Changes an account after testing the new settings.
package struct EditCalendarAccount: Sendable {
    let manager: CalendarAccountManager

    package init(_ manager: CalendarAccountManager) { self.manager = manager }

    /// Replaces the settings with `account`, and the password if `password` is given; returns the calendars.
    package func callAsFunction(
        _ account: Account, password: PasswordInput?
    ) async throws -> (calendars: [DiscoveredCollection], remaining: RemainingPassword?) {
        try manager.register.requireNetwork()
        let (setup, secret) = try await manager.register.changed(account, password: password)
        let found = try await manager.calendars(
            try manager.link(to: account, password: secret, isBrief: true), of: account)
        let chosen = try FindCalendar.choice(among: found, of: account)
        let remaining = try await manager.register.replace(setup, password: password)
        // What stays the same place stays known; of another place nothing is.
        try await manager.keep { transaction in
            guard let known = try transaction.calendar(of: account.name), known.href != chosen?.href else { return }
            try transaction.forgetCalendar(of: account.name)
        }
        manager.register.announce()
        return (found, remaining)
    }
}

/// Removes an account. Nothing changes on the server.
package struct RemoveCalendarAccount: Sendable {
    let manager: CalendarAccountManager

    package init(_ manager: CalendarAccountManager) { self.manager = manager }

    /// Removes the account from the config file, its password from the keyring, and its sync state.
    package func callAsFunction(_ name: String) async throws -> RemainingPassword? {
        let setup = try manager.register.account(name)
        let lock = try await manager.register.locks.acquire(CalendarAccountManager.words.lock(name))
        defer { withExtendedLifetime(lock) {} }
        let remaining = try await manager.register.remove(setup)
        try await manager.keep { try $0.forgetAccount(name) }
        manager.register.announce()
        return remaining
    }
}

/// Tests an account by listing its calendars; changes nothing on the server.
package struct TestCalendarAccount: Sendable {
    let manager: CalendarAccountManager

    package init(_ manager: CalendarAccountManager) { self.manager = manager }

    /// Returns the calendars of the account `name`, and the response time; throws if the connection fails.
    package func callAsFunction(
        _ name: String
    ) async throws -> (calendars: [DiscoveredCollection], duration: Duration) {
        let setup = try manager.register.account(name)
        try manager.register.requireNetwork()
        let start = manager.clock.monotonicNow
        let found = try await manager.calendars(try await manager.link(to: setup, isBrief: true), of: setup.account)
        return (found, manager.clock.monotonicNow - start)
    }
}
