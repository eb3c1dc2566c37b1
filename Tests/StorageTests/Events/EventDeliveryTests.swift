import HubKitTesting
import Synchronization
import TestSupport
import Testing

@testable import Storage

struct EventDeliveryTests {
    private let bench = EventBench()

    private func cursor(of id: String = "flow.test") async throws -> DeliveryCursor? {
        try await bench.store.read { tx in try tx.cursor(of: id) }
    }

    /// Runs `delivery` as the daemon does while `body` runs, and ends it gracefully.
    private func running(
        _ delivery: EventDelivery, since start: Instant? = nil, _ body: () async throws -> Void
    ) async throws {
        let task = Task { [start = start ?? bench.clock.now] in try await delivery.run(since: start) }
        try await body()
        task.cancel()
        try await task.value
    }

    @Test func `a commit wakes the subscriber, which gets the events in order`() async throws {
        let recorder = Recorder()
        try await running(bench.delivery(to: recorder.subscriber(start: .beginning))) {
            try await bench.emit("1", "2")
            #expect(await recorder.next(2) == ["1", "2"])
            try await bench.emit("3")
            #expect(await recorder.next(1) == ["3"])
        }
        #expect(try await cursor() == DeliveryCursor(sequence: 3))
    }

    @Test func `a new subscriber begins now, or with the oldest event`() async throws {
        try await bench.emit("old")
        bench.clock.advance(by: .seconds(1))
        let (now, beginning) = (Recorder(), Recorder())
        let delivery = bench.delivery(
            to: now.subscriber("flow.now"), beginning.subscriber("flow.beginning", start: .beginning))
        try await running(delivery) {
            #expect(await beginning.next(1) == ["old"])
            try await bench.emit("new")
            #expect(await beginning.next(1) == ["new"])
            #expect(await now.next(1) == ["new"])
        }
    }

    @Test func `a new subscriber gets what was emitted before its delivery came to run`() async throws {
        try await bench.emit("old")
        bench.clock.advance(by: .seconds(1))
        let start = bench.clock.now
        // As another service of the daemon does on a busy machine.
        try await bench.emit("early")
        bench.clock.advance(by: .seconds(1))
        let recorder = Recorder()
        try await running(bench.delivery(to: recorder.subscriber()), since: start) {
            #expect(await recorder.next(1) == ["early"])
        }
    }

    @Test func `after a restart delivery goes on where it was saved`() async throws {
        let (first, second) = (Recorder(), Recorder())
        try await running(bench.delivery(to: first.subscriber(start: .beginning))) {
            try await bench.emit("1")
            #expect(await first.next(1) == ["1"])
        }
        try await bench.emit("2")
        try await running(bench.delivery(to: second.subscriber())) {
            #expect(await second.next(1) == ["2"])
        }
        #expect(await second.all() == [])
    }

    @Test func `an event whose cursor was not saved comes again`() async throws {
        // As after a crash between the handler and the save: the event was handled, the cursor is the old one.
        let recorder = Recorder()
        try await bench.emit("1")
        try await bench.store.write(bench.operation) { tx in try tx.save(DeliveryCursor(sequence: 0), of: "flow.test") }
        struct Crash: Error {}
        let delivery = SubscriberDelivery(
            subscriber: Subscriber(id: "flow.test", summary: "", patterns: ["domain.*"]) { _ in
                withUnsafeCurrentTask { $0?.cancel() }
                throw Crash()
            }, store: bench.store, clock: bench.clock, log: bench.log)
        try await Task { [bench] in try await delivery.run(from: bench.clock.now) { _ in false } }.value
        #expect(try await cursor() == DeliveryCursor(sequence: 0))
        await bench.delivery(to: recorder.subscriber()).deliverPending(
            ["domain.test/added"], since: bench.clock.now, within: .seconds(2))
        #expect(await recorder.all() == ["1"])
    }

    @Test func `a failed event is tried again, later ones wait behind it`() async throws {
        let recorder = Recorder(failures: ["1": 1])
        try await running(bench.delivery(to: recorder.subscriber(start: .beginning))) {
            try await bench.emit("1", "2")
            #expect(await recorder.next(1) == ["1 failed"])
            await bench.clock.sleepers(atLeast: 1)
            #expect(try await cursor()?.attempts == 1)
            bench.clock.advance(by: .seconds(1))
            #expect(await recorder.next(2) == ["1", "2"])
        }
    }

