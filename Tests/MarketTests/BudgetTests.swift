import FoundationEssentials
import Glibc
import HTTPClient
import HubKit
import NetworkTestSupport
import TestSupport
import Testing

/// The limit of calls over real processes. The backend's own log and clock are the only evidence.
@Suite(.timeLimit(.minutes(10)))
struct BudgetTests {
    private static let root = "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")

    /// The time that the backend and all processes share, as a file.
    private final class SharedClock {
        let path: String
        private(set) var milliseconds: Int64 = 1_790_000_000_000

        init(_ path: String) throws {
            self.path = path
            try write()
        }

        func advance(_ seconds: Double) throws {
            milliseconds += Int64(seconds * 1000)
            try write()
        }

        private func write() throws {
            let descriptor = open(path, O_WRONLY | O_CREAT, 0o600)
            defer { close(descriptor) }
            var value = milliseconds
            let written = pwrite(descriptor, &value, MemoryLayout<Int64>.size, 0)
            #expect(written == MemoryLayout<Int64>.size)
        }
    }

    /// Another one with `HUB_TEST_SEED`.
    private static let seed = getenv("HUB_TEST_SEED").flatMap { UInt64(String(cString: $0)) } ?? 11

    @Test func `three processes, some of them killed, keep one limit for a simulated hour`() async throws {
        let backend = try Backend("--tokens", "5", "--limit", "30")
        let home = try TemporaryFolder()
        let plan = #"market.coingecko.plan = "demo""#
        let lines = backend.config("coingecko") + [plan, #"market.coingecko.key = "key""#]
        try home.write("[plugins]\n" + lines.joined(separator: "\n") + "\n", to: "config/hub/config.toml")
        let clock = try SharedClock(home.path + "/clock")
        let environment = [
            "HOME": home.path, "XDG_CONFIG_HOME": home.path + "/config", "XDG_DATA_HOME": home.path + "/data",
            "XDG_STATE_HOME": home.path + "/state", "XDG_CACHE_HOME": home.path + "/cache",
            "XDG_RUNTIME_DIR": home.path + "/run", "LC_ALL": "C.UTF-8", "TZ": "UTC", "no_proxy": "*",
            "PATH": "/usr/bin:/bin", "HUB_FAULTS_CLOCK": clock.path,
            "LD_PRELOAD": "\(Self.root)/.build/debug/libFaultInjection.so",
        ]
        mkdir(home.path + "/run", 0o700)
        func hub(_ words: String...) throws -> TestProcess {
            try TestProcess("\(Self.root)/.build/debug/hub", ["market"] + words, environment: environment)
        }
        let (seed, url) = (Self.seed, "/api/v3/coins/coin-0/market_chart")
        var random = SeededGenerator(seed: seed)
        var (round, killed) = (0, 0)
        while clock.milliseconds < 1_790_000_000_000 + 3_600_000 {
            // Bursts of more calls than a minute has, two of them close together, and a pause until the next.
            let place = round % 24
            let step = Double.random(in: place == 23 ? 600...900 : place == 11 ? 20...70 : 0.5...3, using: &random)
            try clock.advance(step)
            try await backend.control("clock", "{\"advance\": \(step)}")
            var processes = try (0..<2).map { _ in try hub("list", "--refresh", "--plain=id") }
            // The third one is killed in the middle of its call, which never gets an answer; its charts are calls of no other.
            let isKilled = round % 5 == 4
            if isKilled { try await backend.fail(#"{"path": "\#(url)", "transport": "hang"}"#) }
            let third = try isKilled ? hub("chart", "coin-0", "--plain") : hub("list", "--refresh", "--plain=id")
            if isKilled {
                let before = killed
                while killed == before, !third.hasEnded {
                    killed = try await backend.log().count { $0["path"]?.string == url }
                }
                third.signal(SIGKILL)
                try await backend.control("faults", method: .delete)
            }
            processes.append(third)
            for process in processes { while (try? process.line()) != nil {} }
            round += 1
        }
        #expect(killed > 10, "processes were killed in the middle of a call")
        let log = try await backend.log()
        let times = log.compactMap { $0["time"]?.scalarText.flatMap { Double($0) } }
        #expect(times.count > 100, "the bursts use the budget up")
        #expect(log.allSatisfy { $0["status"]?.integer != 429 }, "the backend never had to refuse")
        for (index, time) in times.enumerated() {
            #expect(times[index...].prefix { $0 < time + 60 }.count <= 30, "from \(time) on; HUB_TEST_SEED=\(seed)")
        }
        #expect(
            log.allSatisfy { $0["keys"] == .array([.string("x-cg-demo-api-key")]) }, "the key is in the header only")
    }
}
