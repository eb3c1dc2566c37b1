/// The limits of a server for its clients.
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
    /// The maximum time without progress while the client has to send or receive.
    package var idleTime: Duration = .seconds(30)
    /// The time limit for the header of a connection's first request.
    package var headTime: Duration = .seconds(10)
    /// The time of silence after which an unknown client's connection may be dropped for another one.
    package var strangerTime: Duration = .seconds(1)
    /// The time limit for receiving a whole request, counted from the end of the previous one on its connection.
    package var requestTime: Duration = .seconds(120)

    package init() {}
}
