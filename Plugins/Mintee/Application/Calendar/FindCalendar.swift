import HubKit
import Links

/// Finds or creates the calendar for tasks of an account.
struct FindCalendar: Sendable {
    let desk: CalendarDesk

    /// The calendar found.
    struct Finding: Sendable {
        let calendar: KnownCalendar
        /// Whether it was just created.
        let isNew: Bool
    }

    /// Returns the calendar among those found; nil if it is missing. Throws if it does not accept tasks.
    static func choice(
        among found: [FoundCollection], of account: Account
    ) throws(HubError) -> FoundCollection? {
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
    func callAsFunction(_ setup: AccountSetup, over link: any CalendarAccountLink) async throws -> Finding {
        if let known = try await desk.store.read({ try $0.calendar(of: setup.name) }),
            known.name == setup.account.calendar
        {
            return Finding(calendar: known, isNew: false)
        }
        let found = try await desk.calendars(link, of: setup.account)
        let chosen = try Self.choice(among: found, of: setup.account)
        let place: FoundCollection
        if let chosen { place = chosen } else { place = try await make(setup.account, link) }
        let calendar = KnownCalendar(account: setup.name, href: place.href, name: setup.account.calendar)
        try await desk.keep { try $0.saveCalendar(calendar) }
        return Finding(calendar: calendar, isNew: chosen == nil)
    }

    private func make(_ account: Account, _ link: any CalendarAccountLink) async throws -> FoundCollection {
        do throws(LinkError) {
            return try await link.createCalendar(account.calendar)
        } catch {
            throw error.hubError(account.name)
        }
    }
}
