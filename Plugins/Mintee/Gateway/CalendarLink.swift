package import Links
package import WebDAV

/// The way to one calendar on a server. It moves to-dos as text and knows no rules.
///
/// All calls throw ``LinkError`` only, and may be repeated.
package protocol CalendarLink: Sendable {
    /// A value that stays the same for as long as nothing in the calendar changes; nil when the server has none.
    func state() async throws(LinkError) -> String?

    /// What changed since `token`, or with nil all that is there; throws `tokenExpired` when the server no longer knows
    /// the token.
    func changes(since token: String?) async throws(LinkError) -> RemoteChanges

    /// The items at `hrefs`. One that is gone meanwhile is left out.
    func fetch(_ hrefs: [String]) async throws(LinkError) -> [RemoteItem]

    /// Where an item of this name is put.
    func href(named name: String) -> String

    /// Gives the server a new item.
    func create(_ item: [UInt8], name: String) async throws(LinkError) -> StoreAnswer

    /// Replaces the item at `href`, unless it is no longer the one with `tag`.
    func update(_ href: String, to item: [UInt8], ifStill tag: String) async throws(LinkError) -> StoreAnswer

    /// Removes the item at `href`, unless it is no longer the one with `tag`.
    func remove(_ href: String, ifStill tag: String) async throws(LinkError) -> RemoveAnswer
}

extension DAVCollection: CalendarLink {}

/// The way to an account: a server that keeps calendars.
package protocol CalendarAccountLink: Sendable {
    /// Finds the account's calendars; it tests the account by that.
    func calendars() async throws(LinkError) -> [FoundCollection]

    /// Makes a calendar for things to do.
    func createCalendar(_ name: String) async throws(LinkError) -> FoundCollection

    /// What is equal for all ways of writing where a calendar is, in any account; nothing is asked for it.
    func place(_ href: String) -> String

    /// The way to the calendar at `href`.
    func open(_ href: String) -> any CalendarLink
}

extension CalendarAccountLink {
    package func place(_ href: String) -> String { href }
}

/// Opens the way to accounts; tests script it.
package protocol CalendarLinks: Sendable {
    /// The way to `account`; nothing is sent yet. `password` is nil where the account has none. `isBrief` is for a person
    /// who waits: a server that does not answer is given up after seconds.
    func link(to account: Account, password: String?, isBrief: Bool) throws(LinkError) -> any CalendarAccountLink
}
