import CSystem
import Glibc
import Synchronization

/// The requests that wait for a connection's thread, and the descriptor that wakes it.
final class Mailbox: Sendable {
    /// Readable for poll(2) while requests wait.
    let descriptor: Int32

    private struct State {
        var requests: [Request] = []
        var isClosed = false
    }

    private let state = Mutex(State())

    init() { descriptor = system_wakeup_open() }

    deinit { Glibc.close(descriptor) }

    /// Leaves `request` for the thread, or abandons it when the thread has ended.
    func post(_ request: Request) {
        let isAccepted = state.withLock { state in
            if !state.isClosed { state.requests.append(request) }
            return !state.isClosed
        }
        if isAccepted { system_wakeup_signal(descriptor) } else { request.abandon() }
    }

    /// Takes all requests, in the order in which they were posted.
    func take() -> [Request] {
        system_wakeup_drain(descriptor)
        return state.withLock { state in
            defer { state.requests = [] }
            return state.requests
        }
    }

    /// Abandons what still waits and everything that is posted later.
    func close() {
        let left = state.withLock { state in
            state.isClosed = true
            defer { state.requests = [] }
            return state.requests
        }
        for request in left { request.abandon() }
    }
}
