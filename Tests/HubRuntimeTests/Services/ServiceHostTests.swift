import Glibc
import HubKitTesting
import HubRuntime
import System
import Testing

@Suite(.timeLimit(.minutes(20)))
struct ServiceHostTests {
    private func start(
        _ orders: [ScriptedService.Order] = []
    ) -> (
        run: Task<Void, Never>, signals: AsyncStream<Int32>.Continuation, reports: AsyncStream<ScriptedService.Report>
    ) {
        let (reports, reported) = AsyncStream.makeStream(of: ScriptedService.Report.self)
        let (signals, signal) = AsyncStream.makeStream(of: Int32.self)
        let service = SupervisedService("a") {
            let (stream, continuation) = AsyncStream.makeStream(of: ScriptedService.Order.self)
            for order in orders { continuation.yield(order) }
            return ScriptedService(id: "a", reports: reported, orders: stream)
        }
        let (clock, log) = (ManualClock(now: Instant(milliseconds: 0)), Log(label: "test") { _, _, _ in })
        let supervisor = Supervisor([service], clock: clock, log: log)
        let host = ServiceHost(supervisor, notifier: nil, clock: clock, log: log)
        return (Task { await host.run(until: signals) }, signal, reports)
    }

    @Test func `the first signal stops gracefully`() async {
        let (run, signals, reports) = start()
        var iterator = reports.makeAsyncIterator()
        #expect(await iterator.next() == .running("a"))
        signals.yield(SIGTERM)
        #expect(await iterator.next() == .stopped("a"))
        await run.value
    }

    @Test func `a second signal does not wait for a service that hangs`() async {
        let (run, signals, reports) = start([.ignoreCancellation])
        var iterator = reports.makeAsyncIterator()
        #expect(await iterator.next() == .running("a"))
        signals.yield(SIGINT)
        signals.yield(SIGINT)
        await run.value
    }

    @Test func `cancelling the task stops gracefully`() async {
        let (run, signals, reports) = start()
        var iterator = reports.makeAsyncIterator()
        #expect(await iterator.next() == .running("a"))
        run.cancel()
        #expect(await iterator.next() == .stopped("a"))
        await run.value
        signals.finish()
    }
}
