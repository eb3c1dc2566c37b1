package import HubKit

/// Who may see the page: browsers that came by a login link once.
package struct WebAccess: Sendable {
    /// How long a login link is good.
    package static let codeLife: Duration = .seconds(10 * 60)
    /// How long a browser stays logged in.
    package static let sessionLife: Duration = .seconds(30 * 24 * 60 * 60)
    /// Credentials of one kind at most; beyond that the one that expires first goes.
    static let most = 64

    private let store: any WebCredentialStore
    private let clock: any Clock

    package init(store: any WebCredentialStore, clock: any Clock) {
        self.store = store
        self.clock = clock
    }

    /// A new code for a login link. It works once, for ``codeLife``.
    package func makeCode() async throws -> String { try await issue(.loginCode, for: Self.codeLife) }

    /// Exchanges a code for the secret of a new session; `nil` when it is wrong, used or too old.
    package func logIn(code: String) async throws -> String? {
        guard let credential = try await find(code, .loginCode), try await store.remove(credential) else { return nil }
        return try await issue(.session, for: Self.sessionLife)
    }

    /// Whether `secret` is that of a session.
    package func isSession(_ secret: String) async throws -> Bool { try await find(secret, .session) != nil }

    /// Ends the session with `secret`, if there is one.
    package func logOut(_ secret: String) async throws {
        guard let credential = try await find(secret, .session) else { return }
        _ = try await store.remove(credential)
    }

    private func issue(_ kind: WebCredential.Kind, for life: Duration) async throws -> String {
        let now = clock.now
        let kept = try await store.credentials(kind).sorted { $0.expires < $1.expires }
        for (index, credential) in kept.enumerated() where credential.expires <= now || kept.count - index >= Self.most
        {
            _ = try await store.remove(credential)
        }
        let secret = WebSecret.make()
        try await store.add(WebCredential(kind: kind, hash: WebSecret.hash(secret), expires: now + life))
        return secret
    }

    private func find(_ secret: String, _ kind: WebCredential.Kind) async throws -> WebCredential? {
        let hash = WebSecret.hash(secret)
        var found: WebCredential?
        for credential in try await store.credentials(kind) where WebSecret.isEqual(credential.hash, hash) {
            found = credential
        }
        return found.flatMap { $0.expires > clock.now ? $0 : nil }
    }
}
