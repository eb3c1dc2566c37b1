import HubRuntime
import Storage
import Testing

struct ServiceHealthTests {
    private static let policy = RestartPolicy(
        retry: RetryPolicy(attempts: 3, firstDelay: .seconds(1), longestDelay: .seconds(10)),
        settleTime: .seconds(60), stopTime: .seconds(10))

    private func at(_ seconds: Int64) -> Instant { Instant(milliseconds: seconds * 1000) }

    /// A step of a service's life, and what has to follow from it.
    private enum Step: Sendable {
        case start(ServiceHealth.Action)
        case began(Int64)
        case ended(Int64, ServiceHealth.Action)
        case waited(ServiceHealth.Action)
        case stop(Bool)
        case abandon
    }

    private struct Life: Sendable {
        let name: String
        let steps: [Step]
        let state: ServiceHealth.State
        var failures = 0
    }

    private static let lives: [Life] = [
        Life(name: "is built", steps: [.start(.run)], state: .starting),
        Life(name: "runs", steps: [.start(.run), .began(5)], state: .running(since: Instant(milliseconds: 5000))),
        Life(
            name: "fails", steps: [.start(.run), .began(0), .ended(2, .wait(.seconds(1)))],
            state: .backingOff(until: Instant(milliseconds: 3000)), failures: 1),
        Life(
            name: "cannot be built", steps: [.start(.run), .ended(2, .wait(.seconds(1)))],
            state: .backingOff(until: Instant(milliseconds: 3000)), failures: 1),
        Life(
            name: "fails twice and runs",
            steps: [
                .start(.run), .began(0), .ended(0, .wait(.seconds(1))), .waited(.run), .began(1),
                .ended(1, .wait(.seconds(4))), .waited(.run), .began(5),
            ], state: .running(since: Instant(milliseconds: 5000)), failures: 2),
        Life(
            name: "reaches the start limit",
            steps: [
                .start(.run), .began(0), .ended(0, .wait(.seconds(1))), .waited(.run), .began(1),
                .ended(1, .wait(.seconds(4))), .waited(.run), .began(5), .ended(5, .finish), .stop(false),
            ], state: .failed, failures: 3),
        Life(
            name: "has settled before it failed again",
            steps: [
                .start(.run), .began(0), .ended(0, .wait(.seconds(1))), .waited(.run), .began(1),
                .ended(61, .wait(.seconds(1))),
            ], state: .backingOff(until: Instant(milliseconds: 62_000)), failures: 1),
        Life(
            name: "stops while it runs", steps: [.start(.run), .began(0), .stop(true), .ended(1, .finish)],
            state: .stopped),
        Life(
            name: "stops while it is built", steps: [.start(.run), .stop(true), .began(1), .ended(1, .finish)],
            state: .stopped),
        Life(
            name: "stops while it waits",
            steps: [.start(.run), .ended(0, .wait(.seconds(1))), .stop(true), .waited(.finish)], state: .stopped,
            failures: 1),
        Life(name: "does not stop", steps: [.start(.run), .began(0), .stop(true), .abandon], state: .failed),
        Life(name: "was never started", steps: [.stop(false), .abandon], state: .stopped),
    ]

    @Test(arguments: lives.indices)
    func `a service goes through its life as the table says`(index: Int) {
        let life = Self.lives[index]
        var health = ServiceHealth(policy: Self.policy)
        for step in life.steps {
            switch step {
            case .start(let action): #expect(health.start() == action, "\(life.name)")
            case .began(let seconds): health.began(at: at(seconds))
            case .ended(let seconds, let action):
                #expect(health.ended("it broke", at: at(seconds), jitter: 0) == action, "\(life.name)")
            case .waited(let action): #expect(health.waited() == action, "\(life.name)")
            case .stop(let isAwaited): #expect(health.stop() == isAwaited, "\(life.name)")
            case .abandon: health.abandon()
            }
        }
        #expect(health.state == life.state, "\(life.name)")
        #expect(health.failures == life.failures, "\(life.name)")
    }

    @Test func `jitter makes a wait up to a quarter longer`() {
        var health = ServiceHealth(policy: Self.policy)
        _ = health.start()
        #expect(health.ended("x", at: at(0), jitter: 0.8) == .wait(.milliseconds(1200)))
    }

    @Test func `the last error stays known while the service runs again`() {
        var health = ServiceHealth(policy: Self.policy)
        _ = health.start()
        _ = health.ended("no network", at: at(0), jitter: 0)
        _ = health.waited()
        health.began(at: at(1))
        #expect(health.lastError == "no network")
    }
}
