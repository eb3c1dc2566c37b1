import HTTPClient
import NotesDomain
import WebSocket

/// An open WebSocket to a notes server.
final class NoteSocket: Sendable {
    /// What comes from the server.
    enum Event: Sendable {
        case text(String)
        /// A sign of life.
        case other
        /// It is over, with the reason in a few words.
        case closed(String)
    }

    private let socket: ClientWebSocket

    init(_ socket: ClientWebSocket) { self.socket = socket }

    /// Whether both ends speak hub's protocol; else the server is one of NoteApp.
    var isHub: Bool { socket.subprotocol == NotesProtocol.subprotocol }

    /// Returns the next event; for one task at a time.
    func receive() async -> Event {
        switch await socket.receive() {
        case .message(.text(let text)): return .text(text)
        case .message(.binary), .pong: return .other
        case .closed(let code, let reason):
            return .closed("the connection was closed (\(code.rawValue)\(reason.isEmpty ? "" : ", \(reason)"))")
        }
    }

    /// Sends a text frame after those before it.
    func send(_ text: String) { socket.send(.text(text)) }

    /// Sends a ping.
    func ping() { socket.ping() }

    /// Ends the connection; ``Event/closed(_:)`` follows.
    func close(_ code: UInt16 = 1000, reason: String = "") { socket.close(WebSocketCloseCode(code), reason: reason) }
}
