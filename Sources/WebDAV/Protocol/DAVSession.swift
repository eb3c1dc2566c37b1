package import HTTPClient
import Sync
import SyncHTTP
import Synchronization

/// One user's talk with one server: makes calls and turns what goes wrong with any of them into a ``RemoteError``.
package final class DAVSession: Sendable {
    /// The largest answer: some hundred items with pictures.
    private static let largestAnswer = 64 << 20

    private let client: HTTPClient
    /// The server that is trusted by its certificate alone, where that is so.
    private let pinned: PinnedServer?
    private let timing: RetryTiming
    /// The access tokens; nil for a user with a password.
    private let tokens: OAuthTokens?
    private let state: Mutex<State>

    private struct State {
        var credentials: HTTPCredentials?
        var scope: HTTPScope
        var timeouts: DAVTimeouts
        /// The deadline of all requests; nil before the first.
        var end: ContinuousClock.Instant?
    }

    /// Creates a session as the user of `credentials`, or anonymously, with only the servers of `scope`.
    package init(
        client: HTTPClient, pinned: PinnedServer? = nil, timing: RetryTiming, credentials: HTTPCredentials?,
        tokens: OAuthTokens? = nil, scope: HTTPScope, patience: DAVTimeouts = .sync
    ) {
        self.client = client
        self.pinned = pinned
        self.timing = timing
        self.tokens = tokens
        state = Mutex(State(credentials: credentials, scope: scope, timeouts: patience))
    }

    /// The time limits of the requests to come.
    package var timeouts: DAVTimeouts {
        get { state.withLock(\.timeouts) }
        set { state.withLock { $0.timeouts = newValue } }
    }

    /// Whether requests carry access tokens.
    var usesOAuth: Bool { tokens != nil }

    /// Whether anything may be sent to `url`.
    func mayReach(_ url: HTTPURL) -> Bool { state.withLock { $0.scope.contains(url) } }

    /// Lets the servers of the account's domain answer at another port too; an account at a URL keeps its own.
    func allow(port: Int) { state.withLock { $0.scope = $0.scope.allowing(port: port) } }

    /// Whether a listing has to end at this page.
    var isListingOver: Bool {
        state.withLock { state in state.end.map { $0 - .now <= state.timeouts.whole - state.timeouts.listing } ?? false
        }
    }

    /// Sends a request and returns the response, except for an authentication request, a rate limit or a server
    /// error.
    ///
    /// With `isItem` the call concerns a single item: then an error or a lock is returned too, as it may be that item's alone.
    func call(
        _ method: HTTPMethod, _ url: HTTPURL, depth: Int? = nil, headers: HTTPHeaders = HTTPHeaders(),
        body: [UInt8]? = nil, isItem: Bool = false
    ) async throws(RemoteError) -> HTTPResponse {
        let (credentials, scope, timeouts, end) = state.withLock { state in
            let end = state.end ?? .now + state.timeouts.whole
            state.end = end
            return (state.credentials, state.scope, state.timeouts, end)
        }
        guard .now < end else {
            throw .unreachable(
                reason: "the server took longer than \(timeouts.whole.components.seconds / 60) minutes in all; "
                    + "finished changes are kept, and the next sync continues")
        }
        var request = HTTPRequest(
            method, url, scope: scope, headers: headers, body: body, credentials: credentials,
            deadlines: timeouts.deadlines, maximumBody: DAVSession.largestAnswer)
        if let depth { request.headers["Depth"] = String(depth) }
        if body != nil, request.headers["Content-Type"] == nil {
            request.headers["Content-Type"] = "application/xml; charset=utf-8"
        }
        let token = try await authorize(&request)
        var response = try await send(request, until: end)
        if response.status == 401, token != nil {
            // It may have been revoked before its time.
            _ = try await authorize(&request, insteadOf: token)
            response = try await send(request, until: end)
        } else if response.status == 401, takesUpDigest(response) {
            request.credentials = state.withLock(\.credentials)
            response = try await send(request, until: end)
        }
        try check(response, asked: url, isItem: isItem)
        return response
    }

    /// Adds an access token (RFC 6750 §2.1), another one than `rejected`, and returns it; nil for a user with a password.
    private func authorize(_ request: inout HTTPRequest, insteadOf rejected: String? = nil) async throws(RemoteError)
        -> String?
    {
        // No token leaves the scope, and none is sent in clear text to another machine.
        guard let tokens, request.scope.contains(request.url) else { return nil }
        let token = try await tokens.token(insteadOf: rejected)
        request.credentials = nil
        request.headers["Authorization"] = "Bearer \(token)"
        return token
    }

    /// A PROPFIND or REPORT that must be answered with 207.
    func multistatus(
        _ method: HTTPMethod, _ url: HTTPURL, depth: Int, body: [UInt8]
    ) async throws(RemoteError) -> (items: Multistatus, url: HTTPURL) {
        let response = try await call(method, url, depth: depth, body: body)
        guard response.status == 207 else { throw RemoteError(DAVRefusal(response)) }
        return (try Multistatus(response.body), response.url)
    }

    private func send(
        _ request: HTTPRequest, until end: ContinuousClock.Instant
    ) async throws(RemoteError) -> HTTPResponse {
        do {
            return try await client(for: request).send(request, retrying: timeouts.retry, timing: timing, until: end)
        } catch .tlsRefused(let refusal) {
            throw .untrusted(reason: refusal.description, certificate: await fingerprint(at: refusal.url))
        } catch {
            throw RemoteError(error)
        }
    }

    private func client(for request: HTTPRequest) async throws(HTTPError) -> HTTPClient {
        // Not even a handshake leaves the scope; without TLS there is no certificate.
        guard let pinned, request.url.scheme == .https, request.scope.contains(request.url) else { return client }
        return try await pinned.client(at: request.url, deadlines: timeouts.deadlines)
    }

    /// Returns the certificate's fingerprint for the user to compare and trust; nil when the server presents no
    /// certificate.
    private func fingerprint(at url: HTTPURL) async -> CertificateFingerprint? {
        let certificate = try? await client.certificate(at: url, deadlines: timeouts.deadlines)
        return certificate?.sha256.flatMap { CertificateFingerprint(bytes: $0) }
    }

    /// Switches to digest when the server offers nothing else that hub knows; false when that changes nothing.
    private func takesUpDigest(_ response: HTTPResponse) -> Bool {
        let offers = response.headers.values("WWW-Authenticate").map { $0.lowercased() }
        guard offers.contains(where: { $0.hasPrefix("digest") }), !offers.contains(where: { $0.hasPrefix("basic") })
        else { return false }
        return state.withLock { state in
            guard state.credentials?.scheme == .basic else { return false }
            state.credentials?.scheme = .digest
            return true
        }
    }

    private func check(_ response: HTTPResponse, asked url: HTTPURL, isItem: Bool) throws(RemoteError) {
        if tokens == nil, let service = OAuthService(host: response.url.host) {
            throw .needsOAuth(service: service.name)
        }
        switch response.status {
        case 401:
            if usesOAuth { throw .denied(reason: "\(response.url.host) rejected the access token") }
            let offers = response.headers.values("WWW-Authenticate").map { $0.lowercased() }
            if !offers.isEmpty, offers.allSatisfy({ $0.hasPrefix("bearer") }) { throw .needsOAuth(service: url.host) }
            let isNamed = state.withLock { $0.credentials != nil }
            throw .denied(
                reason: !isNamed
                    ? "\(response.url.host) requires a user name and a password"
                    : response.url.host.hasSuffix("icloud.com")
                        ? "iCloud requires an app-specific password from account.apple.com"
                        : "\(response.url.host) rejected this user name and password")
        case 407: throw .denied(reason: "the proxy requires a user name and a password")
        // A status with Retry-After concerns the client, not the item.
        case let status where status == 429 || status == 503 && (!isItem || response.headers["Retry-After"] != nil):
            throw .busy(retryAfter: response.headers["Retry-After"].flatMap { Int($0) }.map { max(0, $0) })
        case _ where isItem: return
        case 423, 425: throw .busy(retryAfter: nil)
        case 502, 504, 520...530: throw .unreachable(reason: DAVRefusal(response).reason)
        case 500, 531...599: throw .serverError(reason: DAVRefusal(response).reason)
        default: break
        }
    }
}
