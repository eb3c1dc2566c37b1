import HubKitTesting
import Storage
import TestSupport
import Testing

/// Random lives of a subscriber: events arrive, the handler fails, the process dies at any step and starts again from
/// what was stored.
struct DeliveryModelTests {
    @Test(.seeded) func `every event is handled or set aside, in order, whatever fails`() {
        for seed in 0..<200 as Range<UInt64> {
            var world = World(seed: seed)
            world.live()
            #expect(world.outOfOrder == [], "seed \(seed)")
            #expect(world.lost == [], "seed \(seed)")
            #expect(world.waitedForThePast == 0, "seed \(seed)")
        }
    }

    /// An outbox, a stored cursor and a clock, without a database.
    private struct World {
        var random: SeededGenerator
        var now = Instant(milliseconds: 0)
        var mine: Set<Int64> = []
        var last: Int64 = 0
        var stored = DeliveryCursor(sequence: 0)
        var handled: Set<Int64> = []
        var dead: Set<Int64> = []
        var outOfOrder: [Int64] = []
        var waitedForThePast = 0

        init(seed: UInt64) { random = SeededGenerator(seed: seed) }

        var lost: Set<Int64> { mine.subtracting(handled).subtracting(dead) }

        mutating func live() {
            for _ in 0..<20 { run(steps: Int.random(in: 1...60, using: &random)) }
            run(steps: .max)
        }

        /// One process: from the stored cursor until it dies after `steps` actions, or nothing is left to do.
        mutating func run(steps: Int) {
            let policy = RetryPolicy(attempts: 3, firstDelay: .seconds(1), longestDelay: .seconds(4))
            var limits = DeliveryState.Limits()
            limits.fetch = 5
            limits.unsavedSkips = 7
            var state = DeliveryState(cursor: stored, policy: policy, limits: limits)
            var input = DeliveryState.Input.woken
            var step = 0
            while step < steps {
                step += 1
                now = now + .milliseconds(Int.random(in: 0...120, using: &random))
                if steps != .max, Bool.random(using: &random) { emit() }
                switch state.take(input, now: now) {
                case .fetch(let after, let limit):
                    let found = mine.filter { $0 > after }.sorted().prefix(limit)
                    let position = found.count == limit ? found.last ?? last : last
                    input = .fetched(found.map(event), position: position)
                case .handle(let event):
                    input = handle(event.sequence)
                case .save(let cursor):
                    stored = cursor
                    input = .saved
                case .moveToDeadLetters(let event, _, let cursor):
                    dead.insert(event.sequence)
                    stored = cursor
                    input = .saved
                case .wait(let until):
                    if let until {
                        if until < now { waitedForThePast += 1 }
                        now = until
                    } else if steps == .max {
                        return
                    } else {
                        emit()
                    }
                    input = .woken
                case .stop:
                    return
                }
            }
        }

        mutating func emit() {
            last += 1
            if Int.random(in: 0..<3, using: &random) > 0 { mine.insert(last) }
        }

        mutating func handle(_ sequence: Int64) -> DeliveryState.Input {
            if Int.random(in: 0..<4, using: &random) == 0 { return .failed("by chance") }
            // All earlier ones of this subscriber must be done with before.
            if mine.contains(where: { $0 < sequence && !handled.contains($0) && !dead.contains($0) }) {
                outOfOrder.append(sequence)
            }
            handled.insert(sequence)
            return .handled
        }

        func event(_ sequence: Int64) -> StoredEvent {
            StoredEvent(sequence: sequence, at: now, operation: nil, event: Event("domain.test/x", subject: ""))
        }
    }
}
