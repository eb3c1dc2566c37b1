package import HTTPClient
import Hashing
import JSON
import Sync
import SyncHTTP
import Text

/// A sign-in of a program on a person's machine: the person allows access in a browser, which returns to this machine with a
/// code (RFC 8252 §7.3), and the code is exchanged for tokens. PKCE (RFC 7636) and `state` bind the code to this sign-in.
package struct OAuthSignIn: Sendable {
    private let client: OAuthClient
    private let receiver: LoopbackReceiver
    private let verifier: PKCEVerifier
    private let state: String

    /// Begins a sign-in: from now on the machine listens for the browser.
    package init(_ client: OAuthClient) throws(OAuthError) {
        self.client = client
        receiver = try LoopbackReceiver()
        verifier = PKCEVerifier()
        state = PKCEVerifier.randomText()
    }

    private var redirect: String { "http://127.0.0.1:\(receiver.port)/" }

    /// The address to open in a browser on this machine; `user` is the account to choose there.
    package func url(scope: String, user: String?) throws(OAuthError) -> HTTPURL {
        var url = client.authorization
        var parameters = [
            ("client_id", client.id), ("redirect_uri", redirect), ("response_type", "code"), ("scope", scope),
            ("state", state), ("code_challenge", try verifier.challenge), ("code_challenge_method", "S256"),
            // Google gives a refresh token only if asked so.
            ("access_type", "offline"), ("prompt", "consent"),
        ]
        if let user { parameters.append(("login_hint", user)) }
        url.query = [url.query, FormEncoding.encode(parameters)].compactMap(\.self).joined(separator: "&")
        return url
    }

    /// Waits until the browser comes back, and returns its code. It blocks its thread.
    package func waitForCode(
        until end: ContinuousClock.Instant, isCancelled: () -> Bool
    ) throws(OAuthError) -> String {
        try receiver.code(state: state, until: end, isCancelled: isCancelled)
    }

    /// Exchanges the code for tokens, and returns what was granted.
    package func grant(for code: String, over http: HTTPClient) async throws(OAuthError) -> OAuthGrant {
        let answer: TokenResponse
        do throws(RemoteError) {
            answer = try await TokenResponse(
                of: client,
                [
                    ("grant_type", "authorization_code"), ("code", code), ("redirect_uri", redirect),
                    ("code_verifier", verifier.text),
                ], over: http)
        } catch {
            throw .remote(reason: error.reason)
        }
        guard let token = answer.refreshToken else { throw .noRefreshToken }
        return OAuthGrant(client: client, refreshToken: token)
    }
}

/// The secret of one sign-in (RFC 7636 §4.1).
struct PKCEVerifier: Hashable, Sendable {
    /// The verifier: 43 letters of 32 random bytes.
    let text: String

    init(_ text: String = PKCEVerifier.randomText()) { self.text = text }

    /// The challenge by the method `S256` (RFC 7636 §4.2).
    var challenge: String {
        get throws(OAuthError) {
            do throws(HashingError) {
                return PKCEVerifier.base64URL(try SHA256.hash(text.utf8))
            } catch {
                throw .unavailable(reason: "a sign-in needs libcrypto")
            }
        }
    }

    static func randomText() -> String {
        var random = SystemRandomNumberGenerator()
        return base64URL((0..<32).map { _ in UInt8.random(in: 0...255, using: &random) })
    }

    /// Base64 for URLs without padding (RFC 4648 §5).
    private static func base64URL(_ bytes: [UInt8]) -> String {
        Base64.encode(bytes).filter { $0 != "=" }.map { $0 == "+" ? "-" : $0 == "/" ? "_" : String($0) }.joined()
    }
}

/// The body of a form (`application/x-www-form-urlencoded`).
enum FormEncoding {
    static func encode(_ parameters: [(String, String)]) -> String {
        parameters.map { "\(PercentEncoding.encode($0))=\(PercentEncoding.encode($1))" }.joined(separator: "&")
    }

    /// The values of a form by their names; of several, the first.
    static func decode(_ text: some StringProtocol) -> [String: String] {
        var values: [String: String] = [:]
        for part in text.split(separator: "&") {
            let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = PercentEncoding.decode(pair[0], plusIsSpace: true), values[name] == nil else { continue }
            values[name] = pair.count > 1 ? PercentEncoding.decode(pair[1], plusIsSpace: true) : ""
        }
        return values
    }
}

/// A response of the token endpoint (RFC 6749 §5).
struct TokenResponse: Sendable {
    let accessToken: String
    /// The seconds for which it is valid.
    let lifetime: Int
    let refreshToken: String?

    /// Requests tokens. Throws `signInNeeded` if the grant is no longer valid.
    init(of client: OAuthClient, _ parameters: [(String, String)], over http: HTTPClient) async throws(RemoteError) {
        var form = parameters + [("client_id", client.id)]
        if let secret = client.secret { form.append(("client_secret", secret)) }
        let request = HTTPRequest(
            .post, client.token,
            headers: ["Content-Type": "application/x-www-form-urlencoded", "Accept": "application/json"],
            body: Array(FormEncoding.encode(form).utf8),
            deadlines: HTTPDeadlines(connect: .seconds(15), idle: .seconds(20), total: .seconds(40)),
            maximumBody: 1 << 16)
        let response: HTTPResponse
        do { response = try await http.send(request) } catch { throw RemoteError(error) }
        let json = try? JSONReader.read(response.body, limits: JSONReader.Limits(bytes: 1 << 16, depth: 8))
        guard response.isSuccess else {
            let code = json?["error"]?.string ?? "status \(response.status)"
            let reason = [code, json?["error_description"]?.string].compactMap(\.self).joined(separator: ": ")
            let text = "\(client.token.host): \(String(reason.prefix(200)))"
            switch (json?["error"]?.string, response.status) {
            case ("invalid_grant"?, _): throw .signInNeeded(reason: text)
            case (_, 500...): throw .serverError(reason: text)
            case (_, 429): throw .busy(retryAfter: response.headers["Retry-After"].flatMap { Int($0) })
            default: throw .denied(reason: text)
            }
        }
        guard let json, let token = json["access_token"]?.string,
            token.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }), !token.isEmpty
        else { throw .malformed(reason: "\(client.token.host) answered without an access token") }
        let type = json["token_type"]?.string ?? "Bearer"
        guard type.lowercased() == "bearer" else {
            throw .malformed(reason: "\(client.token.host) gives tokens of the unknown type \(type.prefix(40))")
        }
        accessToken = token
        lifetime = json["expires_in"]?.integer ?? 3600
        refreshToken = json["refresh_token"]?.string.flatMap { $0.isEmpty ? nil : $0 }
    }
}

extension RemoteError {
    /// The reason as the server gave it.
    fileprivate var reason: String {
        switch self {
        case .unreachable(let reason), .untrusted(let reason, _), .denied(let reason), .signInNeeded(let reason),
            .notFound(let reason), .serverError(let reason), .refused(let reason), .malformed(let reason):
            reason
        case .busy: "the server is busy"
        case .needsOAuth, .tokenExpired: "unexpected response"
        }
    }
}
