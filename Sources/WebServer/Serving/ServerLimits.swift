/// What one server takes from its clients at most.
package struct ServerLimits: Sendable {
    /// Connections at once. For a further one the oldest is dropped whose client is not known; when all are, it waits in the
    /// kernel's queue.
    package var connections = 512
    /// Bytes of one request's line and header fields, and of the connection's buffers; more is answered 431 or 414.
    package var connectionMemory = 32 * 1024
    /// Bytes of one request's body; more is answered 413.
    package var body = 1024 * 1024
    /// Bytes of all bodies held at once; a request beyond it is answered 503.
    package var allBodies = 64 * 1024 * 1024
    /// How long a connection may send and take nothing while it is its turn.
    package var idleTime: Duration = .seconds(30)
    /// How long the first request of a connection may take until its header fields are there.
    package var headTime: Duration = .seconds(10)
    /// How long a client that is not known may be silent before its connection makes room for another one.
    package var strangerTime: Duration = .seconds(1)
    /// How long a request may take to arrive as a whole, counted from the end of the one before on its connection.
    package var requestTime: Duration = .seconds(120)

    package init() {}
}
