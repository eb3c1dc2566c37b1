import Synchronization

/// Lets two sounds be read at a time: each takes a processor for itself, and further ones wait.
final class SoundTurns: Sendable {
    private struct State {
        var count = 0
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private static let limit = 2
    private let state = Mutex(State())

    /// Waits for a turn.
    func begin() async {
        await withCheckedContinuation { continuation in
            let isFree = state.withLock { state in
                guard state.count >= Self.limit else {
                    state.count += 1
                    return true
                }
                state.waiting.append(continuation)
                return false
            }
            if isFree { continuation.resume() }
        }
    }

    /// Gives the turn to the next that waits.
    func end() {
        let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
            guard !state.waiting.isEmpty else {
                state.count -= 1
                return nil
            }
            return state.waiting.removeFirst()
        }
        next?.resume()
    }
}
