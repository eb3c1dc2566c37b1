package import Time

/// A secret that gives a browser access, stored as its hash, so that a copy of the store does not reveal it.
package struct WebCredential: Hashable, Sendable {
    /// The purpose of the secret.
    package enum Kind: String, Sendable {
        /// The one-time code of a login link.
        case loginCode = "login-code"
        /// A browser that has logged in.
        case session
    }

    /// The purpose of the secret.
    package let kind: Kind
    /// SHA-256 of the code; for a session SHA-256 of its cookie, followed by SHA-256 of cookie and key.
    package let hash: [UInt8]
    /// The time at which it expires.
    package let expires: Instant
    /// The browser that has the session; empty for a code, and for a session of an older hub.
    package let name: String

    package init(kind: Kind, hash: [UInt8], expires: Instant, name: String = "") {
        self.kind = kind
        self.hash = hash
        self.expires = expires
        self.name = name
    }
}

/// The store of credentials, through which a command can create what the daemon accepts.
package protocol WebCredentialStore: Sendable {
    /// All credentials of one kind, the expired ones too.
    func credentials(_ kind: WebCredential.Kind) async throws -> [WebCredential]
    /// Keeps a new one.
    func add(_ credential: WebCredential) async throws
    /// Forgets one. Returns whether it was there: of several that remove the same one, one hears true.
    func remove(_ credential: WebCredential) async throws -> Bool
}
