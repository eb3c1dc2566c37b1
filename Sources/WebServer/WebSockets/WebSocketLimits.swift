package import WebSocket

/// The limits of a server for each of its WebSockets.
package struct WebSocketLimits: Sendable {
    /// The largest message and the most frames of one.
    package var message = WebSocketConnection.Limits()
    /// Messages that wait for the handler; while there are as many, nothing more is read from the client.
    package var waitingMessages = 64
    /// Bytes that wait for the client; a client that is slower is dropped.
    package var waitingBytes = 4 << 20
    /// The silence after which the client is pinged, and the time that it has to answer, or to take in what waits for it.
    package var heartbeat: Duration = .seconds(25)
    /// The time that the client has to answer a close frame.
    package var closeTime: Duration = .seconds(2)

    package init() {}
}
