import Glibc
import Storage
import Synchronization

/// Durable events: how many a second, and how long from a commit here to the handler in another process.
struct EventsBenchmark {
    let directory: String

    private static let writers = HubBench.size(512, smallest: 4)
    private static let eventsPerWriter = HubBench.size(100, smallest: 5)
    private static let pings = HubBench.size(2000, smallest: 20)
    private static let warmUp = HubBench.size(50)

    /// Prints events per second, and the median and the 99th percentile of the latency in milliseconds.
    func run() async throws {
        let (database, bus) = open()
        let rate = try await throughput(of: database.store(for: "core"))
        let latencies = try await latencies(of: database.store(for: "core"), bus)
        let sorted = latencies.sorted()
        HubBench.write("\(rate) \(sorted[sorted.count / 2]) \(sorted[sorted.count * 99 / 100])\n", to: 1)
    }

    /// The other process: notes when it handles each ping, and prints the notes after the last one.
    func handle() async throws {
        let (database, bus) = open()
        let (done, finish) = AsyncStream<Void>.makeStream()
        let notes = Mutex("")
        let subscriber = Subscriber(id: "bench", summary: "", patterns: ["app.bench/ping"]) { event in
            let now = EventsBenchmark.now
            notes.withLock { $0 += "\(event.subject) \(now)\n" }
            if event.subject == "\(EventsBenchmark.pings - 1)" { finish.yield() }
        }
        try bus.listen()
        let delivery = EventDelivery(
            to: [subscriber], store: database.store(for: "core"), locks: database.locks, bus: bus,
            commits: DataVersionPoller(path: directory + "/hub.db", bus: bus, clock: SystemClock()),
            clock: SystemClock(),
            log: Log(label: "bench") { _, _, line in HubBench.write(line + "\n", to: 2) })
        let task = Task { try await delivery.run(since: SystemClock().now) }
        for await _ in done { break }
        task.cancel()
        try await task.value
        bus.close()
        HubBench.write(notes.withLock { $0 }, to: 1)
    }

    /// Many writers with one event each time, as a busy daemon has them; those that wait share a commit.
    private func throughput(of store: Store) async throws -> Int {
        let start = EventsBenchmark.now
        try await withThrowingTaskGroup { group in
            for writer in 0..<EventsBenchmark.writers {
                group.addTask {
                    for number in 0..<EventsBenchmark.eventsPerWriter {
                        try await store.write(Operation("bench", kind: .cache)) { tx in
                            try tx.emit(Event("app.bench/made", subject: "\(writer)-\(number)"))
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        let seconds = Double(EventsBenchmark.now - start) / 1e9
        return Int(Double(EventsBenchmark.writers * EventsBenchmark.eventsPerWriter) / seconds)
    }

    /// From the moment at which a commit has returned to the handler; below zero counts as zero.
    private func latencies(of store: Store, _ bus: EventBus) async throws -> [Double] {
        let clock = SystemClock()
        async let handler = Subprocess(CommandLine.arguments[0], ["events-handler", directory]).run(
            outputLimit: 1 << 20, timeout: .seconds(120))
        while try await store.read({ tx in try tx.status(of: [EventsBenchmark.probe]) }).first?.cursor == nil {
            try await clock.sleep(for: .milliseconds(20))
        }
        var committed: [Int64] = []
        for ping in 0..<EventsBenchmark.pings {
            try await store.write(Operation("bench", kind: .cache)) { tx in
                try tx.emit(Event("app.bench/ping", subject: "\(ping)"))
            }
            committed.append(EventsBenchmark.now)
            try await clock.sleep(for: .milliseconds(1))
        }
        let lines = String(decoding: try await handler.output, as: UTF8.self).split(separator: "\n")
        return lines.compactMap { line in
            let words = line.split(separator: " ").compactMap { Int64($0) }
            guard words.count == 2, words[0] >= EventsBenchmark.warmUp else { return nil }
            return Double(max(words[1] - committed[Int(words[0])], 0)) / 1e6
        }
    }

    private static let probe = Subscriber(id: "bench", summary: "", patterns: ["app.bench/ping"]) { _ in }

    private func open() -> (Database, EventBus) {
        let database = Database(at: .directory(directory), plugins: [], clock: SystemClock(), executors: .queues)
        let bus = EventBus(directory: directory + "/events")
        database.onCommit { topics in bus.announce(.some(topics)) }
        return (database, bus)
    }

    /// Nanoseconds of the machine's monotonic clock, which all processes share.
    private static var now: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}
