import HubKitTesting
import TestSupport
import Testing

@testable import Storage

/// The check of the database once a second, which finds what no datagram announced.
struct DataVersionPollerTests {
    /// A poller of the database in a folder, and what it says.
    private final class Watch: Sendable {
        let bus = EventBus()
        let clock = ManualClock()
        private let task: Task<Void, any Error>
        private let said: AsyncStream<Bool>

        init(_ folder: String) {
            let (said, saying) = AsyncStream<Bool>.makeStream()
            self.said = said
            let poller = DataVersionPoller(path: folder + "/hub.db", bus: bus, clock: clock)
            task = Task {
                defer { saying.finish() }
                try await poller.run { saying.yield($0) }
            }
        }

        /// Lets the next check happen.
        func tick() async {
            await clock.sleepers(atLeast: 1)
            clock.advance(by: DataVersionPoller.interval)
            await clock.sleepers(atLeast: 1)
        }

        /// Ends it; returns all that it said.
        func end() async throws -> [Bool] {
            task.cancel()
            try await task.value
            var all: [Bool] = []
            for await isUntold in said { all.append(isUntold) }
            return all
        }
    }

    private func emit(_ folder: String) async throws {
        let database = Database(at: .directory(folder), plugins: [], clock: SystemClock(), executors: .queues)
        try await database.store(for: "core").write(Operation("test", kind: .cache)) { tx in
            try tx.emit(Event("domain.test/added", subject: "1"))
        }
        await database.close()
    }

    @Test func `a commit that nothing announced is found by the next check, once`() async throws {
        try await withTemporaryDirectory { folder in
            try await emit(folder)
            let watch = Watch(folder)
            await watch.tick()
            try await emit(folder)
            for _ in 0..<3 { await watch.tick() }
            #expect(try await watch.end() == [true])
        }
    }

    @Test func `a commit that was announced is no surprise`() async throws {
        try await withTemporaryDirectory { folder in
            try await emit(folder)
            let watch = Watch(folder)
            await watch.tick()
            try await emit(folder)
            watch.bus.announce(.some(["domain.test/added"]))
            await watch.tick()
            try await emit(folder)
            await watch.tick()
            #expect(try await watch.end() == [false, true])
        }
    }

    @Test func `without a database there is an error, and nothing is made`() async throws {
        try await withTemporaryDirectory { folder in
            let watch = Watch(folder)
            await #expect(throws: (any Error).self) { try await watch.end() }
            #expect(fileNames(in: folder).isEmpty)
        }
    }
}
