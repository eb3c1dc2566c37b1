import HubKit
import Links

/// Finds the calendar that an account keeps tasks in, or makes it.
struct FindCalendar: Sendable {
    let desk: CalendarDesk

    /// The calendar found.
    struct Finding: Sendable {
        let calendar: KnownCalendar
        /// Whether it was made just now.
        let isNew: Bool
    }

    /// The calendar among those that were found; nil when it is missing. Throws when it takes no tasks.
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

    /// The calendar as it is known, or as it is found or made now and then kept.
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
