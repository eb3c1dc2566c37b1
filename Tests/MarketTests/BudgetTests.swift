import FoundationEssentials
import Glibc
import NetworkTestSupport
import System
import TestSupport
import Testing

/// The limit of calls over real processes. The backend's own log and clock are the only evidence.
@Suite(.timeLimit(.minutes(20)))
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

    @Test func `three processes, some of them killed, keep one limit for twenty simulated minutes`() async throws {
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
        var random = SeededGenerator(seed: 11)
        var round = 0
        while clock.milliseconds < 1_790_000_000_000 + 1_200_000 {
            // Bursts that would break the limit, and pauses between them.
            let step = round % 20 < 14 ? Double.random(in: 0.5...3, using: &random) : 90
            try clock.advance(step)
            try await backend.control("clock", "{\"advance\": \(step)}")
            let processes = try (0..<3).map { _ in
                try TestProcess(
                    "\(Self.root)/.build/debug/hub", ["market", "list", "--refresh", "--plain=id"],
                    environment: environment)
            }
            if round % 5 == 4 { processes[round % 3].signal(SIGKILL) }
            // Waiting here would take a thread from all other tests.
            try await BackgroundThread.run { () throws(SystemError) in
                for process in processes { while (try? process.line()) != nil {} }
            } whenRefused: {
                $0
            }
            round += 1
        }
        let log = try await backend.log()
        let times = log.compactMap { $0["time"]?.scalarText.flatMap { Double($0) } }
        #expect(times.count >= 60, "the bursts use the budget up")
        #expect(log.allSatisfy { $0["status"]?.integer != 429 }, "the backend never had to refuse")
        for (index, time) in times.enumerated() {
            #expect(times[index...].prefix { $0 < time + 60 }.count <= 30)
        }
        #expect(
            log.allSatisfy { $0["keys"] == .array([.string("x-cg-demo-api-key")]) }, "the key is in the header only")
    }
}
