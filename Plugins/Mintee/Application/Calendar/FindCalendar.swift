import HubKit
import Sync

/// Finds or creates the calendar for tasks of an account.
struct FindCalendar: Sendable {
    let manager: CalendarAccountManager

    /// The calendar found.
    struct Finding: Sendable {
        let calendar: KnownCalendar
        /// Whether it was just created.
        let isNew: Bool
    }

    /// Returns the calendar among those found; nil if it is missing. Throws if it does not accept tasks.
    static func choice(
        among found: [DiscoveredCollection], of account: Account
    ) throws(HubError) -> DiscoveredCollection? {
        let named = found.filter { $0.name == account.calendar }
        if let fit = named.first(where: { $0.takesTodos && !$0.isReadOnly }) { return fit }
        guard let unfit = named.first else { return nil }
        throw HubError(
            .notFound, code: "calendar-unfit", "the calendar \(account.calendar) does not accept tasks",
            details: [
                unfit.isReadOnly
                    ? "it is read-only" : "it is for \(unfit.supported.sorted().joined(separator: ", "))"
            ],
            hint: "choose another one with --calendar NAME; it is created if missing")
    }

    /// Returns the known calendar, or finds or creates it and stores it.
    func callAsFunction(_ setup: ConfiguredAccount, over link: any CalendarAccountClient) async throws -> Finding {
        if let known = try await manager.store.read({ try $0.calendar(of: setup.name) }),
            known.name == setup.account.calendar
        {
            return Finding(calendar: known, isNew: false)
        }
        let found = try await manager.calendars(link, of: setup.account)
        let chosen = try Self.choice(among: found, of: setup.account)
        let place: DiscoveredCollection
        if let chosen { place = chosen } else { place = try await make(setup.account, link) }
        let calendar = KnownCalendar(account: setup.name, href: place.href, name: setup.account.calendar)
        try await manager.keep { try $0.saveCalendar(calendar) }
        return Finding(calendar: calendar, isNew: chosen == nil)
    }

    private func make(_ account: Account, _ link: any CalendarAccountClient) async throws -> DiscoveredCollection {
        do throws(RemoteError) {
            return try await link.createCalendar(account.calendar)
        } catch {
            throw error.hubError(account.name)
        }
    }
}
