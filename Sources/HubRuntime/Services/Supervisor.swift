package import HubKit
import Synchronization

/// Runs services side by side, restarts those that end, and stops all of them in reverse order.
///
/// What a service does is its own affair: its end, however it comes, stops no other.
package final class Supervisor: Sendable {
    /// Something about a service changed; at most one change waits to be read. For one reader.
    package let changes: AsyncStream<Void>

    private let services: [SupervisedService]
    private let policy: RestartPolicy
    private let clock: any Clock
    private let log: Log
    private let jitter: @Sendable () -> Double
    private let health: Mutex<[ServiceHealth]>
    private let changed: AsyncStream<Void>.Continuation
    private let stopRequests: AsyncStream<Void>
    private let stopRequested: AsyncStream<Void>.Continuation

    /// A supervisor that has not started anything yet. `jitter` gives numbers from 0 up to 1.
    package init(
        _ services: [SupervisedService], policy: RestartPolicy = .standard, clock: any Clock, log: Log,
        jitter: @escaping @Sendable () -> Double = { Double.random(in: 0..<1) }
    ) {
        self.services = services
        self.policy = policy
        self.clock = clock
        self.log = log
        self.jitter = jitter
        health = Mutex(services.map { _ in ServiceHealth(policy: policy) })
        (changes, changed) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
        (stopRequests, stopRequested) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// The reports of the services, in the order in which they were given.
    package var reports: [ServiceReport] {
        health.withLock { zip(services, $0).map { ServiceReport(id: $0.id, health: $1) } }
    }

    /// Starts all services and returns when all have stopped, or their time to stop is over; that begins with `stop`,
    /// or when the task is cancelled.
    package func run() async {
        let (ends, ended) = AsyncStream.makeStream(of: Ending.self)
        // Separate tasks, because they are stopped one by one, and one that does not stop is abandoned.
        let tasks = services.indices.map { index in
            Task {
                await self.supervise(index)
                ended.yield(.stopped(index))
            }
        }
        await withTaskCancellationHandler {
            for await _ in stopRequests { break }
        } onCancel: {
            stop()
        }
        // A task of its own: stopping waits, which this one may no longer do when it was cancelled.
        await Task { await stopAll(tasks, ends, ended) }.value
        changed.finish()
    }

    /// Begins to stop; `run` returns when that is done.
    package func stop() { stopRequested.yield() }

    /// Whether a service ended, or the wait for that.
    private enum Ending: Hashable {
        case stopped(Int)
        case timedOut(Int)
    }

    private func stopAll(
        _ tasks: [Task<Void, Never>], _ ends: AsyncStream<Ending>, _ ended: AsyncStream<Ending>.Continuation
    ) async {
        let deadline = clock.monotonicNow + policy.stopTime
        var seen: Set<Ending> = []
        var iterator = ends.makeAsyncIterator()
        for index in services.indices.reversed() where update(index, { $0.stop() }) {
            tasks[index].cancel()
            // The remaining time is shared, so that a hanging service does not use up that of the others.
            let share = (deadline - clock.monotonicNow) / (index + 1)
            let timer = Task { [clock] in
                try? await clock.sleep(for: max(share, .zero))
                ended.yield(.timedOut(index))
            }
            while !seen.contains(.stopped(index)), !seen.contains(.timedOut(index)), let end = await iterator.next() {
                seen.insert(end)
            }
            timer.cancel()
            if !seen.contains(.stopped(index)) {
                update(index) { $0.abandon() }
                log.error("\(services[index].id) did not stop in time")
            }
        }
    }

    /// Follows one service to its end.
    private func supervise(_ index: Int) async {
        var action = update(index) { $0.start() }
        while action != .finish {
            if case .wait(let delay) = action {
                try? await clock.sleep(for: delay)
                action = update(index) { $0.waited() }
            } else {
                let (reason, isFinal) = await runOnce(index)
                action = update(index) {
                    isFinal ? $0.cannotStart(reason) : $0.ended(reason, at: clock.now, jitter: jitter())
                }
                tell(index, reason, action)
            }
        }
    }

    /// Builds and runs the service; why it ended, in one line, and whether that cannot heal: what the config says is
    /// read once for the process.
    private func runOnce(_ index: Int) async -> (reason: String, isFinal: Bool) {
        let service: any Service
        do {
            // It may read files, and make what is missing of them.
            service = try await BackgroundThread.run(services[index].make)
        } catch {
            return (Self.line(error), (error as? HubError)?.kind == .config)
        }
        update(index) { $0.began(at: clock.now) }
        do {
            try await service.run()
            return ("it ended unexpectedly", false)
        } catch {
            return (Self.line(error), false)
        }
    }

    private static func line(_ error: any Error) -> String {
        let error = error as? HubError ?? HubError(.internal, code: "service", "\(error)")
        let hint = error.hint.map { "; \($0)" } ?? ""
        return String(TerminalSanitizer.line(error.message + hint).prefix(500))
    }

    private func tell(_ index: Int, _ reason: String, _ action: ServiceHealth.Action) {
        let id = services[index].id
        switch action {
        case .wait(let delay): log.warning("\(id): \(reason); restarting in \(delay.components.seconds) s")
        case .finish where reports[index].state == .failed: log.error("\(id): \(reason); it will not be restarted")
        case .finish, .run: log.debug("\(id) stopped")
        }
    }

    @discardableResult
    private func update<Result>(_ index: Int, _ change: (inout ServiceHealth) -> Result) -> Result {
        let result = health.withLock { change(&$0[index]) }
        changed.yield()
        return result
    }
}

/// A service as the supervisor gets it: its name, and how it is built.
package struct SupervisedService: Sendable {
    /// The name under which it is shown, such as `contacts/birthdays`.
    package let id: String
    /// Creates the service for each start, so that nothing of a failed run is left in the next.
    package let make: @Sendable () throws -> any Service

    package init(_ id: String, make: @escaping @Sendable () throws -> any Service) {
        self.id = id
        self.make = make
    }
}
