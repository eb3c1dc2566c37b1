package import HubKit

/// A secret that lets a browser in, kept as its hash: who reads the store cannot use it.
package struct WebCredential: Hashable, Sendable {
    /// What the secret is for.
    package enum Kind: String, Sendable {
        /// The one-time code of a login link.
        case loginCode = "login-code"
        /// A browser that has logged in.
        case session
    }

    /// What the secret is for.
    package let kind: Kind
    /// SHA-256 of the code; for a session SHA-256 of its cookie, followed by SHA-256 of cookie and key.
    package let hash: [UInt8]
    /// When it stops to be good for anything.
    package let expires: Instant

    package init(kind: Kind, hash: [UInt8], expires: Instant) {
        self.kind = kind
        self.hash = hash
        self.expires = expires
    }
}

/// Where credentials are kept, so that a command can make what the daemon accepts.
package protocol WebCredentialStore: Sendable {
    /// All credentials of one kind, the expired ones too.
    func credentials(_ kind: WebCredential.Kind) async throws -> [WebCredential]
    /// Keeps a new one.
    func add(_ credential: WebCredential) async throws
    /// Forgets one. Returns whether it was there: of several that remove the same one, one hears true.
    func remove(_ credential: WebCredential) async throws -> Bool
}
