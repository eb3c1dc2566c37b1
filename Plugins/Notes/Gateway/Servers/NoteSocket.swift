import HTTPClient
import NotesDomain
import Sync
import System
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
    private let answers = AnswerMonitor()

    init(_ socket: ClientWebSocket) { self.socket = socket }

    /// Whether the server speaks hub's protocol: it chose its name among others. Else it is one of NoteApp, which passes on to all
    /// its clients what it gets.
    var isHub: Bool { socket.subprotocol == NotesProtocol.subprotocol }

    /// Runs `body`, which talks to the server; throws when the server leaves it without an answer.
    func whileAnswering<T: Sendable>(
        _ expected: AnswerMonitor.Expectation, clock: any Clock, _ body: @escaping @Sendable () async throws -> T
    ) async throws -> T { try await answers.run(expected, clock: clock, body) }

    /// Returns the next event; for one task at a time.
    func receive() async -> Event {
        answers.waits()
        let event = await next()
        if case .text = event { answers.received() }
        return event
    }

    private func next() async -> Event {
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
