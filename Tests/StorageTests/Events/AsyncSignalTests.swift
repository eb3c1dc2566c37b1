import HubKitTesting
import Storage
import Testing

struct AsyncSignalTests {
    @Test func `a wake before the wait is not lost, and several count as one`() async {
        let (signal, clock) = (AsyncSignal(), ManualClock())
        for _ in 0..<5 { signal.wake() }
        #expect(await signal.wait(clock: clock))
        let second = Task { await signal.wait(clock: clock) }
        second.cancel()
        #expect(await second.value == false, "the other four are no second wake")
    }

    @Test func `a wait ends at its moment, at once where that is past, and with a wake before it`() async {
        let (signal, clock) = (AsyncSignal(), ManualClock())
        #expect(await signal.wait(until: clock.now - .seconds(1), clock: clock))
        #expect(await signal.wait(until: clock.now, clock: clock))
        let moment = clock.now + .seconds(10)
        let waiting = Task { await signal.wait(until: moment, clock: clock) }
        await clock.sleepers(atLeast: 1)
        clock.advance(by: .seconds(10))
        #expect(await waiting.value)
        let woken = Task { await signal.wait(until: clock.now + .seconds(10), clock: clock) }
        await clock.sleepers(atLeast: 1)
        signal.wake()
        #expect(await woken.value)
        #expect(clock.now == moment)
    }

    @Test func `a moment that a wake came before wakes nobody later`() async {
        let (signal, clock) = (AsyncSignal(), ManualClock())
        let first = Task { await signal.wait(until: clock.now + .seconds(10), clock: clock) }
        await clock.sleepers(atLeast: 1)
        signal.wake()
        #expect(await first.value)
        clock.advance(by: .seconds(60))
        let second = Task { await signal.wait(clock: clock) }
        second.cancel()
        #expect(await second.value == false)
    }

    @Test func `a cancelled wait answers no, and so does every wait after it in that task`() async {
        let (signal, clock) = (AsyncSignal(), ManualClock())
        let task = Task {
            var answers: [Bool] = []
            for _ in 0..<3 { answers.append(await signal.wait(until: clock.now + .seconds(10), clock: clock)) }
            return answers
        }
        await clock.sleepers(atLeast: 1)
        task.cancel()
        #expect(await task.value == [false, false, false])
    }
}
