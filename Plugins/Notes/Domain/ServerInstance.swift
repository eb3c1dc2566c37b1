package import Time

/// One of the servers of a database.
package struct ServerInstance: Hashable, Sendable {
    /// Its name, which it has until it ends.
    package let name: String
    /// The name of its machine.
    package let host: String
    /// The connections of clients to it.
    package let connections: Int
    /// The changes that it has not told its clients.
    package let lag: Int
    /// Whether it sends its clients away.
    package let isDraining: Bool
    /// When it said last that it is there.
    package let seenAt: Instant

    /// Creates the state of a server.
    package init(name: String, host: String, connections: Int, lag: Int, isDraining: Bool, seenAt: Instant) {
        (self.name, self.host, self.connections, self.lag) = (name, host, connections, lag)
        (self.isDraining, self.seenAt) = (isDraining, seenAt)
    }
}
