import HubKitTesting
import HubRuntime
import Storage
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(20)))
struct SupervisorTests {
    private typealias Report = ScriptedService.Report
    private typealias Order = ScriptedService.Order

    /// Two services or more under a supervisor, on a clock that the test moves.
    private final class Stage: Sendable {
        let clock = ManualClock(now: Instant(milliseconds: 0))
        let supervisor: Supervisor
        let run: Task<Void, Never>
        private let box = OrderBox()
        let reports: AsyncStream<Report>

        init(_ ids: String...) {
            let (reports, reported) = AsyncStream.makeStream(of: Report.self)
            self.reports = reports
            let box = box
            let services = ids.map { id in
                SupervisedService(id) {
                    ScriptedService(id: id, reports: reported, orders: box.open(id))
                }
            }
            let policy = RestartPolicy(
                retry: RetryPolicy(attempts: 3, firstDelay: .seconds(1), longestDelay: .seconds(10)),
                settleTime: .seconds(60), stopTime: .seconds(10))
            let log = Log(label: "test") { _, _, _ in }
            let supervisor = Supervisor(services, policy: policy, clock: clock, log: log, jitter: { 0 })
            self.supervisor = supervisor
            run = Task { await supervisor.run() }
        }

        func tell(_ id: String, _ order: Order) { box.send(id, order) }

        func state(_ id: String) -> ServiceHealth.State? { supervisor.reports.first { $0.id == id }?.state }
    }

    @Test func `a service that fails is started again after its wait, and the others run on`() async throws {
        let stage = Stage("a", "b")
        var reports = stage.reports.makeAsyncIterator()
        var sleeps = stage.clock.sleeps.makeAsyncIterator()
        #expect(Set([await reports.next(), await reports.next()]) == [.running("a"), .running("b")])
        stage.tell("a", .fail("no network"))
        #expect(await reports.next() == .stopped("a"))
        #expect(await sleeps.next() == .seconds(1))
        #expect(stage.state("a") == .backingOff(until: Instant(milliseconds: 1000)))
        #expect(stage.supervisor.reports.summary == "1 service running, a is restarting")
        stage.clock.advance(by: .seconds(1))
        #expect(await reports.next() == .running("a"))
        #expect(stage.supervisor.reports.first?.lastError == "no network")
        #expect(stage.state("b") == .running(since: Instant(milliseconds: 0)))
        stage.supervisor.stop()
        await stage.run.value
    }

    @Test func `a service that fails again and again is given up, and the others run on`() async throws {
        let stage = Stage("a", "b")
        var reports = stage.reports.makeAsyncIterator()
        var sleeps = stage.clock.sleeps.makeAsyncIterator()
        _ = (await reports.next(), await reports.next())
        for wait in [Duration.seconds(1), .seconds(4)] {
            stage.tell("a", .finish)
            #expect(await reports.next() == .stopped("a"))
            #expect(await sleeps.next() == wait)
            stage.clock.advance(by: wait)
            #expect(await reports.next() == .running("a"))
        }
        stage.tell("a", .fail("broken"))
        #expect(await reports.next() == .stopped("a"))
        for await _ in stage.supervisor.changes where stage.state("a") == .failed { break }
        #expect(stage.supervisor.reports.summary == "1 service running, a failed")
        stage.supervisor.stop()
        #expect(await reports.next() == .stopped("b"))
        await stage.run.value
        #expect(stage.state("a") == .failed)
        #expect(stage.state("b") == .stopped)
    }

    @Test func `a service that the config makes impossible is not tried again`() async throws {
        let (told, telling) = AsyncStream.makeStream(of: String.self)
        let log = Log(label: "test") { level, _, message in if level == .error { telling.yield(message) } }
        let supervisor = Supervisor(
            [
                SupervisedService("web") {
                    throw HubError(.config, code: "bad-address", "no such address", hint: "hub config set x y")
                }
            ], clock: ManualClock(now: Instant(milliseconds: 0)), log: log)
        let run = Task { await supervisor.run() }
        #expect(
            await told.first { _ in true }
                == "web: no such address; hub config set x y; it will not be restarted")
        #expect(supervisor.reports.first?.state == .failed)
        supervisor.stop()
        await run.value
    }

    @Test(arguments: [false, true])
    func `services stop in reverse order, by a request or with the task`(byTask: Bool) async throws {
        let stage = Stage("a", "b", "c")
        var reports = stage.reports.makeAsyncIterator()
        for _ in 0..<3 { _ = await reports.next() }
        if byTask { stage.run.cancel() } else { stage.supervisor.stop() }
        #expect(
            [await reports.next(), await reports.next(), await reports.next()] == [
                .stopped("c"), .stopped("b"), .stopped("a"),
            ])
        await stage.run.value
        #expect(stage.supervisor.reports.allSatisfy { $0.state == .stopped })
    }

    @Test func `a service that waits for its restart stops at once`() async throws {
        let stage = Stage("a")
        var reports = stage.reports.makeAsyncIterator()
        var sleeps = stage.clock.sleeps.makeAsyncIterator()
        _ = await reports.next()
        stage.tell("a", .fail("x"))
        _ = await sleeps.next()
        stage.supervisor.stop()
        await stage.run.value
        #expect(stage.state("a") == .stopped)
    }

    @Test func `a service that does not stop costs the others nothing but its share of the time`() async throws {
        let stage = Stage("a", "b")
        var reports = stage.reports.makeAsyncIterator()
        var sleeps = stage.clock.sleeps.makeAsyncIterator()
        _ = (await reports.next(), await reports.next())
        stage.tell("b", .ignoreCancellation)
        stage.supervisor.stop()
        #expect(await sleeps.next() == .seconds(5))
        stage.clock.advance(by: .seconds(5))
        #expect(await reports.next() == .stopped("a"))
        await stage.run.value
        #expect(stage.state("a") == .stopped)
        #expect(stage.state("b") == .failed)
        #expect(stage.supervisor.reports.last?.lastError == "it did not stop in time")
    }

    @Test func `a service that cannot be built is a failure like another`() async {
        let clock = ManualClock(now: Instant(milliseconds: 0))
        let service = SupervisedService("a") { throw HubError(.unavailable, code: "x", "no address is set") }
        let supervisor = Supervisor([service], clock: clock, log: Log(label: "test") { _, _, _ in }, jitter: { 0 })
        let run = Task { await supervisor.run() }
        var sleeps = clock.sleeps.makeAsyncIterator()
        #expect(await sleeps.next() == .seconds(1))
        #expect(supervisor.reports.first?.lastError == "no address is set")
        run.cancel()
        await run.value
    }
}

/// The orders for each service; a service that is started again hears those that come from then on.
private final class OrderBox: Sendable {
    private let streams = Mutex<[String: AsyncStream<ScriptedService.Order>.Continuation]>([:])

    func open(_ id: String) -> AsyncStream<ScriptedService.Order> {
        let (stream, continuation) = AsyncStream.makeStream(of: ScriptedService.Order.self)
        streams.withLock { $0[id] = continuation }
        return stream
    }

    func send(_ id: String, _ order: ScriptedService.Order) {
        streams.withLock { $0[id] }?.yield(order)
    }
}
