import HubKitTesting
import Testing

@testable import Storage

struct OutboxTests {
    private let bench = EventBench()

    private func subjects() async throws -> [String] {
        try await bench.store.read { tx in
            try tx.recentEvents(matching: [.everything], since: nil, limit: 100).map(\.subject)
        }
    }

    @Test func `an event is kept with its transaction, numbered in the order of the commits`() async throws {
        try await bench.emit("1", "2")
        try await bench.emit("3")
        let events = try await bench.store.read { tx in try tx.events(after: 0, matching: ["domain.*"], limit: 10) }
        #expect(events.events.map(\.subject) == ["1", "2", "3"])
        #expect(events.events.map(\.sequence) == [1, 2, 3])
        #expect(events.position == 3)
        #expect(events.events.first?.operation == "1a")
    }

    @Test func `an event of a transaction that fails is gone with it`() async throws {
        struct Failure: Error {}
        await #expect(throws: Failure.self) {
            try await bench.store.write(bench.operation) { tx in
                try tx.emit(Event("domain.test/added", subject: "1"))
                throw Failure()
            }
        }
        #expect(try await subjects() == [])
    }

    @Test func `a unique key is emitted once per topic`() async throws {
        for topic: Topic in ["app.test/raised", "app.test/raised", "app.test/cleared"] {
            try await bench.store.write(bench.operation) { tx in
                try tx.emit(Event(topic, subject: topic.entity, uniqueKey: "2026-11-20"))
            }
        }
        #expect(try await subjects() == ["raised", "cleared"])
    }

    @Test(arguments: [
        Event("gate.test/seen", subject: ""), Event("ui.test/themed", subject: ""),
        Event("app.test/big", subject: "", body: #"{"x":""# + String(repeating: "x", count: 16 * 1024) + #""}"#),
        Event("app.test/list", subject: "", body: "[1]"), Event("app.test/garbage", subject: "", body: "{"),
    ])
    func `what is not to be kept, or is no small object, is refused`(event: Event) async throws {
        await #expect(throws: (any Error).self) {
            try await bench.store.write(bench.operation) { tx in try tx.emit(event) }
        }
        #expect(try await subjects() == [])
    }

    @Test func `a read finds the events that match, and says how far it looked`() async throws {
        try await bench.emit("1")
        try await bench.store.write(bench.operation) { tx in try tx.emit(Event("app.test/other", subject: "2")) }
        try await bench.emit("3", "4")
        try await bench.store.write(bench.operation) { tx in try tx.emit(Event("app.test/other", subject: "5")) }
        func read(after: Int64, limit: Int) async throws -> ([String], Int64) {
            let found = try await bench.store.read { tx in
                try tx.events(after: after, matching: ["domain.test/*"], limit: limit)
            }
            return (found.events.map(\.subject), found.position)
        }
        #expect(try await read(after: 0, limit: 2) == (["1", "3"], 3))
        #expect(try await read(after: 3, limit: 2) == (["4"], 5))
        #expect(try await read(after: 5, limit: 2) == ([], 5))
    }

    @Test func `pruning keeps what is young and what a subscriber has not had`() async throws {
        let clock = bench.clock
        try await bench.emit("1", "2", "3")
        try await bench.store.write(bench.operation) { tx in try tx.emit(Event("app.test/other", subject: "4")) }
        clock.advance(by: .seconds(40 * 86_400))
        try await bench.emit("5")
        let subscriber = Subscriber(id: "flow.test", summary: "", patterns: ["domain.*"]) { _ in }
        try await bench.store.write(bench.operation) { tx in
            try tx.save(DeliveryCursor(sequence: 2), of: "flow.test")
        }
        let pruner = OutboxPruner(store: bench.store, subscribers: [subscriber], clock: clock)
        #expect(try await pruner.prune(dryRun: true) == 3)
        #expect(try await subjects() == ["1", "2", "3", "4", "5"])
        #expect(try await pruner.prune() == 3)
        #expect(try await subjects() == ["3", "5"])
        let others = OutboxPruner(store: bench.store, subscribers: [], clock: clock)
        #expect(try await others.prune() == 0, "a subscriber that is missing may be back")
        try await bench.store.write(bench.operation) { tx in try tx.forgetCursor(of: "flow.test") }
        #expect(try await others.prune() == 1)
        #expect(try await subjects() == ["5"])
    }

    @Test func `a cursor never goes back`() async throws {
        try await bench.store.write(bench.operation) { tx in
            try tx.save(DeliveryCursor(sequence: 5), of: "a")
            try tx.save(DeliveryCursor(sequence: 4), of: "a")
        }
        #expect(try await bench.store.read { tx in try tx.cursor(of: "a") } == DeliveryCursor(sequence: 5))
    }
}
