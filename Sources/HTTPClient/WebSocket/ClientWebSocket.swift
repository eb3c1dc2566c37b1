import CCurl
import Synchronization
import Threading
package import WebSocket

/// The client's end of a WebSocket (RFC 6455) over TCP or TLS, on a thread of its own.
///
/// The connection ends with `close`, or when the last reference is gone.
package final class ClientWebSocket: Sendable {
    /// What comes from the other end.
    package enum Event: Hashable, Sendable {
        case message(WebSocketConnection.Message)
        /// The answer to a ping.
        case pong
        /// It is over; nothing comes after it.
        case closed(WebSocketCloseCode, reason: String)
    }

    /// A command to the thread.
    enum Command: Sendable {
        case send(WebSocketConnection.Message)
        case ping
        case close(WebSocketCloseCode, reason: String)
    }

    /// The events that were not taken yet; shared with the thread.
    final class Inbox: Sendable {
        private struct State {
            var events: [Event] = []
            var end: Event?
            var receiver: CheckedContinuation<Event, Never>?
        }

        /// The number of events above which nothing is read.
        private static let maximumCount = 64
        private let state = Mutex(State())

        var isFull: Bool { state.withLock { $0.events.count > Self.maximumCount } }

        func add(_ event: Event) {
            let receiver = state.withLock { state -> CheckedContinuation<Event, Never>? in
                if let receiver = state.receiver {
                    state.receiver = nil
                    if case .closed = event { state.end = event }
                    return receiver
                }
                if case .closed = event { state.end = event } else { state.events.append(event) }
                return nil
            }
            receiver?.resume(returning: event)
        }

        func take() async -> Event {
            await withCheckedContinuation { receiver in
                let event = state.withLock { state -> Event? in
                    if !state.events.isEmpty { return state.events.removeFirst() }
                    if state.end == nil { state.receiver = receiver }
                    return state.end
                }
                if let event { receiver.resume(returning: event) }
            }
        }
    }

    /// The subprotocol that both ends speak; nil for none.
    package let subprotocol: String?
    private let inbox: Inbox
    private let commands: CommandQueue<Command>

    init(subprotocol: String?, inbox: Inbox, commands: CommandQueue<Command>) {
        self.subprotocol = subprotocol
        self.inbox = inbox
        self.commands = commands
    }

    deinit { commands.send(.close(.goingAway, reason: "")) }

    /// Returns the next event; for one task at a time. After the end it returns the end again.
    package func receive() async -> Event {
        let event = await inbox.take()
        // The thread may wait for room.
        commands.wake()
        return event
    }

    /// Sends a message after those before it; one that the connection no longer takes is dropped.
    package func send(_ message: WebSocketConnection.Message) { commands.send(.send(message)) }

    /// Sends a ping, which the other end answers.
    package func ping() { commands.send(.ping) }

    /// Ends the connection; ``Event/closed(_:reason:)`` follows.
    package func close(_ code: WebSocketCloseCode = .normal, reason: String = "") {
        commands.send(.close(code, reason: reason))
    }
}

/// Why a WebSocket was not opened.
package enum WebSocketOpeningError: Error, Hashable, Sendable {
    /// There is no connection.
    case http(HTTPError)
    /// The server refuses a WebSocket.
    case refused(WebSocketHandshake.Failure)
}

extension HTTPClient {
    /// Opens a WebSocket at `request`'s URL, with its header fields, which must be `http` or `https`, as `ws` and `wss` are called
    /// here. Only the time limits for connecting and for silence, of the handshake, count.
    package func openWebSocket(
        _ request: HTTPRequest, subprotocols: [String] = [],
        limits: WebSocketConnection.Limits = WebSocketConnection.Limits()
    ) async throws(WebSocketOpeningError) -> ClientWebSocket {
        do { try check(request) } catch { throw .http(error) }
        let configuration = configuration
        let result = await withCheckedContinuation { reply in
            WebSocketThread.start(request, configuration, subprotocols, limits, reply)
        }
        return try result.get()
    }
}
