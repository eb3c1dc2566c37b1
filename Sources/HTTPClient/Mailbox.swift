import Synchronization

/// The queue of requests to a client's own thread, which alone calls libcurl, and the way to wake it.
final class Mailbox: Sendable {
    /// The continuation of the task that waits for a response; resumed exactly once.
    typealias Reply = CheckedContinuation<Result<HTTPResponse, HTTPError>, Never>

    enum QueuedCommand: Sendable {
        case send(HTTPRequest, id: UInt64, Reply)
        case cancel(id: UInt64)
        case close(CheckedContinuation<Void, Never>?)

        /// Resumes the waiting task with the error that the client was closed.
        func abandon() {
            switch self {
            case .send(_, _, let reply): reply.resume(returning: .failure(.closed))
            case .cancel: break
            case .close(let closed): closed?.resume()
            }
        }
    }

    private struct State {
        var letters: [QueuedCommand] = []
        var isClosed = false
    }

    private let state = Mutex(State())
    /// Ends the thread's wait; called only before `close`.
    private let wake: @Sendable () -> Void

    init(wake: @escaping @Sendable () -> Void) { self.wake = wake }

    /// Leaves `letter` for the thread, or abandons it when the thread has ended.
    func post(_ letter: QueuedCommand) {
        let isAccepted = state.withLock { state in
            guard !state.isClosed else { return false }
            state.letters.append(letter)
            wake()
            return true
        }
        if !isAccepted { letter.abandon() }
    }

    /// Takes all letters, in the order in which they were posted.
    func take() -> [QueuedCommand] {
        state.withLock { state in
            defer { state.letters = [] }
            return state.letters
        }
    }

    /// Abandons what still waits and everything that is posted later.
    func close() {
        let left = state.withLock { state in
            state.isClosed = true
            defer { state.letters = [] }
            return state.letters
        }
        for letter in left { letter.abandon() }
    }
}
