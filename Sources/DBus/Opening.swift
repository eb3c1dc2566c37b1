import CSystem
import Dispatch
import Synchronization

/// One attempt to connect. Connecting blocks while a bus does not accept, so the wait for it has a clock of its own.
final class Opening: Sendable {
    private let address: DBusAddress
    private let mailbox: Mailbox
    private let waiting = Mutex<CheckedContinuation<Result<Void, DBusError>, Never>?>(nil)

    init(address: DBusAddress, mailbox: Mailbox) {
        self.address = address
        self.mailbox = mailbox
    }

    /// Starts the connection's thread and returns when it is connected.
    func start(timeout: Duration) async throws(DBusError) {
        try await withCheckedContinuation { continuation in
            waiting.withLock { $0 = continuation }
            guard startThread() else { return finish(.failure(.noMemory)) }
            let (seconds, attoseconds) = timeout.components
            let nanoseconds = Int(clamping: seconds * 1_000_000_000 + attoseconds / 1_000_000_000)
            DispatchQueue.global().asyncAfter(deadline: .now() + .nanoseconds(nanoseconds)) { [self] in
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

    private func startThread() -> Bool {
        let context = Unmanaged.passRetained(self)
        let status = system_start_thread(runConnection, context.toOpaque())
        if status != 0 { context.release() }
        return status == 0
    }

    /// The body of the connection's thread.
    fileprivate func run() {
        ConnectionLoop.run(address: address, mailbox: mailbox, opened: finish)
    }
}

private func runConnection(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    if let context { Unmanaged<Opening>.fromOpaque(context).takeRetainedValue().run() }
    return nil
}