    @Test func `an event that fails too often is set aside, and retried when a person asks`() async throws {
        let recorder = Recorder(failures: ["1": 2])
        let subscriber = recorder.subscriber(start: .beginning, attempts: 2)
        try await running(bench.delivery(to: subscriber)) {
            try await bench.emit("1", "2")
            #expect(await recorder.next(1) == ["1 failed"])
            await bench.clock.sleepers(atLeast: 1)
            bench.clock.advance(by: .seconds(1))
            #expect(await recorder.next(2) == ["1 failed", "2"])
        }
        let dead = try await bench.store.read { tx in try tx.deadEvents() }
        #expect(dead.map(\.event.subject) == ["1"])
        #expect(dead.first?.subscriber == "flow.test")
        #expect(dead.first?.error == "Refusal()")
        let id = try #require(dead.first?.id)
        try await bench.store.write(bench.operation) { tx in _ = try tx.retryDeadLetter(id) }
        await bench.delivery(to: subscriber).deliverPending(
            ["domain.test/added"], since: bench.clock.now, within: .seconds(2))
        #expect(await recorder.all() == ["1"])
        #expect(try await bench.store.read { tx in try tx.deadEvents() } == [])
    }

    @Test func `a dead event that fails again stays dead`() async throws {
        let recorder = Recorder(failures: ["1": 9])
        let subscriber = recorder.subscriber(start: .beginning, attempts: 1)
        let delivery = bench.delivery(to: subscriber)
        try await bench.emit("1")
        await delivery.deliverPending(["domain.test/added"], since: bench.clock.now, within: .seconds(2))
        let id = try #require(try await bench.store.read { tx in try tx.deadEvents() }.first?.id)
        try await bench.store.write(bench.operation) { tx in _ = try tx.retryDeadLetter(id) }
        await delivery.deliverPending(["domain.test/added"], since: bench.clock.now, within: .seconds(2))
        let dead = try await bench.store.read { tx in try tx.deadEvents() }
        #expect(dead.map(\.isRetrying) == [false])
        #expect(await recorder.all() == ["1 failed", "1 failed"])
    }

    @Test func `all dead events that a person asks for are retried at once, however many`() async throws {
        let count = SubscriberDelivery.deadLetterBatch + 20
        let names = (0..<count).map { "e\($0)" }
        // The last one fails twice.
        let recorder = Recorder(
            failures: Dictionary(uniqueKeysWithValues: names.map { ($0, $0 == names.last ? 2 : 1) }))
        let subscriber = recorder.subscriber(start: .beginning, attempts: 1)
        for name in names { try await bench.emit(name) }
        let delivery = SubscriberDelivery(
            subscriber: subscriber, store: bench.store, clock: bench.clock, log: bench.log)
        try await delivery.run(from: bench.clock.now) { _ in false }
        let dead = try await bench.store.read { tx in try tx.deadEvents() }
        #expect(dead.count == count)
        try await bench.store.write(bench.operation) { tx in
            for letter in dead { _ = try tx.retryDeadLetter(letter.id) }
        }
        try await delivery.run(from: bench.clock.now) { _ in false }
        let left = try await bench.store.read { tx in try tx.deadEvents() }
        #expect(left.map(\.event.subject) == [names.last] && left.map(\.isRetrying) == [false])
    }

    @Test func `of two deliverers one delivers, and the other leaves it to that one`() async throws {
        try await withTemporaryDirectory { directory in
            let locks = FileLocks(directory: directory, clock: bench.clock)
            let (first, second) = (Recorder(), Recorder())
            try await running(bench.delivery(to: first.subscriber(start: .beginning), locks: locks)) {
                try await bench.emit("1")
                #expect(await first.next(1) == ["1"])
                try await bench.emit("2")
                await bench.delivery(to: second.subscriber(), locks: locks).deliverPending(
                    ["domain.test/added"], since: bench.clock.now, within: .seconds(2))
                #expect(await first.next(1) == ["2"])
            }
            try await bench.emit("3")
            await bench.delivery(to: second.subscriber(), locks: locks).deliverPending(
                ["domain.test/added"], since: bench.clock.now, within: .seconds(2))
            #expect(await second.all() == ["3"])
        }
    }

