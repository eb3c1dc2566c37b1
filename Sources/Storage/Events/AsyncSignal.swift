/// "Look again": any number of wakes before the waiter looks count as one.
package struct AsyncSignal: Sendable {
    private let stream: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation

    /// Creates a signal that is not set.
    package init() { (stream, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1)) }

    /// Wakes the waiter, now or when it begins to wait.
    package func wake() { continuation.yield() }

    /// Waits until woken, or until `until` by `clock`. False when the task is cancelled; then it stays so.
    package func wait(until: Instant? = nil, clock: any Clock) async -> Bool {
        // The only waiter; a stream's iterators share its one buffer, so a new one each time misses nothing.
        var wakes = stream.makeAsyncIterator()
        guard let until else { return await wakes.next(isolation: #isolation) != nil }
        // Cancelled when this scope ends.
        async let _ = wake(at: until, clock: clock)
        return await wakes.next(isolation: #isolation) != nil
    }

    private func wake(at moment: Instant, clock: any Clock) async {
        let delay = moment - clock.now
        if delay > .zero { try? await clock.sleep(for: delay) }
        if !Task.isCancelled { wake() }
    }
}
