package import Time

/// An account of the server.
package struct ServerAccount: Hashable, Sendable {
    /// The name, as notes have it.
    package let name: String
    /// The number of its tokens: one for each invitation.
    package let tokens: Int
    /// When it was first invited.
    package let createdAt: Instant
    /// When one of its tokens was last used, to the hour; nil when none was.
    package let usedAt: Instant?

    package init(name: String, tokens: Int, createdAt: Instant, usedAt: Instant?) {
        self.name = name
        self.tokens = tokens
        self.createdAt = createdAt
        self.usedAt = usedAt
    }
}
