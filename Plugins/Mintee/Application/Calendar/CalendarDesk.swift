package import HubKit
package import Links
package import MinteeDomain

/// What all use cases of calendars share: the accounts, the store, the ways out, and the days to show.
package struct CalendarDesk: Sendable {
    let store: Store
    let day: MinteeDay
    package let register: AccountRegister
    let links: any CalendarLinks
    private let back: Int
    private let ahead: Int
    private let filledBack: Int
    /// Called when days were compared and nothing of it is kept yet, outside of any transaction; for tests.
    let onCompared: @Sendable () async -> Void

    package init(
        _ store: Store, day: MinteeDay, register: AccountRegister, links: any CalendarLinks, back: Int = 30,
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

    /// How Mintee speaks of accounts.
    package static let words = AccountWords(
        plugin: "mintee", things: "calendars", addresses: "a URL or an e-mail address",
        examples: "https://dav.example.org or ada@example.org",
        withoutPassword: "another CalDAV server can stand between, such as one of your own", takesFolders: false,
        changed: "gate.mintee/accounts-changed")

    /// The days that are shown now.
    package var window: SyncWindow {
        SyncWindow(today: day.today, back: back, ahead: ahead, filledBack: filledBack)
    }

    var clock: any Clock { register.clock }

    /// The way to an account, its password read from where it is kept; `isBrief` is for a person who waits.
    func link(to setup: AccountSetup, isBrief: Bool = false) async throws(HubError) -> any CalendarAccountLink {
        try link(to: setup.account, password: try await register.password(of: setup), isBrief: isBrief)
    }

    /// The way to an account with a password in hand.
    func link(
        to account: Account, password: String?, isBrief: Bool
    ) throws(HubError) -> any CalendarAccountLink {
        do throws(LinkError) {
            return try links.link(to: account, password: password, isBrief: isBrief)
        } catch {
            throw error.hubError(account.name)
        }
    }

    /// The calendars that `link` finds; it tests the account by that.
    func calendars(
        _ link: any CalendarAccountLink, of account: Account
    ) async throws(HubError) -> [FoundCollection] {
        do throws(LinkError) {
            return try await link.calendars()
        } catch {
            throw register.fitting(error.hubError(account.name), account: account.name)
        }
    }

    /// Writes what has no history.
    func keep(_ body: @escaping @Sendable (Transaction) throws -> Void) async throws {
        try await store.write(Operation("mintee accounts", kind: .cache), body)
    }
}

extension Account {
    /// The calendar that tasks are kept in.
    package var calendar: String { collections.first ?? AccountKeys.defaultCalendar }
}

extension FoundCollection {
    /// Whether it takes things to do, as far as it says.
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
                help: "the calendar for tasks; made when it is missing")))
}

extension LinkError {
    /// The failure of a talk with the account `name`, as a person is told of it.
    func hubError(_ name: String) -> HubError { HubError(self, account: name, CalendarDesk.words) }
}
