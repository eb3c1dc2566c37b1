package import HTTPClient
package import Sync
import SyncHTTP

/// Requests to one notes server, with the token of its account.
package struct NoteServerConnection: Sendable {
    /// The URL of the server, with a slash at its end.
    package let base: HTTPURL
    let token: String?
    private let client: HTTPClient
    private let pinned: PinnedServer?
    let deadlines: HTTPDeadlines

    /// Creates a connection; nothing is sent yet. `isBrief` uses short time limits for a user who waits.
    package init(_ account: Account, token: String?, isBrief: Bool) throws(RemoteError) {
        guard var base = HTTPURL(account.place) else {
            throw .notFound(reason: "\"\(account.place.prefix(200))\" is not the URL of a server")
        }
        if !base.path.hasSuffix("/") { base.path += "/" }
        base.query = nil
        self.base = base
        self.token = token
        let trust: HTTPConfiguration.Trust
        if case .authorities(let file) = account.trust { trust = .authorities(file: file) } else { trust = .system }
        let configuration = HTTPConfiguration(trust: trust)
        client = HTTPClient(configuration)
        if case .certificate(let fingerprint) = account.trust {
            pinned = PinnedServer(sha256: fingerprint.bytes, configuration: configuration)
        } else {
            pinned = nil
        }
        deadlines =
            isBrief
            ? HTTPDeadlines(connect: .seconds(5), idle: .seconds(10), total: .seconds(30))
            : HTTPDeadlines(connect: .seconds(15), idle: .seconds(30), total: .seconds(300))
    }

    /// Sends a request and returns the response, whatever its status. `path` is relative to the URL of the server; `limit` is a
    /// shorter time for all of it.
    func send(
        _ method: HTTPMethod, _ path: String, body: [UInt8]? = nil, maximumBody: Int = 16 << 20,
        within limit: Duration? = nil
    ) async throws(RemoteError) -> HTTPResponse {
        guard let url = base.resolving(path) else { throw .notFound(reason: "the URL of the server is not valid") }
        var deadlines = deadlines
        if let limit { deadlines.total = min(deadlines.total, limit) }
        var request = HTTPRequest(
            method, url, scope: HTTPScope(origin: base), body: body, deadlines: deadlines, maximumBody: maximumBody)
        request.headers["Accept"] = "application/json"
        if body != nil { request.headers["Content-Type"] = "application/json" }
        // A repeated POST makes another note.
        request.usesNewConnection = method == .post
        if let token { request.headers["Authorization"] = "Bearer \(token)" }
        do throws(HTTPError) { return try await client(at: url).send(request) } catch { throw await remote(error) }
    }

    /// The client for a URL of the server.
    func client(at url: HTTPURL) async throws(HTTPError) -> HTTPClient {
        guard let pinned, url.scheme == .https else { return client }
        return try await pinned.client(at: url, deadlines: deadlines)
    }

    /// Returns the error for a failed request, with the certificate that a server which is not trusted shows.
    func remote(_ error: HTTPError) async -> RemoteError {
        guard case .tlsRefused(let refusal) = error else { return RemoteError(error) }
        let certificate = try? await client.certificate(at: refusal.url, deadlines: deadlines)
        return .untrusted(
            reason: refusal.description,
            certificate: certificate?.sha256.flatMap { CertificateFingerprint(bytes: $0) })
    }
}
