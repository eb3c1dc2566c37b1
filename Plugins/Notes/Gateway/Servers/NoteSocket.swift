import HTTPClient
import HubKit
import NotesDomain
import Sync
import System
import WebSocket

/// An open connection to a notes server, or to another machine of the person.
final class NoteSocket: Sendable {
    private enum Transport {
        case socket(ClientWebSocket)
        case machine(any MachineChannel)
    }

    /// What comes from the server.
    enum Event: Sendable {
        case text(String)
        /// A sign of life.
        case other
        /// It is over, with the reason in a few words.
        case closed(String)
    }

    private let transport: Transport
    private let answers = AnswerMonitor()

    init(_ socket: ClientWebSocket) { transport = .socket(socket) }

    init(_ channel: any MachineChannel) { transport = .machine(channel) }

    /// Whether the server speaks hub's protocol: it chose its name among others. Else it is one of NoteApp, which passes on to all
    /// its clients what it gets.
    var isHub: Bool {
        switch transport {
        case .socket(let socket): socket.subprotocol == NotesProtocol.subprotocol
        case .machine: true
        }
    }

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
        let socket: ClientWebSocket
        switch transport {
        case .socket(let open): socket = open
        case .machine(let channel):
            return switch await channel.receive() {
            case .text(let text): .text(text)
            case .other: .other
            case .closed(let reason): .closed(reason)
            }
        }
        switch await socket.receive() {
        case .message(.text(let text)): return .text(text)
        case .message(.binary), .pong: return .other
        case .closed(let code, let reason):
            return .closed("the connection was closed (\(code.rawValue)\(reason.isEmpty ? "" : ", \(reason)"))")
        }
    }

    /// Sends a text frame after those before it.
    func send(_ text: String) {
        switch transport {
        case .socket(let socket): socket.send(.text(text))
        case .machine(let channel): channel.send(text)
        }
    }

    /// Sends a ping.
    func ping() {
        switch transport {
        case .socket(let socket): socket.ping()
        case .machine(let channel): channel.ping()
        }
    }

    /// Ends the connection; ``Event/closed(_:)`` follows.
    func close(_ code: UInt16 = 1000, reason: String = "") {
        switch transport {
        case .socket(let socket): socket.close(WebSocketCloseCode(code), reason: reason)
        case .machine(let channel): channel.close(code, reason: reason)
        }
    }
}
