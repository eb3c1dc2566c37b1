package import Sync
package import WebDAV

/// A connection to one calendar on a server. It transfers to-dos as text, without interpreting them.
///
/// All calls throw only ``RemoteError``, and may be repeated.
package protocol CalendarClient: Sendable {
    /// Returns a value that changes whenever the contents of the calendar change; nil if the server has none.
    func state() async throws(RemoteError) -> String?

    /// Returns the changes since `token`, or with nil all items; throws `tokenExpired` if the server no longer knows
    /// the token.
    func changes(since token: String?) async throws(RemoteError) -> RemoteChanges

    /// Returns the items at `hrefs`, without those deleted in the meantime.
    func fetch(_ hrefs: [String]) async throws(RemoteError) -> [RemoteItem]

    /// Returns the path for an item of this name.
    func href(named name: String) -> String

    /// Creates an item.
    func create(_ item: [UInt8], name: String) async throws(RemoteError) -> PutResult

    /// Replaces the item at `href`, unless its etag is no longer `tag`.
    func update(_ href: String, to item: [UInt8], ifStill tag: String) async throws(RemoteError) -> PutResult

    /// Removes the item at `href`, unless its etag is no longer `tag`.
    func remove(_ href: String, ifStill tag: String) async throws(RemoteError) -> DeleteResult
}

extension DAVCollection: CalendarClient {}

/// A connection to an account on a calendar server.
package protocol CalendarAccountClient: Sendable {
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
    /// Returns `href` unchanged, for connections without alternative spellings.
    package func place(_ href: String) -> String { href }
}

/// Creates connections to accounts; replaced in tests.
package protocol CalendarClients: Sendable {
    /// Returns a connection to `account`; nothing is sent yet. `password` is nil if the account has none. `isBrief`
    /// selects short timeouts, of seconds, for interactive use.
    func link(to account: Account, password: String?, isBrief: Bool) throws(RemoteError) -> any CalendarAccountClient
}
