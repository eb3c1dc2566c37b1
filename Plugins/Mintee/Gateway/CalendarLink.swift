package import Links
package import WebDAV

/// The way to one calendar on a server. It moves to-dos as text and knows no rules.
///
/// All calls throw ``LinkError`` only, and may be repeated.
package protocol CalendarLink: Sendable {
    /// A value that stays the same for as long as nothing in the calendar changes; nil when the server has none.
    func state() async throws(LinkError) -> String?

    /// Returns the changes since `token`, or with nil all items; throws `tokenExpired` if the server no longer knows
    /// the token.
    func changes(since token: String?) async throws(LinkError) -> RemoteChanges

    /// The items at `hrefs`. One that is gone meanwhile is left out.
    func fetch(_ hrefs: [String]) async throws(LinkError) -> [RemoteItem]

    /// Returns the path for an item of this name.
    func href(named name: String) -> String

    /// Gives the server a new item.
    func create(_ item: [UInt8], name: String) async throws(LinkError) -> StoreAnswer

    /// Replaces the item at `href`, unless its etag is no longer `tag`.
    func update(_ href: String, to item: [UInt8], ifStill tag: String) async throws(LinkError) -> StoreAnswer

    /// Removes the item at `href`, unless its etag is no longer `tag`.
    func remove(_ href: String, ifStill tag: String) async throws(LinkError) -> RemoveAnswer
}

extension DAVCollection: CalendarLink {}

/// The way to an account: a server that keeps calendars.
package protocol CalendarAccountLink: Sendable {
    /// Finds the account's calendars; it tests the account by that.
    func calendars() async throws(LinkError) -> [FoundCollection]

    /// Makes a calendar for things to do.
    func createCalendar(_ name: String) async throws(LinkError) -> FoundCollection

    /// Returns a canonical form of the location of a calendar, equal for all spellings and accounts; sends no request.
    func place(_ href: String) -> String

    /// The way to the calendar at `href`.
    func open(_ href: String) -> any CalendarLink
}

extension CalendarAccountLink {
    /// Returns `href` unchanged, for connections without alternative spellings.
    package func place(_ href: String) -> String { href }
}

/// Opens the way to accounts; tests script it.
package protocol CalendarLinks: Sendable {
    /// Returns a connection to `account`; nothing is sent yet. `password` is nil if the account has none. `isBrief`
    /// selects short timeouts, of seconds, for interactive use.
    func link(to account: Account, password: String?, isBrief: Bool) throws(LinkError) -> any CalendarAccountLink
}
