package import Storage

/// The access to the page: browsers that have used a login link.
package struct WebAccess: Sendable {
    /// The validity of a login link.
    package static let codeLife: Duration = .seconds(10 * 60)
    /// The validity of a browser's session.
    package static let sessionLife: Duration = .seconds(7 * 24 * 60 * 60)
    /// Credentials of one kind at most; beyond that the one that expires first goes.
    static let most = 64

    /// The topic that says that sessions were ended, to all processes.
    private static let ended: Topic = "ui.hub/session-ended"

    private let store: any WebCredentialStore
    private let bus: EventBus
    private let clock: any Clock

    /// `bus` announces to this and other processes that sessions were ended.
    package init(store: any WebCredentialStore, bus: EventBus, clock: any Clock) {
        self.store = store
        self.bus = bus
        self.clock = clock
    }

    /// The credentials of a browser that has logged in. Both are needed to read or change anything.
    package struct Session: Sendable, Equatable {
        /// For the cookie, which the browser sends to every port of the host.
        package let cookie: String
        /// For the storage of the page, which belongs to the host and the port.
        package let key: String
    }

    /// A new code for a login link. It works once, for ``codeLife``.
    package func makeCode() async throws -> String {
        let code = WebSecret.make()
        try await add(try WebSecret.hash(code), as: .loginCode, for: Self.codeLife)
        return code
    }

    /// Exchanges a code for the secrets of a new session of `browser`; `nil` when it is wrong, used or too old.
    package func logIn(code: String, browser: String = "") async throws -> Session? {
        let hash = try WebSecret.hash(code)
        guard let credential = try await find(.loginCode, { WebSecret.isEqual($0, hash) }),
            try await remove(credential)
        else { return nil }
        let session = Session(cookie: WebSecret.make(), key: WebSecret.make())
        try await add(
            try Self.cookieHash(session.cookie) + Self.keyHash(session), as: .session, for: Self.sessionLife,
            name: browser)
        return session
    }

    /// Returns the credential of the session with the cookie; nil when there is none.
    package func credential(of cookie: String) async throws -> WebCredential? {
        let hash = try Self.cookieHash(cookie)
        return try await find(.session) { WebSecret.isEqual(Array($0.prefix(32)), hash) }
    }

    /// Returns the credential of a session; nil unless cookie and key are those of one.
    package func credential(of session: Session) async throws -> WebCredential? {
        let hash = try Self.keyHash(session)
        guard let found = try await credential(of: session.cookie),
            WebSecret.isEqual(Array(found.hash.dropFirst(32)), hash)
        else { return nil }
        return found
    }

    /// Returns when the session is over, whichever process ended it, or when it has expired; also when that cannot be found out.
    package func waitForEnd(of session: WebCredential) async {
        await AccessWatch(bus: bus, clock: clock, topic: Self.ended).waitForEnd(at: session.expires) {
            await isOpen(session)
        }
    }

    private func isOpen(_ session: WebCredential) async -> Bool {
        let found = try? await find(.session) { WebSecret.isEqual($0, session.hash) }
        return found != nil
    }

    /// Ends the session, if there is one.
    package func logOut(_ session: Session) async throws {
        if let credential = try await credential(of: session) { _ = try await remove(credential) }
    }

    /// Removes a credential and returns whether it was there. Everything that is being sent to its session ends.
    private func remove(_ credential: WebCredential) async throws -> Bool {
        guard try await store.remove(credential) else { return false }
        if credential.kind == .session { bus.announce(.some([Self.ended])) }
        return true
    }

    /// Ends all sessions and login links, and returns how many sessions there were.
    package func logOutAll() async throws -> Int {
        let sessions = try await store.credentials(.session)
        for credential in try await sessions + store.credentials(.loginCode) { _ = try await remove(credential) }
        return sessions.count { $0.expires > clock.now }
    }

    /// A browser that is logged in.
    package struct LoggedInBrowser: Sendable, Equatable {
        /// The id by which ``endSession(_:)`` knows it; it opens nothing.
        package let id: String
        /// The name of the browser.
        package let name: String
        /// When it logged in.
        package let since: Instant
        /// Whether it is the browser that asks.
        package let isCurrent: Bool
    }

    /// Returns the browsers that are logged in, that with the cookie `current` first, then the latest.
    package func browsers(current cookie: String) async throws -> [LoggedInBrowser] {
        let own = try Self.cookieHash(cookie)
        let browsers = try await store.credentials(.session).filter { $0.expires > clock.now }.map { credential in
            LoggedInBrowser(
                id: Self.id(of: credential), name: credential.name.isEmpty ? "A browser" : credential.name,
                since: credential.expires - Self.sessionLife,
                isCurrent: WebSecret.isEqual(Array(credential.hash.prefix(32)), own))
        }
        return browsers.sorted { ($1.isCurrent ? 0 : 1, $0.since) > ($0.isCurrent ? 0 : 1, $1.since) }
    }

    /// Ends the session with this id; throws `not-found` when there is none.
    package func endSession(_ id: String) async throws {
        let sessions = try await store.credentials(.session)
        guard let credential = sessions.first(where: { Self.id(of: $0) == id }), try await remove(credential)
        else {
            throw HubError(.notFound, code: "no-session", "this browser is already logged out")
        }
    }

    /// Twelve digits of the hash of the cookie, of which the cookie cannot be found.
    private static func id(of credential: WebCredential) -> String {
        credential.hash.prefix(6).map { byte in
            let digits = String(byte, radix: 16)
            return digits.count == 1 ? "0" + digits : digits
        }.joined()
    }

    private static func cookieHash(_ cookie: String) throws -> [UInt8] { try WebSecret.hash(cookie) }

    /// The key is good with its own cookie only.
    private static func keyHash(_ session: Session) throws -> [UInt8] {
        try WebSecret.hash(session.cookie + "/" + session.key)
    }

    private func add(
        _ hash: [UInt8], as kind: WebCredential.Kind, for life: Duration, name: String = ""
    ) async throws {
        let now = clock.now
        let kept = try await store.credentials(kind).sorted { $0.expires < $1.expires }
        for (index, credential) in kept.enumerated() where credential.expires <= now || kept.count - index >= Self.most
        {
            _ = try await remove(credential)
        }
        try await store.add(WebCredential(kind: kind, hash: hash, expires: now + life, name: name))
    }

    private func find(_ kind: WebCredential.Kind, _ isWanted: ([UInt8]) -> Bool) async throws -> WebCredential? {
        var found: WebCredential?
        for credential in try await store.credentials(kind) where isWanted(credential.hash) { found = credential }
        return found.flatMap { $0.expires > clock.now ? $0 : nil }
    }
}
