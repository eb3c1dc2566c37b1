import CivilDate
import DAVTestSupport
import FoundationEssentials
import Glibc
import TestSupport
import Testing

/// Two hubs keep one calendar in step and are killed in the middle of it, again and again. `HUB_TEST_SEED` draws other rounds.
@Suite(.timeLimit(.minutes(20)), .serialized)
struct CalendarKillTests {
    private static let tasks = ["Water", "Read", "Run"]
    private static let rounds = 20

    @Test(.seeded) func `two hubs that are killed in mid-sync end equal, with nothing lost`() async throws {
        var random = SeededGenerator(seed: 20_261_126)
        let server = try await RadicaleServer.start()
        let hubs = [try Sandbox(), try Sandbox()]
        // One day for all of it, also when another one begins meanwhile.
        let today = Int(time(nil)) / 86_400
        func day(_ back: Int) -> String { CivilDate(daysSinceEpoch: today - back).description }
        for task in Self.tasks {
            try await Self.run(hubs[0], "mintee", "new", task, "--on", "daily: x >= 5", "--from", day(60))
        }
        let copy = hubs[0].folder + "/copy.db"
        try await Self.run(hubs[0], "backup", copy)
        try await Self.run(hubs[1], "restore", copy, "--yes")
        for hub in hubs {
            try await Self.run(
                hub, "mintee", "accounts", "add", "home", "http://127.0.0.1:\(server.port)", "--user", "ann",
                "--password-command", "echo secret")
        }
        let begin = ContinuousClock.now
        // A process, as those that are killed.
        #expect(try await hubs[0].run("mintee", "sync").code == 0)
        let duration = ContinuousClock.now - begin
        try await Self.run(hubs[1], "mintee", "sync")
        // Each day is said of once; what was said must be there in the end.
        var free = Self.tasks.flatMap { task in (0..<28).map { (task, $0) } }.shuffled(using: &random)
        var said: [String: Int] = [:]
        var killed = 0
        for round in 0..<Self.rounds {
            let hub = hubs[Int.random(in: 0...1, using: &random)]
            for _ in 0..<3 {
                guard let (task, back) = free.popLast() else { continue }
                let (value, date) = (Int.random(in: 1...9, using: &random), day(back))
                try await Self.run(hub, "mintee", "set", task, "\(value)", "--date", date)
                said["\(task) \(date)"] = value
            }
            // Now and then the server loses the calendar, so that there is much to do.
            let isLost = round % 4 > 1
            if isLost { try? FileManager.default.removeItem(atPath: server.data + "/collection-root/ann/mintee") }
            let child = try Child(["mintee", "sync"], in: hub)
            if round.isMultiple(of: 4) {
                #expect(await child.wait() == 0, "\(hub.read("child.log") ?? "")")
                continue
            }
            let longest = isLost ? duration : duration / 10
            try await Task.sleep(for: longest * Double.random(in: 0..<1, using: &random))
            child.signal(SIGKILL)
            if await child.wait() == 128 + SIGKILL { killed += 1 }
        }
        // The number depends on the speed of the machine.
        #expect(killed > 0)
        for _ in 0..<3 { for hub in hubs { try await Self.run(hub, "mintee", "sync") } }
        var tables: [[String]] = []
        for hub in hubs {
            let last = try await hub.runInProcess("mintee", "sync")
            #expect(last.output.contains("up to date"), "\(last.all)")
            #expect(try await hub.runInProcess("doctor").code == 0)
            let table = try await hub.runInProcess("mintee", "export", "--as", "csv")
            #expect(table.code == 0, "\(table.all)")
            tables.append(table.output.split(separator: "\n").map(String.init).sorted())
        }
        #expect(tables[0] == tables[1])
        for (day, value) in said {
            let parts = day.split(separator: " ")
            #expect(
                tables[0].contains { $0.contains(parts[0]) && $0.contains("\(parts[1]),\(value)") },
                "\(day) is \(value)")
        }
    }

    private static func run(_ hub: Sandbox, _ words: String...) async throws {
        let finished = try await hub.runInProcess(words)
        #expect(finished.code == 0, "\(words): \(finished.all)")
    }
}
