import HubKitTesting
import Storage
import Testing

struct EventTailTests {
    private let bench = EventBench()

    private func tail(after start: Int64, _ patterns: TopicPattern...) -> EventTail {
        EventTail(
            after: start, matching: patterns, store: bench.store, bus: bench.bus, commits: nil, clock: bench.clock)
    }

    @Test func `a reader that is slow misses nothing and gets batches of bounded size`() async throws {
        let numbers = (0..<600).map(String.init)
        try await bench.store.write(bench.operation) { tx in
            for number in numbers { try tx.emit(Event("domain.test/added", subject: number)) }
        }
        var batches = tail(after: 0, "domain.*").makeAsyncIterator()
        var subjects: [String] = []
        while subjects.count < 600, let batch = try await batches.next() {
            #expect((1...256).contains(batch.count))
            subjects += batch.map(\.subject)
        }
        #expect(subjects == numbers)
    }

    @Test func `events of other topics are passed over, also when many come between`() async throws {
        try await bench.store.write(bench.operation) { tx in
            for number in 0..<300 { try tx.emit(Event("domain.test/added", subject: "\(number)")) }
            try tx.emit(Event("app.test/wanted", subject: "wanted"))
        }
        var batches = tail(after: 0, "app.test/*").makeAsyncIterator()
        #expect(try await batches.next()?.map(\.subject) == ["wanted"])
    }

    @Test func `two readers are served each for itself`() async throws {
        var first = tail(after: 0, "domain.*").makeAsyncIterator()
        try await bench.emit("1")
        #expect(try await first.next()?.map(\.subject) == ["1"])
        var second = tail(after: 0, "domain.*").makeAsyncIterator()
        try await bench.emit("2")
        #expect(try await second.next()?.map(\.subject) == ["1", "2"])
        #expect(try await first.next()?.map(\.subject) == ["2"])
    }

    @Test func `a cancelled reader ends`() async throws {
        let tail = tail(after: 0, "domain.*")
        let task = Task {
            var count = 0
            for try await batch in tail { count += batch.count }
            return count
        }
        try await bench.emit("1")
        task.cancel()
        let count = (try? await task.value) ?? 0
        #expect(count <= 1)
    }
}
