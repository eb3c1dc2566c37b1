import NotesDomain
import Synchronization
import System

/// Pings the other end of a WebSocket when nothing comes, and ends the connection when nothing comes then either.
final class HeartbeatMonitor: Sendable {
    private let clock: any Clock
    private let start: Duration
    private let state = Mutex(Heartbeat())

    init(clock: any Clock) {
        self.clock = clock
        start = clock.monotonicNow
    }

    /// Records that something came.
    func received() { state.withLock { $0.received(at: clock.monotonicNow - start) } }

    /// Watches a connection until the task is cancelled.
    func run(_ socket: NoteSocket) async {
        while !Task.isCancelled {
            switch state.withLock({ $0.next(at: clock.monotonicNow - start) }) {
            case .wait(let time): try? await clock.sleep(for: time)
            case .ping: socket.ping()
            case .giveUp: return socket.close(1006)
            }
        }
    }
}