    @Test func `a command delivers what it emitted, also to a subscriber that is new`() async throws {
        try await bench.emit("old")
        bench.clock.advance(by: .seconds(1))
        let start = bench.clock.now
        try await bench.emit("mine")
        let recorder = Recorder()
        await bench.delivery(to: recorder.subscriber()).deliverPending(
            ["domain.test/added"], since: start, within: .seconds(2))
        #expect(await recorder.all() == ["mine"])
    }

    @Test func `a command does not wait for a slow handler longer than it may`() async throws {
        let (began, hasBegun) = AsyncStream<Void>.makeStream()
        let clock = bench.clock
        let slow = Subscriber(id: "flow.slow", summary: "", patterns: ["domain.*"], start: .beginning) { _ in
            hasBegun.yield()
            try await clock.sleep(for: .seconds(60))
        }
        try await bench.emit("1")
        let delivery = bench.delivery(to: slow)
        let command = Task {
            await delivery.deliverPending(["domain.test/added"], since: clock.now, within: .seconds(2))
        }
        for await _ in began { break }
        await clock.sleepers(atLeast: 2)
        clock.advance(by: .seconds(2))
        await command.value
        #expect(try await cursor(of: "flow.slow")?.attempts == 0)
    }

    @Test func `a subscriber that is missing for a moment gets what it missed`() async throws {
        let (before, other, after) = (Recorder(failures: ["1": 9]), Recorder(), Recorder())
        try await bench.emit("1")
        await deliver(to: before.subscriber("hook.a", start: .beginning), since: bench.clock.now)
        try await bench.emit("2")
        await deliver(to: other.subscriber("hook.b", start: .beginning), since: bench.clock.now)
        try await forgetAbsent(besides: other.subscriber("hook.b"))
        for _ in 0..<6 {
            bench.clock.advance(by: .seconds(86_400))
            try await forgetAbsent(besides: other.subscriber("hook.b"))
        }
        let pruned = try await OutboxPruner(store: bench.store, subscribers: [], clock: bench.clock).prune(
            before: bench.clock.now)
        await deliver(to: after.subscriber("hook.a"), since: bench.clock.now)
        #expect(await before.all() == ["1 failed"])
        #expect(await other.all() == ["1", "2"])
        #expect(pruned == 0)
        #expect(await after.all() == ["1", "2"])
    }

    @Test func `a subscriber that is missing for longer begins with what is new`() async throws {
        let (before, after) = (Recorder(), Recorder())
        try await bench.emit("1")
        await deliver(to: before.subscriber("hook.a", start: .beginning), since: bench.clock.now)
        try await bench.emit("2")
        try await forgetAbsent()
        for _ in 0..<7 {
            bench.clock.advance(by: .seconds(86_400))
            try await forgetAbsent()
        }
        let start = bench.clock.now
        try await bench.emit("3")
        await deliver(to: after.subscriber("hook.a"), since: start)
        #expect(await before.all() == ["1"])
        #expect(await after.all() == ["3"])
    }

    @Test func `a subscriber that is back counts as never missing`() async throws {
        let recorder = Recorder()
        try await bench.emit("1")
        await deliver(to: recorder.subscriber("hook.a", start: .beginning), since: bench.clock.now)
        try await forgetAbsent()
        try await forgetAbsent(besides: recorder.subscriber("hook.a"))
        bench.clock.advance(by: AbsentSubscribers.grace)
        try await forgetAbsent()
        #expect(try await cursor(of: "hook.a") != nil)
    }

