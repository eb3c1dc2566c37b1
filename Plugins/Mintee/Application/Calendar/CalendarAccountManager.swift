package import HubKit
package import MinteeDomain
package import Sync

/// The dependencies of all calendar use cases: accounts, store, connections, and the days to show.
package struct CalendarAccountManager: Sendable {
    let store: Store
    let day: DayBoundary
    /// The configured calendar accounts, with their locks and sync schedule.
    package let register: AccountRegistry
    let links: any CalendarClients
    private let back: Int
    private let ahead: Int
    private let filledBack: Int
    /// Called when days were compared and nothing of it is kept yet, outside of any transaction; for tests.
    let onCompared: @Sendable () async -> Void

    package init(
        _ store: Store, day: DayBoundary, register: AccountRegistry, links: any CalendarClients, back: Int = 30,
        ahead: Int = 14, filledBack: Int = 90, onCompared: @escaping @Sendable () async -> Void = {}
    ) {
        self.store = store
        self.day = day
        self.register = register
        self.links = links
        self.back = back
        self.ahead = ahead
        self.filledBack = filledBack
        self.onCompared = onCompared
    }

    /// The wording for accounts in messages of Mintee.
    package static let words = AccountKind(
        plugin: "mintee", things: "calendars", addresses: "a URL or an e-mail address",
        examples: "https://dav.example.org or ada@example.org",
        withoutPassword: "use another CalDAV server, such as your own", takesFolders: false,
        changed: "gate.mintee/accounts-changed")

    /// The days that are shown now.
    package var window: SyncWindow {
        SyncWindow(today: day.today, back: back, ahead: ahead, filledBack: filledBack)
    }

    var clock: any Clock { register.clock }

    /// Returns a connection to an account, with its password read from its source; `isBrief` selects short timeouts for
    /// interactive use.
    func link(to setup: ConfiguredAccount, isBrief: Bool = false) async throws(HubError) -> any CalendarAccountClient {
        try link(to: setup.account, password: try await register.password(of: setup), isBrief: isBrief)
    }

    /// Returns a connection to an account with a given password.
    func link(
        to account: Account, password: String?, isBrief: Bool
    ) throws(HubError) -> any CalendarAccountClient {
        do throws(RemoteError) {
            return try links.link(to: account, password: password, isBrief: isBrief)
        } catch {
            throw error.hubError(account.name)
        }
    }

    /// Returns the calendars of the account, which also tests the connection.
    func calendars(
        _ link: any CalendarAccountClient, of account: Account
    ) async throws(HubError) -> [DiscoveredCollection] {
        do throws(RemoteError) {
            return try await link.calendars()
        } catch {
            throw register.fitting(error.hubError(account.name), account: account.name)
        }
    }

    /// Writes data that has no history.
    func keep(_ body: @escaping @Sendable (Transaction) throws -> Void) async throws {
        try await store.write(Operation("mintee accounts", kind: .cache), body)
    }
}

extension Account {
    /// The name of the calendar for tasks.
    package var calendar: String { collections.first ?? AccountKeys.defaultCalendar }
}

extension DiscoveredCollection {
    /// Whether the calendar accepts to-dos, as far as the server reports it.
    package var takesTodos: Bool { supported.isEmpty || supported.contains("VTODO") }
}

extension AccountKeys {
    static let defaultCalendar = "Mintee"

    /// The settings of accounts under `plugins.mintee`.
    static let mintee = AccountKeys(
        url: "a CalDAV URL or an e-mail address", example: #""https://posteo.de:8443""#,
        user: #""lukasz@posteo.de""#, takesFolders: false,
        collections: .one(
            ConfigKey(
                "accounts.*.calendar", .text, default: defaultCalendar,
                help: "calendar for tasks; created if missing")))
}

extension RemoteError {
    /// The error of a connection to the account `name`, worded for the user.
    func hubError(_ name: String) -> HubError { HubError(self, account: name, CalendarAccountManager.words) }
}
