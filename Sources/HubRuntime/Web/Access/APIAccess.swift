package import Storage
import Synchronization
import WebServer

/// The programs that may use the HTTP API, each with a token of its own.
///
/// A token is sent by a program and never by a browser: requests that say that they come from a page are refused, so that a page that
/// got hold of a token cannot use it, and the token opens nothing that the session of a browser would have to protect.
package struct APIAccess: Sendable {
    /// The topic that says that a token was removed, to all processes.
    private static let ended: Topic = "ui.hub/token-ended"

    private let store: APITokenStore
    private let bus: EventBus
    private let clock: any Clock
    private let failures = LoginFailures()
    private let rates = RequestRates()

    /// The tokens of a store; `bus` announces to this and other processes that one was removed.
    package init(_ database: Database, bus: EventBus, clock: any Clock) {
        store = APITokenStore(database)
        self.bus = bus
        self.clock = clock
    }

    /// Whether a request shows a token, a right or a wrong one.
    static func isMeant(by request: HTTPRequest) -> Bool { request.isForAPI && request.headers["Authorization"] != nil }

    /// Returns the program whose token a request shows. Throws ``WebError`` when it is not one that is in force, or is used too often.
    func client(of request: HTTPRequest) async throws -> APIClient {
        let now = clock.now
        guard let text = Self.bearer(in: request), let hash = try APIToken.hash(text),
            let token = try await store.token(hash: hash), Self.isInForce(token, at: now)
        else {
            // A right token is answered always: all programs of this machine have one address, and none may lock out the others.
            guard !failures.areTooMany(from: request.peer, at: now) else { throw WebError.tooManyRequests(wait: 60) }
            failures.note(from: request.peer, at: now)
            throw WebError.unknownToken
        }
        guard rates.take(token.name, at: clock.monotonicNow) else { throw WebError.tooManyRequests(wait: 1) }
        try await store.noteSeen(token, at: now)
        return APIClient(
            name: token.name, scopes: token.scopes.compactMap { APIScope($0) }, hash: hash, end: token.endsAt)
    }

    /// Ends what is still being sent to a program when its token is removed or ends: events, a download.
    func limit(_ response: inout HTTPResponse, to client: APIClient) {
        if case .bytes = response.body { return }
        let watch = AccessWatch(bus: bus, clock: clock, topic: Self.ended)
        response.untilRevoked = { [store, clock] in
            await watch.waitForEnd(at: client.end) {
                guard let current = try? await store.token(hash: client.hash) else { return false }
                return Self.isInForce(current, at: clock.now)
            }
        }
    }

    /// Adds a token and returns it; it is not kept. Throws `conflict` if there is one of that name.
    func add(_ name: String, scopes: [APIScope], endingAt end: Instant?) async throws -> String {
        let token = APIToken.make()
        guard let hash = try APIToken.hash(token) else {
            throw HubError(.internal, code: "token-unreadable", "a new token cannot be read")
        }
        try await store.add(name, hash: hash, scopes: scopes.map(\.text), endingAt: end)
        return token
    }

    /// Removes a token; whether there was one. What is being sent to its program ends.
    func remove(_ name: String) async throws -> Bool {
        guard try await store.remove(name) else { return false }
        bus.announce(.some([Self.ended]))
        return true
    }

    /// Returns all tokens.
    func tokens() async throws -> [StoredAPIToken] { try await store.tokens() }

    private static func isInForce(_ token: StoredAPIToken, at now: Instant) -> Bool {
        token.endsAt.map { $0 > now } ?? true
    }

    /// The token of `Authorization: Bearer …` (RFC 6750 §2.1).
    private static func bearer(in request: HTTPRequest) -> String? {
        let fields = request.headers.values("Authorization")
        guard fields.count == 1, fields[0].utf8.count > 7, fields[0].prefix(7).lowercased() == "bearer " else {
            return nil
        }
        return String(fields[0].dropFirst(7))
    }
}

/// The tokens in the store, so that the daemon knows at once what a command changes.
struct APITokenStore: Sendable {
    private let store: Store

    init(_ database: Database) { store = database.store(for: "core") }

    private static var operation: Operation { Operation("api tokens", who: .service("api"), kind: .cache) }

    func tokens() async throws -> [StoredAPIToken] { try await store.read { try $0.apiTokens() } }

    func token(hash: [UInt8]) async throws -> StoredAPIToken? { try await store.read { try $0.apiToken(hash: hash) } }

    func add(_ name: String, hash: [UInt8], scopes: [String], endingAt end: Instant?) async throws {
        try await store.write(Self.operation) { transaction in
            guard try transaction.apiToken(name) == nil else {
                throw HubError(
                    .conflict, code: "token-exists", "the name \(name) is taken by another token",
                    hint: "use another name, or hub api tokens rm \(name) first")
            }
            try transaction.addAPIToken(name, hash: hash, scopes: scopes, endingAt: end)
        }
    }

    func remove(_ name: String) async throws -> Bool {
        try await store.write(Self.operation) { try $0.removeAPIToken(name) }
    }

    /// Notes that a program was here, unless that was noted in the last minute.
    func noteSeen(_ token: StoredAPIToken, at now: Instant) async throws {
        if let seen = token.seenAt, now.milliseconds - seen.milliseconds < 60_000 { return }
        try await store.write(Operation("api tokens", who: .service("api"), kind: .fetched)) {
            try $0.noteAPITokenSeen(token.name)
        }
    }
}

/// The requests of each token: 60 in a second for long, 120 at once.
private final class RequestRates: Sendable {
    private static let (rate, most) = (60.0, 120.0)
    private let known = Mutex<[String: (left: Double, last: Duration)]>([:])

    /// Counts a request; false when it is one too many.
    func take(_ name: String, at now: Duration) -> Bool {
        known.withLock { known in
            let entry = known[name] ?? (Self.most, now)
            let left = min(Self.most, entry.left + max(0, (now - entry.last) / .seconds(1)) * Self.rate)
            known[name] = (left >= 1 ? left - 1 : left, now)
            return left >= 1
        }
    }
}