    /// Clocks jump in machines without a battery, and a machine may be off for weeks.
    @Test(arguments: [100, -100, 8])
    func `a clock that jumps uses up no day of a missing subscriber`(days: Int) async throws {
        let after = Recorder()
        try await bench.emit("1")
        await deliver(to: Recorder().subscriber("hook.a", start: .beginning), since: bench.clock.now)
        try await bench.emit("2")
        try await forgetAbsent()
        bench.clock.advance(by: .seconds(86_400 * days))
        for _ in 0..<5 {
            try await forgetAbsent()
            bench.clock.advance(by: .seconds(86_400))
        }
        try await forgetAbsent()
        await deliver(to: after.subscriber("hook.a"), since: bench.clock.now)
        #expect(await after.all() == ["2"])
    }

    private func deliver(to subscriber: Subscriber, since: Instant) async {
        await bench.delivery(to: subscriber).deliverPending(["domain.test/added"], since: since, within: .seconds(2))
    }

    private func forgetAbsent(besides subscribers: Subscriber...) async throws {
        try await AbsentSubscribers(
            store: bench.store, subscribers: subscribers, clock: bench.clock, log: bench.log
        ).forget()
    }

    @Test func `a handler that must come to its end is waited for, and nothing is begun after it`() async throws {
        let (began, hasBegun) = AsyncStream<String>.makeStream()
        let (release, mayEnd) = AsyncStream<Void>.makeStream()
        let hook = Subscriber(
            id: "hook.slow", summary: "", patterns: ["domain.*"], start: .beginning, comesToItsEnd: true
        ) { event in
            hasBegun.yield(event.subject)
            for await _ in release { break }
            try Task.checkCancellation()
        }
        try await bench.emit("1", "2")
        let (delivery, clock) = (bench.delivery(to: hook), bench.clock)
        let command = Task {
            await delivery.deliverPending(["domain.test/added"], since: clock.now, within: .seconds(2))
        }
        var beginnings = began.makeAsyncIterator()
        #expect(await beginnings.next() == "1")
        await clock.sleepers(atLeast: 1)
        clock.advance(by: .seconds(2))
        mayEnd.yield()
        await command.value
        hasBegun.finish()
        #expect(await beginnings.next() == nil, "the second event waits for the next command")
        #expect(try await cursor(of: "hook.slow") == DeliveryCursor(sequence: 1))
    }

    @Test func `what a command left is delivered by the next one, whatever that does`() async throws {
        let recorder = Recorder()
        try await bench.emit("1")
        await deliver(to: recorder.subscriber(start: .beginning), since: bench.clock.now)
        try await bench.emit("2")
        await bench.delivery(to: recorder.subscriber()).deliverPending([], since: bench.clock.now, within: .seconds(2))
        #expect(await recorder.all() == ["1", "2"])
    }

    @Test func `a command without news for anybody asks nobody`() async throws {
        try await bench.emit("1")
        let recorder = Recorder()
        await bench.delivery(to: recorder.subscriber(start: .beginning)).deliverPending(
            ["app.other/thing"], since: bench.clock.now, within: .seconds(2))
        #expect(await recorder.all() == [])
        #expect(try await cursor() == nil)
    }

    @Test func `the state of a subscriber tells how much waits and what went wrong`() async throws {
        let recorder = Recorder(failures: ["2": 9])
        let subscriber = recorder.subscriber(start: .beginning)
        try await bench.emit("1", "2", "3")
        await bench.delivery(to: subscriber).deliverPending(
            ["domain.test/added"], since: bench.clock.now, within: .seconds(2))
        let status = try #require(try await bench.store.read { tx in try tx.status(of: [subscriber]) }.first)
        #expect(status.waiting == 2)
        #expect(status.dead == 0)
        #expect(status.cursor?.sequence == 1)
        #expect(status.cursor?.error == "Refusal()")
        #expect(status.cursor?.retryAt == bench.clock.now + .seconds(1))
    }

    @Test func `a tail gives what is there and then what comes`() async throws {
        try await bench.emit("1", "2")
        let tail = EventTail(
            after: 1, matching: ["domain.*"], store: bench.store, bus: bench.bus, commits: nil, clock: bench.clock)
        var batches = tail.makeAsyncIterator()
        #expect(try await batches.next()?.map(\.subject) == ["2"])
        let next = Task {
            var batches = batches
            return try await batches.next()?.map(\.subject)
        }
        try await bench.emit("3")
        #expect(try await next.value == ["3"])
    }
}
