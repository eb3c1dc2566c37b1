/// Lets the recorder's application start its bootloader: it is asked, agrees by an indication, and the link ends.
package struct BootloaderEntry: DFUProcedure {
    private enum State: Hashable, Sendable {
        case ready, subscribing, requesting, accepted, finished
    }

    private let timeout: Duration
    private var state = State.ready
    private var timer = 0

    /// Creates a procedure in which each answer may take `timeout`.
    package init(timeout: Duration = DFUEngine.timeout) { self.timeout = timeout }

    /// None: no image is sent.
    package var progress: (accepted: Int, total: Int) { (0, 0) }

    /// Begins; the link with the application is connected.
    package mutating func start() -> [DFUEngine.Action] {
        guard state == .ready else { return [] }
        state = .subscribing
        return [.subscribe, startTimer()]
    }

    /// Takes an event; events that come too late change nothing.
    package mutating func handle(_ event: DFUEngine.Event) -> [DFUEngine.Action] {
        guard state != .finished, state != .ready else { return [] }
        switch event {
        case .subscribed where state == .subscribing:
            state = .requesting
            return [.write(DFUButtonless.request), startTimer()]
        case .subscribed: return []
        case .notification(let bytes):
            guard state == .requesting, let isAccepted = DFUButtonless.isAccepted(bytes) else { return [] }
            guard isAccepted else { return finish(.failed(.entryRefused)) }
            state = .accepted
            return [startTimer()]
        // The device starts again at once, so the answer to the request may be lost.
        case .disconnected, .failed:
            if state == .accepted { return finish(.done) }
            if case .failed(let reason) = event { return finish(.failed(.link(reason))) }
            return finish(state == .requesting ? .done : .failed(.disconnected))
        case .timeout(let number):
            guard number == timer else { return [] }
            return finish(state == .accepted ? .done : .failed(.timeout))
        case .cancelled: return finish(.failed(.cancelled))
        }
    }

    private mutating func startTimer() -> DFUEngine.Action {
        timer += 1
        return .startTimer(timer, timeout)
    }

    private mutating func finish(_ outcome: DFUEngine.Outcome) -> [DFUEngine.Action] {
        state = .finished
        return [.finish(outcome)]
    }
}
