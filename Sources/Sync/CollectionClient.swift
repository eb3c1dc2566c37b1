/// A connection to one collection of items on a server or in a folder, such as an address book or a calendar.
///
/// It transfers items without interpreting them. All calls throw only ``RemoteError`` and may be repeated.
package protocol CollectionClient: Sendable {
    /// Returns a value that changes with every change of the collection, with one cheap request; nil if there is none.
    func state() async throws(RemoteError) -> String?

    /// Returns the changes since `token`, or with nil all items. Throws `tokenExpired` if the token is no longer valid.
    /// A listing that takes long may end early, with the token that continues it.
    func changes(since token: String?) async throws(RemoteError) -> RemoteChanges

    /// Like `changes(since:)`; a listing that comes in parts calls `onListed` with the number of items so far.
    func changes(
        since token: String?, onListed: @Sendable (Int) -> Void
    ) async throws(RemoteError) -> RemoteChanges

    /// Returns the items at `hrefs`, without those that no longer exist.
    func fetch(_ hrefs: [String]) async throws(RemoteError) -> [RemoteItem]

    /// Returns items of the collection with their text, if one request for all of them is much cheaper than many; else
    /// nil. Missing ones must be fetched.
    func everything() async throws(RemoteError) -> [RemoteItem]?

    /// Creates an item; `name` is the suggested name.
    func create(_ item: [UInt8], name: String) async throws(RemoteError) -> PutResult

    /// Replaces the item at `href` if it still has the etag `etag`.
    func update(_ href: String, to item: [UInt8], ifMatch etag: String) async throws(RemoteError) -> PutResult

    /// Deletes the item at `href` if it still has the etag `etag`.
    func remove(_ href: String, ifMatch etag: String) async throws(RemoteError) -> DeleteResult

    /// Whether it stores the exact bytes under the suggested name and returns their etag.
    var keepsBytes: Bool { get }

    /// Returns messages about the last listing, one sentence each, such as an unreadable item.
    func notices() -> [String]
}

extension CollectionClient {
    /// Returns the changes; they come in one part.
    package func changes(
        since token: String?, onListed: @Sendable (Int) -> Void
    ) async throws(RemoteError) -> RemoteChanges { try await changes(since: token) }
    /// Returns nil: items are fetched in batches.
    package func everything() async throws(RemoteError) -> [RemoteItem]? { nil }
    /// Returns false: a stored item must be read back.
    package var keepsBytes: Bool { false }
    /// Returns no messages.
    package func notices() -> [String] { [] }

    /// Returns the changes since `token`; all items if the token has expired.
    func allChanges(
        since token: String?, onListed: @Sendable (Int) -> Void
    ) async throws(RemoteError) -> RemoteChanges {
        guard let token else { return try await changes(since: nil, onListed: onListed) }
        do {
            return try await changes(since: token, onListed: onListed)
        } catch .tokenExpired {
            return try await changes(since: nil, onListed: onListed)
        }
    }
}

/// A collection as its server describes it.
package struct DiscoveredCollection: Hashable, Sendable {
    /// Its address.
    package let href: String
    /// The display name.
    package let name: String
    /// Whether nothing may be changed in it.
    package let isReadOnly: Bool
    /// The versions of vCard, or the components of iCalendar such as `VTODO`, that it takes; empty when it does not say.
    package let supported: Set<String>
    /// The longest item it takes, in bytes; nil when it does not say.
    package let maximumItemSize: Int?

    package init(
        href: String, name: String, isReadOnly: Bool = false, supported: Set<String> = [], maximumItemSize: Int? = nil
    ) {
        self.href = href
        self.name = name
        self.isReadOnly = isReadOnly
        self.supported = supported
        self.maximumItemSize = maximumItemSize
    }
}

/// An error in the exchange with an account. Reasons quote the server, never a password.
package enum RemoteError: Error, Hashable, Sendable {
    /// There was no answer: no network, no such host, a time limit passed. Trying later may help.
    case unreachable(reason: String)
    /// The identity of the server cannot be proved; the certificate that it shows, where it shows one.
    case untrusted(reason: String, certificate: CertificateFingerprint?)
    /// User or password are missing or wrong.
    case denied(reason: String)
    /// The service takes no passwords, only OAuth; the service's name.
    case needsOAuth(service: String)
    /// What the user had granted by OAuth was revoked or has expired.
    case signInNeeded(reason: String)
    /// The collection, folder or account does not exist.
    case notFound(reason: String)
    /// The sync token is too old: ask for everything.
    case tokenExpired
    /// The server is busy; the number of seconds to wait before the next request, if it said so.
    case busy(retryAfter: Int?)
    /// The server has an error of its own (5xx). Trying later may help.
    case serverError(reason: String)
    /// The server refuses the request.
    case refused(reason: String)
    /// The answer makes no sense, or is larger than any that would.
    case malformed(reason: String)
}
