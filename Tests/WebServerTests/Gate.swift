/// Lets tests hold a handler and learn when it has got there.
struct Gate: Sendable {
    private let arrivals = AsyncStream.makeStream(of: Void.self)
    private let opening = AsyncStream.makeStream(of: Void.self)

    /// Signals an arrival and waits until the gate is opened, or the task is cancelled.
    func pass() async {
        arrivals.continuation.yield()
        for await _ in opening.stream {}
    }

    /// Waits until a task waits at the gate.
    func arrival() async {
        for await _ in arrivals.stream { return }
    }

    /// Lets everybody through.
    func open() { opening.continuation.finish() }
}
