package import CivilDate
import Commands
package import HubKit
package import MinteeDomain
package import Storage
package import Sync

/// The calendars for tasks on CalDAV servers: accounts, store, connections, and the days to show.
package struct Calendars: AccountBackend {
    let store: Store
    let day: DayBoundary
    /// The configured calendar accounts.
    package let registry: AccountRegistry
    let links: any CalendarClients
    private let back: Int
    private let ahead: Int
    private let filledBack: Int
    /// The first day of a week.
    private let weekStart: @Sendable () -> Weekday
    /// Called when days were compared and nothing of it is kept yet, outside of any transaction; for tests.
    let onCompared: @Sendable () async -> Void

    package init(
        _ store: Store, day: DayBoundary, registry: AccountRegistry, links: any CalendarClients, back: Int = 30,
        ahead: Int = 14, filledBack: Int = 90, weekStart: @escaping @Sendable () -> Weekday = { .monday },
        onCompared: @escaping @Sendable () async -> Void = {}
    ) {
        self.store = store
        self.day = day
        self.registry = registry
        self.links = links
        self.back = back
        self.ahead = ahead
        self.filledBack = filledBack
        self.weekStart = weekStart
        self.onCompared = onCompared
    }

    /// The days that are shown now.
    package var window: SyncWindow {
        SyncWindow(today: day.today, back: back, ahead: ahead, filledBack: filledBack, weekStart: weekStart())
    }

    var clock: any Clock { registry.clock }

    /// Writes data that has no history.
    func keep(_ body: @escaping @Sendable (Transaction) throws -> Void) async throws {
        try await store.write(Self.kind.operation, body)
    }

    /// Returns a connection; nothing is sent yet.
    package func connect(
        to account: Account, password: String?, isBrief: Bool
    ) throws -> any CalendarAccountClient {
        try links.link(to: account, password: password, isBrief: isBrief)
    }

    /// Returns all calendars of an account.
    package func discover(
        _ account: Account, over connection: any CalendarAccountClient
    ) async throws -> [DiscoveredCollection] {
        try await connection.calendars()
    }

    /// Throws if the chosen calendar does not accept tasks. Throws if another account uses the same calendar: each day
    /// would be stored once and synced twice.
    package func check(
        _ items: [DiscoveredCollection], of account: Account, over connection: any CalendarAccountClient,
        replacing old: Account?, isForced: Bool
    ) async throws {
        let chosen = try Self.choice(among: items, of: account).map { connection.place($0.href) }
        let isMoved = old?.address != account.address || old?.calendar != account.calendar
        guard !isForced, isMoved else { return }
        for other in try registry.accounts().map(\.account) where other.name != account.name {
            let known = try await store.read { try $0.calendar(of: other.name) }
            let way = try links.link(to: other, password: nil, isBrief: true)
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

    /// Forgets the calendar of a changed account, unless it is still at the same place. A new one is stored by the first
    /// sync.
    package func save(
        _ items: [DiscoveredCollection], of account: Account, replacing old: Account?
    ) async throws -> [DiscoveredCollection] {
        guard old != nil else { return items }
        let chosen = try Self.choice(among: items, of: account)
        try await keep { transaction in
            guard let known = try transaction.calendar(of: account.name), known.href != chosen?.href else { return }
            try transaction.forgetCalendar(of: account.name)
        }
        return items
    }

    /// Whether days were changed since they were sent.
    package func hasPendingChanges(for account: Account, in transaction: Transaction) throws -> Bool {
        try transaction.hasTodoWork(window, account: account.name)
    }

    /// The days of an account.
    package struct State: AccountDetails {
        /// The number of days shown in the calendar.
        package let todos: Int

        /// `1 day` or `45 days`.
        package var amount: String? { NumberFormat.counted(todos, "day") }
        /// Nothing is deleted on either side.
        package var kept: String? { "tasks are kept here, and the calendar on the server" }
    }

    /// Returns the number of days shown in the calendar.
    package func state(of account: Account, in transaction: Transaction) throws -> State {
        State(todos: try transaction.todoLinks(of: account.name).count)
    }

    /// Forgets the calendar and its days.
    package func forget(_ account: String, in transaction: Transaction) throws {
        try transaction.forgetCalendar(of: account)
    }
}

extension Account {
    /// The name of the calendar for tasks.
    package var calendar: String { collections.first ?? Calendars.calendar.defaultValue }
}

extension DiscoveredCollection {
    /// Whether the calendar accepts to-dos, as far as the server reports it.
    package var takesTodos: Bool { supported.isEmpty || supported.contains("VTODO") }
}

extension Calendars {
    static let calendar = ConfigKey(
        "accounts.*.calendar", .text, default: "Mintee", help: "calendar for tasks; created if missing")

    /// The accounts of Mintee: CalDAV servers.
    package static let kind = AccountKind(
        plugin: "mintee", things: "calendars",
        addresses: AccountAddresses(
            "URL|E-MAIL", help: "URL of a CalDAV server, or an e-mail address",
            description: "a URL or an e-mail address", examples: "https://dav.example.org or ada@example.org",
            server: "caldav"),
        collections: .one(calendar, Option("calendar", "NAME", help: "calendar for tasks (default: Mintee)")),
        unit: "days", withoutPassword: "use another CalDAV server, such as your own",
        texts: AccountTexts(
            accounts: "CalDAV servers to sync with", prominence: .more,
            add: (
                "connect a CalDAV server",
                "The first sync creates a separate calendar for tasks, which any reminders app shows next to its own lists.",
                [
                    Example("hub mintee accounts add posteo https://posteo.de:8443 --user ada", "a server"),
                    Example(
                        "hub mintee accounts add work ada@example.org --password-command \"pass work\"",
                        "server found by e-mail address"),
                ]
            ),
            edit: Example("hub mintee accounts edit posteo --calendar Habits", "another calendar"),
            remove: "Tasks are kept, and nothing is deleted on the server.", found: ("calendar", "calendars"),
            sync: (
                "sync tasks with your calendars",
                "Each due day becomes a separate to-do in the calendar. Ticks and notes made there are synced back; if both "
                    + "sides changed a day, the later change wins. A to-do that is deleted there is created again."
            ),
            firstSteps: [Example("hub mintee accounts add NAME URL", "show tasks in a phone's reminders app")]))
}
