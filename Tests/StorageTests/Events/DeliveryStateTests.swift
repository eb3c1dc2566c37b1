import Storage
import Testing

struct DeliveryStateTests {
    private let start = Instant(milliseconds: 1_000_000)

    private func event(_ sequence: Int64) -> StoredEvent {
        StoredEvent(
            sequence: sequence, at: start, operation: nil, event: Event("domain.test/added", subject: "\(sequence)"))
    }

    @Test func `events are handled in order and saved once, after the last`() {
        var state = DeliveryState(cursor: DeliveryCursor(sequence: 0))
        #expect(state.take(.woken, now: start) == .fetch(after: 0, limit: 256))
        #expect(state.take(.fetched([event(1), event(3)], position: 5), now: start) == .handle(event(1)))
        #expect(state.take(.handled, now: start) == .handle(event(3)))
        #expect(state.take(.handled, now: start) == .save(DeliveryCursor(sequence: 5)))
        #expect(state.take(.saved, now: start) == .wait(until: nil))
    }

    @Test func `a slow handler's progress is saved between events`() {
        var state = DeliveryState(cursor: DeliveryCursor(sequence: 0))
        _ = state.take(.woken, now: start)
        _ = state.take(.fetched([event(1), event(2), event(3)], position: 3), now: start)
        #expect(state.take(.handled, now: start) == .handle(event(2)))
        #expect(state.take(.handled, now: start + .seconds(1)) == .save(DeliveryCursor(sequence: 2)))
        #expect(state.take(.saved, now: start + .seconds(1)) == .handle(event(3)))
    }

    @Test func `events of others are passed over without a write, until they are many`() {
        var state = DeliveryState(cursor: DeliveryCursor(sequence: 10))
        _ = state.take(.woken, now: start)
        #expect(state.take(.fetched([], position: 500), now: start) == .wait(until: nil))
        #expect(state.take(.woken, now: start) == .fetch(after: 500, limit: 256))
        #expect(state.take(.fetched([], position: 1010), now: start) == .save(DeliveryCursor(sequence: 1010)))
    }

    @Test func `a failed event is tried again after a growing wait, and others wait behind it`() {
        var state = DeliveryState(
            cursor: DeliveryCursor(sequence: 0),
            policy: RetryPolicy(attempts: 8, firstDelay: .seconds(1), longestDelay: .seconds(10)))
        _ = state.take(.woken, now: start)
        _ = state.take(.fetched([event(1), event(2)], position: 2), now: start)
        var now = start
        for (attempt, wait) in [(1, 1), (2, 4), (3, 10), (4, 10)] {
            let retryAt = now + .seconds(wait)
            let cursor = DeliveryCursor(sequence: 0, attempts: attempt, retryAt: retryAt, error: "no")
            #expect(state.take(.failed("no"), now: now) == .save(cursor))
            #expect(state.take(.saved, now: now) == .wait(until: retryAt))
            #expect(state.take(.woken, now: retryAt - .milliseconds(1)) == .wait(until: retryAt))
            #expect(state.take(.woken, now: retryAt) == .handle(event(1)))
            now = retryAt
        }
        #expect(state.take(.handled, now: now) == .handle(event(2)))
        #expect(state.cursor == DeliveryCursor(sequence: 1))
    }

    @Test func `an event that fails too often is set aside, and the next one follows`() {
        var state = DeliveryState(
            cursor: DeliveryCursor(sequence: 0, attempts: 1, retryAt: start, error: "no"),
            policy: RetryPolicy(attempts: 2, firstDelay: .seconds(1), longestDelay: .seconds(1)))
        #expect(state.take(.woken, now: start) == .fetch(after: 0, limit: 256))
        #expect(state.take(.fetched([event(4), event(5)], position: 5), now: start) == .handle(event(4)))
        #expect(
            state.take(.failed("never"), now: start)
                == .moveToDeadLetters(event(4), error: "never", DeliveryCursor(sequence: 4)))
        #expect(state.take(.saved, now: start) == .handle(event(5)))
    }

    @Test func `stopping saves what is done`() {
        var state = DeliveryState(cursor: DeliveryCursor(sequence: 0))
        _ = state.take(.woken, now: start)
        _ = state.take(.fetched([event(1), event(2)], position: 2), now: start)
        _ = state.take(.handled, now: start)
        #expect(state.take(.stopping, now: start) == .save(DeliveryCursor(sequence: 1)))
        #expect(state.take(.saved, now: start) == .stop)
    }

    @Test func `a full read is followed by another`() {
        var limits = DeliveryState.Limits()
        limits.fetch = 2
        var state = DeliveryState(cursor: DeliveryCursor(sequence: 0), limits: limits)
        _ = state.take(.woken, now: start)
        _ = state.take(.fetched([event(1), event(2)], position: 2), now: start)
        _ = state.take(.handled, now: start)
        _ = state.take(.handled, now: start)
        #expect(state.take(.saved, now: start) == .fetch(after: 2, limit: 2))
    }
}
