package import HTTPClient
package import Sync

/// The access tokens of an account: requested when one is needed, and again shortly before it expires.
package actor OAuthTokens {
    private let grant: OAuthGrant
    private let http: HTTPClient
    private let now: @Sendable () -> ContinuousClock.Instant
    private var current: (token: String, until: ContinuousClock.Instant)?
    private var refreshToken: String

    /// The time before its expiry at which a token is no longer used.
    private static let margin = Duration.seconds(60)

    /// Requests tokens over `http`; tests pass their own time.
    package init(
        _ grant: OAuthGrant, over http: HTTPClient,
        now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
    ) {
        self.grant = grant
        self.http = http
        self.now = now
        refreshToken = grant.refreshToken
    }

    /// Returns a valid access token, another one than `rejected`, which a server did not accept. Throws `signInNeeded` if the
    /// grant was revoked or has expired.
    package func token(insteadOf rejected: String? = nil) async throws(RemoteError) -> String {
        if let current, current.token != rejected, now() < current.until { return current.token }
        let answer = try await TokenResponse(
            of: grant.client, [("grant_type", "refresh_token"), ("refresh_token", refreshToken)], over: http)
        // A server may replace the refresh token (RFC 6749 §6); it is kept as long as this process.
        refreshToken = answer.refreshToken ?? refreshToken
        let lifetime = max(Duration.seconds(answer.lifetime) - OAuthTokens.margin, .seconds(1))
        current = (answer.accessToken, now() + lifetime)
        return answer.accessToken
    }
}
