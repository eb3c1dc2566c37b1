package import Sync
package import WebDAV

/// A connection to one calendar on a server. It transfers to-dos as text, without interpreting them.
package protocol CalendarClient: CollectionClient {
    /// Returns the path for an item of this name.
    func href(named name: String) -> String
}

extension DAVCollection: CalendarClient {}

/// A connection to an account on a calendar server.
package protocol CalendarAccountClient: Sendable {
    /// Gives up a server that is silent sooner, since a user waits for the sync that follows.
    func expectAnswersSoon()

    /// Returns the calendars of the account, which also tests the connection.
    func calendars() async throws(RemoteError) -> [DiscoveredCollection]

    /// Creates a calendar for to-dos.
    func createCalendar(_ name: String) async throws(RemoteError) -> DiscoveredCollection

    /// Returns a canonical form of the location of a calendar, equal for all spellings and accounts; sends no request.
    func place(_ href: String) -> String

    /// Returns a connection to the calendar at `href`.
    func open(_ href: String) -> any CalendarClient
}

extension CalendarAccountClient {
    /// By default nothing: there is no server to wait for.
    package func expectAnswersSoon() {}

    /// Returns `href` unchanged, for connections without alternative spellings.
    package func place(_ href: String) -> String { href }
}

/// Creates connections to accounts; replaced in tests.
package protocol CalendarClients: Sendable {
    /// Returns a connection to `account`; nothing is sent yet. `password` is nil if the account has none. `isBrief`
    /// selects short timeouts, of seconds, for interactive use.
    func link(to account: Account, password: String?, isBrief: Bool) throws(RemoteError) -> any CalendarAccountClient
}
