import HTTPClient
package import Sync
package import System
import WebDAV

/// Connections to CalDAV servers.
package struct SystemCalendarClients: CalendarClients {
    private let connector: DAVConnector

    /// Creates connections over HTTPS; `clock` measures timeouts.
    package init(clock: any Clock) {
        connector = DAVConnector(
            timing: RetryTiming(
                now: { clock.now.milliseconds / 1000 }, sleep: { try await clock.sleep(for: $0) }))
    }

    /// Returns a CalDAV connection to `account`; nothing is sent yet.
    package func link(
        to account: Account, password: String?, isBrief: Bool
    ) throws(RemoteError) -> any CalendarAccountClient {
        CalDAVAccount(
            account: try connector.account(account, password: password, kind: .todos, isBrief: isBrief))
    }
}

/// A connection to the calendars of an account on a CalDAV server.
struct CalDAVAccount: CalendarAccountClient {
    let account: DAVAccount

    func expectAnswersSoon() { account.expectAnswersSoon() }
    func calendars() async throws(RemoteError) -> [DiscoveredCollection] { try await account.collections() }
    func createCalendar(_ name: String) async throws(RemoteError) -> DiscoveredCollection {
        try await account.create(name)
    }
    func place(_ href: String) -> String { account.place(of: href) }
    func open(_ href: String) -> any CalendarClient { account.open(href) }
}
