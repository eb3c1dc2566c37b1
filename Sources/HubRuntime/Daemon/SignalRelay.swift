import Glibc
import Synchronization

/// The signals to the daemon, for one round of services after the other: those that ask it to stop, and SIGHUP, which asks it to read its settings.
final class SignalRelay: Sendable {
    private struct State {
        var received: [Int32] = []
        var current: AsyncStream<Int32>.Continuation?
        var reread: AsyncStream<Void>.Continuation?
    }

    private let isHangup: @Sendable () -> Bool
    private let state = Mutex(State())

    /// `isHangup` says whether a SIGHUP that comes means what it says, that the terminal is gone; then it asks to stop.
    init(isHangup: @escaping @Sendable () -> Bool = { false }) { self.isHangup = isHangup }

    /// Hands on `signals` until the task is cancelled.
    func follow(_ signals: AsyncStream<Int32>) async {
        for await number in signals {
            let isReread = number == SIGHUP && !isHangup()
            state.withLock { state in
                if isReread {
                    state.reread?.yield()
                } else {
                    state.received.append(number)
                    state.current?.yield(number)
                }
            }
        }
    }

    /// Whether there was a signal.
    var haveCome: Bool { state.withLock { !$0.received.isEmpty } }

    /// The wishes in the next round to read the settings; each round reads them at its begin.
    func rereads() -> AsyncStream<Void> {
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        state.withLock { $0.reread = continuation }
        return stream
    }

    /// The signals for the next round that ask it to stop, those included that came before.
    func next() -> AsyncStream<Int32> {
        let (stream, continuation) = AsyncStream.makeStream(of: Int32.self)
        state.withLock { state in
            for number in state.received { continuation.yield(number) }
            state.current = continuation
        }
        return stream
    }
}

/// The terminal that a process was started in, if there is one.
struct ControllingTerminal: Sendable {
    private let wasThere: Bool

    /// Looks whether there is one. With SIGHUP ignored, as `nohup` does, the process is to outlive it.
    init() {
        var action = sigaction()
        sigaction(SIGHUP, nil, &action)
        let isIgnored = unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == 1
        wasThere = !isIgnored && Self.isThere
    }

    /// Whether it was closed since, or its connection was lost.
    var isGone: Bool { wasThere && !Self.isThere }

    private static var isThere: Bool {
        let terminal = open("/dev/tty", O_RDONLY | O_NOCTTY | O_CLOEXEC)
        if terminal >= 0 { close(terminal) }
        return terminal >= 0
    }
}
