import HubKitTesting
import Testing

@testable import Storage

/// The tables of delivery: dead letters, cursors and what they say about what is left to do.
struct DeadLetterTests {
    private let bench = EventBench()

    private func event(_ sequence: Int64) -> StoredEvent {
        StoredEvent(
            sequence: sequence, at: bench.clock.now, operation: sequence == 1 ? "1a" : nil,
            event: Event("domain.test/added", version: 3, subject: "s\(sequence)", uniqueKey: "k", body: #"{"a":1}"#))
    }

    @Test func `a dead letter holds the whole event, and one event dies once per subscriber`() async throws {
        let (event, clock) = (event(1), bench.clock)
        try await bench.store.write(bench.operation) { tx in
            try tx.moveToDeadLetters(event, error: "first", by: "flow.a", at: clock.now)
            try tx.moveToDeadLetters(event, error: "again", by: "flow.a", at: clock.now + .seconds(1))
            try tx.moveToDeadLetters(event, error: "other", by: "flow.b", at: clock.now + .seconds(2))
        }
        let (all, ofA) = try await bench.store.read { tx in
            (try tx.deadEvents(), try tx.deadEvents(of: "flow.a"))
        }
        #expect(all.map(\.error) == ["again", "other"] && ofA == Array(all.prefix(1)))
        #expect(all.allSatisfy { $0.event == event && !$0.isRetrying })
        #expect(ofA.first?.at == clock.now + .seconds(1))
        #expect(try await bench.store.read { try $0.deadEvents(limit: 1) }.map(\.subscriber) == ["flow.a"])
        #expect(try await bench.store.read { try $0.deadEvents(of: "flow.c") }.isEmpty)
    }

    @Test func `a retry that fails again is asked for anew`() async throws {
        let (events, clock) = ([event(2), event(1)], bench.clock)
        let retried = try await bench.store.write(bench.operation) { tx in
            for event in events { try tx.moveToDeadLetters(event, error: "no", by: "flow.a", at: clock.now) }
            for dead in try tx.deadEvents() { #expect(try tx.retryDeadLetter(dead.id)) }
            #expect(try !tx.retryDeadLetter("missing") && !tx.deleteDeadLetter("missing"))
            #expect(try tx.retryingEvents(of: "flow.a", limit: 1).map(\.event.sequence) == [1])
            #expect(try tx.retryingEvents(of: "flow.b", limit: 9).isEmpty)
            let retried = try tx.retryingEvents(of: "flow.a", limit: 9)
            try tx.moveToDeadLetters(events[0], error: "still no", by: "flow.a", at: clock.now)
            return retried
        }
        #expect(retried.map(\.event.sequence) == [1, 2] && retried.allSatisfy(\.isRetrying))
        let left = try await bench.store.write(bench.operation) { tx in
            #expect(try tx.deleteDeadLetter(retried[0].id))
            return try tx.deadEvents()
        }
        #expect(left.map(\.id) == [retried[1].id] && left.map(\.error) == ["still no"])
        #expect(left.allSatisfy { !$0.isRetrying })
    }

    @Test func `a subscriber has something to do when an event, a retry or its time has come`() async throws {
        let (clock, operation) = (bench.clock, bench.operation)
        let subscriber = Recorder().subscriber("flow.a")
        func isPending(after pause: Duration = .zero) async throws -> Bool {
            try await bench.store.read { try $0.hasPending(subscriber, at: clock.now + pause) }
        }
        try await bench.emit("1")
        #expect(try await !isPending(), "one that never ran has no place from which it would go on")
        try await bench.store.write(operation) { try $0.save(DeliveryCursor(sequence: 0), of: "flow.a") }
        #expect(try await isPending())
        let retryAt = clock.now + .seconds(5)
        try await bench.store.write(operation) { tx in
            try tx.save(DeliveryCursor(sequence: 0, attempts: 1, retryAt: retryAt, error: "no"), of: "flow.a")
        }
        #expect(try await !isPending(after: .seconds(4)))
        #expect(try await isPending(after: .seconds(5)))
        try await bench.store.write(operation) { try $0.save(DeliveryCursor(sequence: 1), of: "flow.a") }
        #expect(try await !isPending())
        let event = event(1)
        try await bench.store.write(operation) { tx in
            try tx.emit(Event("app.other/raised", subject: "2"))
            try tx.moveToDeadLetters(event, error: "no", by: "flow.a", at: clock.now)
        }
        #expect(try await !isPending(), "neither events of others nor dead events that were not asked for")
        let id = try await bench.store.read { try $0.deadEvents().first?.id } ?? ""
        _ = try await bench.store.write(operation) { try $0.retryDeadLetter(id) }
        #expect(try await isPending())
    }

    @Test func `the largest body is kept, and one byte more is not`() async throws {
        @Sendable func event(_ bytes: Int) -> Event {
            Event("app.test/big", subject: "", body: #"{"x":""# + String(repeating: "x", count: bytes - 8) + #""}"#)
        }
        #expect(event(Event.maximumBody).body.utf8.count == Event.maximumBody)
        try await bench.store.write(bench.operation) { try $0.emit(event(Event.maximumBody)) }
        let error = await #expect(throws: HubError.self) {
            try await bench.store.write(bench.operation) { try $0.emit(event(Event.maximumBody + 1)) }
        }
        #expect(error?.code == "event-too-large")
        let kept = try await bench.store.read { try $0.recentEvents(matching: [.everything], since: nil, limit: 9) }
        #expect(kept.map(\.event) == [event(Event.maximumBody)])
    }

    @Test func `recent events are those since a moment, the newest of them, oldest first`() async throws {
        let (clock, start) = (bench.clock, bench.clock.now)
        for subject in ["1", "2", "3", "4"] {
            try await bench.emit(subject)
            clock.advance(by: .seconds(1))
        }
        func recent(since: Instant?, limit: Int) async throws -> [String] {
            try await bench.store.read {
                try $0.recentEvents(matching: ["domain.*"], since: since, limit: limit).map(\.subject)
            }
        }
        #expect(try await recent(since: nil, limit: 2) == ["3", "4"])
        #expect(try await recent(since: start + .seconds(1), limit: 9) == ["2", "3", "4"])
        #expect(try await recent(since: start + .seconds(9), limit: 9).isEmpty)
        let numbers = try await bench.store.read { tx in
            try [0, 1, 2, 9].map { try tx.latestEvent(before: start + .seconds($0)) } + [try tx.latestEvent()]
        }
        #expect(numbers == [0, 1, 2, 4, 4])
        #expect(try await bench.store.read { try $0.recentEvents(matching: [], since: nil, limit: 9) }.isEmpty)
    }

    @Test func `an event with a topic that hub does not know is an error that names it`() async throws {
        try await bench.emit("1")
        try await bench.store.write(bench.operation) { tx in
            try tx.run("UPDATE core_event SET topic = 'domain.test/Added'")
        }
        let error = await #expect(throws: HubError.self) {
            try await bench.store.read { try $0.events(after: 0, matching: [.everything], limit: 9) }
        }
        #expect(error?.code == "event-topic" && error?.message.contains("event 1") == true)
    }
}
