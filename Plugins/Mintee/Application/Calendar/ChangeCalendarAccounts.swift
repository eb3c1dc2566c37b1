package import HubKit
package import Links

/// Connects an account: tests it, keeps password and settings. When any step fails, nothing is kept.
package struct AddCalendarAccount: Sendable {
    let desk: CalendarDesk

    package init(_ desk: CalendarDesk) { self.desk = desk }

    /// Connects `account` and answers with the calendars that it has; the one for tasks is made by the first sync.
    ///
    /// Throws `conflict` when there is one of that name, or, unless `isForced`, one with the same calendar, and what is wrong
    /// with address, user, password or calendar.
    package func callAsFunction(
        _ account: Account, password: GivenPassword, isForced: Bool = false
    ) async throws -> [FoundCollection] {
        try desk.register.requireNetwork()
        try desk.register.requireFree(account.name)
        let secret = try await desk.register.secret(password)
        let found: [FoundCollection]
        let chosen: String?
        do throws(HubError) {
            let link = try desk.link(to: account, password: secret, isBrief: true)
            found = try await desk.calendars(link, of: account)
            chosen = try FindCalendar.choice(among: found, of: account).map { link.place($0.href) }
        } catch {
            throw error.whileAdding(CalendarDesk.words)
        }
        let check: () async throws -> Void = { if !isForced { try await requireApart(account, at: chosen) } }
        return try await desk.register.add(account, password: password, checking: check) { found }
    }

    /// Throws when another account keeps tasks in the same calendar: each day would stand there once and be synced twice.
    private func requireApart(_ account: Account, at chosen: String?) async throws {
        for other in try desk.register.accounts().map(\.account) where other.name != account.name {
            let known = try await desk.store.read { try $0.calendar(of: other.name) }
            let way = try desk.link(to: other, password: nil, isBrief: true)
            let isSamePlace = chosen != nil && known.map { way.place($0.href) } == chosen
            let isSameName =
                other.address.origin == account.address.origin && other.user == account.user
                && other.calendar == account.calendar
            guard isSamePlace || isSameName else { continue }
            throw HubError(
                .conflict, code: "same-collection",
                "\(account.name) has the same calendar as \(other.name); nothing was kept",
                details: [chosen ?? "\(account.calendar) at \(account.place)"],
                hint: "choose another one with --calendar NAME; --force connects both")
        }
    }
}

/// Changes an account after having tested what it would be.
package struct EditCalendarAccount: Sendable {
    let desk: CalendarDesk

    package init(_ desk: CalendarDesk) { self.desk = desk }

    /// Puts `account`, and `password` where it is given, in the place of what was there; returns the calendars, and the
    /// old password when it could not be removed.
    package func callAsFunction(
        _ account: Account, password: GivenPassword?
    ) async throws -> (calendars: [FoundCollection], remaining: RemainingPassword?) {
        try desk.register.requireNetwork()
        let (setup, secret) = try await desk.register.changed(account, password: password)
        let found = try await desk.calendars(
            try desk.link(to: account, password: secret, isBrief: true), of: account)
        let chosen = try FindCalendar.choice(among: found, of: account)
        let remaining = try await desk.register.replace(setup, password: password)
        // What stays the same place stays known; of another place nothing is.
        try await desk.keep { transaction in
            guard let known = try transaction.calendar(of: account.name), known.href != chosen?.href else { return }
            try transaction.forgetCalendar(of: account.name)
        }
        desk.register.announce()
        return (found, remaining)
    }
}

/// Disconnects an account. Nothing changes on the other side.
package struct RemoveCalendarAccount: Sendable {
    let desk: CalendarDesk

    package init(_ desk: CalendarDesk) { self.desk = desk }

    /// Removes the account from the config file, its password from the keyring, and what was known of its sync.
    /// - Returns: the password, when it could not be removed.
    package func callAsFunction(_ name: String) async throws -> RemainingPassword? {
        let setup = try desk.register.account(name)
        let lease = try await desk.register.leases.acquire(CalendarDesk.words.lease(name))
        defer { withExtendedLifetime(lease) {} }
        let remaining = try await desk.register.remove(setup)
        try await desk.keep { try $0.forgetAccount(name) }
        desk.register.announce()
        return remaining
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
