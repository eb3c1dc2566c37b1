import Dispatch
import Synchronization
import Threading
import Time

/// One attempt to connect. Connecting blocks while a bus does not accept, so the wait for it has a clock of its own.
final class Opening: Sendable {
    private let address: DBusAddress
    private let queue: ConnectionQueue
    private let waiting = Mutex<CheckedContinuation<Result<Void, DBusError>, Never>?>(nil)

    init(address: DBusAddress, queue: ConnectionQueue) {
        self.address = address
        self.queue = queue
    }

    /// Starts the connection's thread and returns when it is connected.
    func start(timeout: Duration) async throws(DBusError) {
        try await withCheckedContinuation { continuation in
            waiting.withLock { $0 = continuation }
            guard startThread() else { return finish(.failure(.noMemory)) }
            let limit = DispatchTimeInterval.milliseconds(Int(timeout.pollTimeout))
            DispatchQueue.global().asyncAfter(deadline: .now() + limit) { [self] in
                finish(.failure(.timedOut))
            }
        }.get()
    }

    /// Reports the first outcome; later ones are of no interest.
    private func finish(_ result: Result<Void, DBusError>) {
        let continuation = waiting.withLock { waiting in
            defer { waiting = nil }
            return waiting
        }
        continuation?.resume(returning: result)
    }

    /// Starts the connection's thread.
    private func startThread() -> Bool {
        DetachedThread.start { [self] in ConnectionLoop.run(address: address, queue: queue, opened: finish) } == 0
    }
}
