import HubKitTesting
import TestSupport
import Testing

@testable import Storage

/// Patterns are matched by own code for live topics and by SQLite for stored events; both mean the same.
struct PatternModelTests {
    private static let pieces = ["app", "domain", "a", "b", "-", "1", ".", "/", "*", "*a", "alert-raised"]

    private func random(_ random: inout SeededGenerator) -> String {
        (0..<Int.random(in: 1...6, using: &random)).compactMap { _ in Self.pieces.randomElement(using: &random) }
            .joined()
    }

    @Test func `random patterns select the same topics in memory and in the outbox`() async throws {
        let bench = EventBench()
        var random = SeededGenerator(seed: 77)
        let topics = [
            "app.a/alert-raised", "app.b/b", "app.a1/a", "domain.b/a-b", "domain.a/a1", "domain.b/alert-raised",
        ]
        .map { Topic(stringLiteral: $0) }
        let patterns = (0..<400).compactMap { _ in TopicPattern(self.random(&random)) }
        #expect(patterns.count > 300)
        for topic in topics {
            try await bench.store.write(bench.operation) { try $0.emit(Event(topic, subject: topic.text)) }
        }
        for pattern in patterns {
            let found = try await bench.store.read {
                try $0.recentEvents(matching: [pattern], since: nil, limit: 100).map(\.subject)
            }
            #expect(found == topics.filter(pattern.matches).map(\.text), "\(pattern), seed 77")
        }
    }

    @Test func `matching takes the product of both lengths at most`() throws {
        let stars = try #require(TopicPattern(String(repeating: "*a", count: 49)))
        let name = Topic(stringLiteral: "app.a/" + String(repeating: "a", count: 94))
        #expect(stars.matches(name))
        let never = try #require(TopicPattern(String(repeating: "*a", count: 49) + "b"))
        #expect(!never.matches(name))
    }

    @Test func `pruning in chunks deletes what a dry run counts`() async throws {
        let bench = EventBench()
        try await bench.store.write(bench.operation) { transaction in
            for number in 0..<4500 { try transaction.emit(Event("domain.test/added", subject: "\(number)")) }
        }
        let clock = FixedClock(now: bench.clock.now)
        clock.advance(by: .seconds(1))
        let pruner = OutboxPruner(store: bench.store, subscribers: [], clock: clock)
        #expect(try await pruner.prune() == 0, "events are kept for 30 days")
        #expect(try await pruner.prune(before: clock.now, dryRun: true) == 4500)
        #expect(try await pruner.prune(before: clock.now, dryRun: true) == 4500, "a dry run deletes nothing")
        #expect(try await pruner.prune(before: clock.now) == 4500)
        #expect(try await pruner.prune(before: clock.now, dryRun: true) == 0)
    }
}
