import Glibc
import HubKitTesting
import SQLite
import Storage
import TestSupport
import Testing

/// Measures the speed of the store without judging it. `HUB_FIGURES=1 swift test -c release --filter StoreFigures`.
@Suite(.enabled(if: getenv("HUB_FIGURES") != nil), .serialized)
struct StoreFigures {
    private static let clock = ContinuousClock()

    private func measure(_ name: String, times: Int, _ body: () async throws -> Void) async rethrows {
        let cpu = cpuTime()
        let duration = try await Self.clock.measure { try await body() }
        let used = (cpuTime() - cpu) / times
        let rate = Int(Double(times) / (duration / .seconds(1)))
        print("figure: \(name): \((duration / times).formatted) µs each, \(used.formatted) of CPU, \(rate) a second")
    }

    /// Returns the CPU time of all threads of this process: other work on the machine does not count.
    private func cpuTime() -> Duration {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }

    @Test(arguments: [Database.Executors.queues, .main])
    func `one write and one read`(executors: Database.Executors) async throws {
        try await withTemporaryDirectory { (folder: String) async throws -> Void in
            for (place, (_, store)) in [("memory", Shelf.inMemory(executors)), ("file", Shelf.open(folder, executors))]
            {
                try await store.write(Operation("add")) { try $0.save("b", "Warm") }
                let name = "\(executors), \(place)"
                try await measure("recorded write of one row, \(name)", times: 1000) {
                    for number in 0..<1000 {
                        try await store.write(Operation("add")) {
                            try $0.run("INSERT INTO shelf_book VALUES (?, 'Title', 1)", "b\(number)")
                        }
                    }
                }
                try await measure("unrecorded write of one row, \(name)", times: 1000) {
                    for number in 0..<1000 {
                        try await store.write(Operation("add", kind: .cache)) {
                            try $0.run("INSERT INTO shelf_title VALUES (?, 'Title')", "b\(number)")
                        }
                    }
                }
                try await measure("read of one row, \(name)", times: 5000) {
                    for _ in 0..<5000 {
                        _ = try await store.read {
                            try $0.row("SELECT title FROM shelf_book WHERE id = ?", "b5") { $0.text(0) }
                        }
                    }
                }
            }
        }
    }

    @Test func `group commits`() async throws {
        try await withTemporaryDirectory { (folder: String) async throws -> Void in
            let (_, store) = Shelf.open(folder)
            try await store.database.prepare()
            for writers in [1, 8, 64, 512] {
                try await measure("unrecorded row by one of \(writers) writers", times: 16384) {
                    try await withThrowingTaskGroup(of: Void.self) { group in
                        for writer in 0..<writers {
                            group.addTask {
                                for number in 0..<16384 / writers {
                                    try await store.write(Operation("event", kind: .cache)) {
                                        try $0.run(
                                            "INSERT OR REPLACE INTO shelf_title VALUES (?, 'Title')",
                                            "\(writers)-\(writer)-\(number)")
                                    }
                                }
                            }
                        }
                        try await group.waitForAll()
                    }
                }
            }
        }
    }

    @Test func `bulk insert, undo and redo of 100 000 rows of 500 bytes`() async throws {
        try await withTemporaryDirectory { (folder: String) async throws -> Void in
            let (database, store) = Shelf.open(folder)
            try await database.prepare()
            let title = String(repeating: "x", count: 500)
            let ids = (0..<100_000).map { _ in Identifier.make() }
            try await measure("recorded row in bulk", times: ids.count) {
                try await store.bulk(Operation("import")) { bulk in
                    for start in stride(from: 0, to: ids.count, by: 500) {
                        try await bulk.chunk { transaction in
                            for id in ids[start..<start + 500] {
                                try transaction.run("INSERT INTO shelf_book VALUES (?, ?, 1)", id, title)
                            }
                        }
                    }
                }
            }
            try await measure("undo of it, with an index of its own", times: ids.count) {
                _ = try await database.history.undo(as: Operation("undo"))
            }
            try await measure("redo of it", times: ids.count) {
                _ = try await database.history.redo(as: Operation("redo"))
            }
            let other = Shelf.open(folder, .main).0
            try await measure("open", times: 1) { try await other.prepare() }
        }
    }

    @Test func `a writer in another process beside a bulk operation`() async throws {
        try await withTemporaryDirectory { (folder: String) async throws -> Void in
            let (_, store) = Shelf.open(folder)
            let (_, other) = Shelf.open(folder)
            try await store.database.prepare()
            try await other.database.prepare()
            let title = String(repeating: "x", count: 500)
            let bulk = Task { () async throws -> Void in
                try await store.bulk(Operation("import")) { bulk in
                    try await bulk.forEach(in: 0..<40_000) { transaction, number in
                        try transaction.run("INSERT INTO shelf_book VALUES (?, ?, 1)", "b\(number)", title)
                    }
                }
            }
            var waits: [Duration] = []
            for number in 0..<100 {
                let start = Self.clock.now
                try await other.write(Operation("add")) {
                    try $0.run("INSERT INTO shelf_book VALUES (?, 'Mine', 1)", "m\(number)")
                }
                waits.append(Self.clock.now - start)
                try await Task.sleep(for: .milliseconds(5))
            }
            waits.sort()
            print(
                "figure: writes beside bulk: p50 \(waits[50].formatted), p99 \(waits[98].formatted), worst \(waits[99].formatted) µs"
            )
            try await bulk.value
        }
    }
}

extension Duration {
    fileprivate var formatted: String {
        let tenths = Int(self / .nanoseconds(100))
        return "\(tenths / 10).\(tenths % 10)"
    }
}
