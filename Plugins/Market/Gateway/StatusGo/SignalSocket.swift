import HTTPClient
import MarketDomain
import Synchronization
import System
import WebSocket

/// The WebSocket of status-go's signals, which connects again whenever the link is lost.
///
/// The backend answers no pings, so liveness is judged by traffic: with a live page, a link that is silent for too long is lost.
final class SignalSocket: Sendable {
    /// What happens on the link.
    enum Event: Sendable {
        case connected
        /// One text message.
        case message([UInt8])
        case lost(GatewayError)
    }

    /// An input of an open link.
    private enum Input: Sendable {
        case received(ClientWebSocket.Event)
        /// Nothing came for too long.
        case silent
    }

    private let http: HTTPClient
    private let base: HTTPURL
    /// The longest silence of a link with a live page.
    private let silence: Duration
    private let deliver: @Sendable (Event) -> Void
    private let clock = SystemClock()
    private let isLive = Atomic(false)
    private let task = Mutex<Task<Void, Never>?>(nil)

    /// The largest message: a page of 5,000 rows is about 2 MB.
    private static let limits = WebSocketConnection.Limits(messageSize: 16 << 20)
    private static let connectTimeout = Duration.seconds(5)

    /// Creates a link to the backend at `base` that is not connected. `deliver` is called with one event at a time.
    init(
        over http: HTTPClient, to base: HTTPURL, silence: Duration = .seconds(45),
        deliver: @escaping @Sendable (Event) -> Void
    ) {
        self.http = http
        self.base = base
        self.silence = silence
        self.deliver = deliver
    }

    /// Starts to connect.
    func start() { task.withLock { $0 = $0 ?? Task { await run() } } }

    /// Says whether a page is live, so that silence means a lost link.
    func setLive(_ live: Bool) { isLive.store(live, ordering: .relaxed) }

    /// Ends the link for good.
    func close() { task.withLock { $0?.cancel() } }

    private func run() async {
        var attempts = LinkAttempts()
        while !Task.isCancelled {
            do throws(GatewayError) {
                let socket = try await open()
                defer { socket.close() }
                if Task.isCancelled { return }
                deliver(.connected)
                try await exchange(socket, &attempts)
            } catch {
                if Task.isCancelled { return }
                deliver(.lost(error))
                try? await clock.sleep(for: attempts.lost(random: .random(in: 0..<1)))
            }
        }
    }

    private func open() async throws(GatewayError) -> ClientWebSocket {
        guard let url = base.resolving("/signals") else { throw .refused(0, "invalid address \(base)") }
        let request = HTTPRequest(
            .get, url, deadlines: HTTPDeadlines(connect: Self.connectTimeout, idle: Self.connectTimeout))
        do throws(WebSocketOpeningError) {
            return try await http.openWebSocket(request, limits: Self.limits)
        } catch {
            switch error {
            case .http(let error): throw GatewayError(error)
            case .refused(let failure): throw .malformed("the signals refuse a WebSocket (\(failure))")
            }
        }
    }

    /// Delivers messages until the link ends, or the task is cancelled.
    private func exchange(_ socket: ClientWebSocket, _ attempts: inout LinkAttempts) async throws(GatewayError) {
        let (inputs, feed) = AsyncStream<Input>.makeStream()
        // It ends with the socket.
        Task {
            while true {
                let event = await socket.receive()
                feed.yield(.received(event))
                if case .closed = event { return }
            }
        }
        let heard = Mutex(clock.monotonicNow)
        let watch = Task { [clock, silence] in
            while !Task.isCancelled {
                let rest = heard.withLock(\.self) + silence - clock.monotonicNow
                // Without a live page nothing is expected.
                guard rest > .zero || isLive.load(ordering: .relaxed) else {
                    try await clock.sleep(for: silence)
                    continue
                }
                if rest <= .zero {
                    feed.yield(.silent)
                    return
                }
                try await clock.sleep(for: rest)
            }
        }
        defer { watch.cancel() }
        for await input in inputs {
            heard.withLock { $0 = clock.monotonicNow }
            switch input {
            case .received(.message(let message)):
                attempts.delivered()
                switch message {
                case .text(let text): deliver(.message(Array(text.utf8)))
                case .binary(let data): deliver(.message(data))
                }
            case .received(.pong): break
            case .received(.closed(let code, _)): throw .unreachable("the signals ended (\(code.rawValue))")
            case .silent: throw .timedOut
            }
        }
        throw .cancelled
    }
}
