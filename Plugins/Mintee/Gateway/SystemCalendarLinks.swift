import HTTPClient
package import HubKit
package import Links
import WebDAV

/// The ways to real accounts: CalDAV servers over one HTTP client.
package struct SystemCalendarLinks: CalendarLinks {
    private let clock: any Clock
    private let client = HTTPClient()

    package init(clock: any Clock) { self.clock = clock }

    package func link(
        to account: Account, password: String?, isBrief: Bool
    ) throws(LinkError) -> any CalendarAccountLink {
        guard let address = AccountAddress(account.place) else {
            throw .notFound(reason: "\(PrintableText.line(account.place)) is no address of a server")
        }
        let user = account.user ?? address.user
        let clock = clock
        let session = DAVSession(
            client: client,
            timing: RetryTiming(
                now: { clock.now.milliseconds / 1000 }, sleep: { try await clock.sleep(for: $0) }),
            credentials: user.map { HTTPCredentials(user: $0, password: password ?? "") },
            scope: address.scope, patience: isBrief ? .brief : .sync)
        return CalDAVAccount(account: DAVAccount(address, kind: .todos, session: session))
    }
}

/// The way to the calendars of an account on a CalDAV server.
struct CalDAVAccount: CalendarAccountLink {
    let account: DAVAccount

    func calendars() async throws(LinkError) -> [FoundCollection] { try await account.collections() }
    func createCalendar(_ name: String) async throws(LinkError) -> FoundCollection { try await account.create(name) }
    func open(_ href: String) -> any CalendarLink { account.open(href) }
}
