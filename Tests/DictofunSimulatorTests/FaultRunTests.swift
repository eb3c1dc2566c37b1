import DBus
import DictofunDomain
import Glibc
import Hashing
import HubKit
import Storage
import Synchronization
import TestSupport
import Testing

@testable import Dictofun

/// The whole way under all faults at once: what is on the recorder arrives byte for byte, however often hub is killed.
struct FaultRunTests {
    /// How often hub is killed, at random bytes. `HUB_RECORDER_ROUNDS=100` takes as many files as a recorder holds, one of them with
    /// 20 MB; without it the run is a small one.
    private static let rounds = getenv("HUB_RECORDER_ROUNDS").flatMap { Int(String(cString: $0)) } ?? 3
    private static let (count, lastSize) = rounds > 9 ? (255, 20_000_000) : (6, 100_032)
    private static let size = 6400
    private static var totalSize: Int { (count - 1) * size + lastSize }

    /// A run that needs more syncs than these does not end.
    private static let maximumSyncs = 2000

    /// The faults of a transfer that a client can notice. A packet that comes twice and one that is lost, both in one file, cannot be
    /// noticed: there is no checksum.
    private static let packetFaults = ["skip", "battery", "disconnect", "keep-alive", "noise"]
    private static let requestFaults = [
        "drop-request", "corrupt", "locked", "gone", "short", "write-error", "bad-info", "connect-fails",
        "late-services", "no-acquire",
    ]

    /// Stalls are found soon; on a busy machine one may be found where there is none, which costs another attempt.
    private static let timeouts = FTSTimeouts(
        reply: .seconds(20), answer: .seconds(1), data: .seconds(1), storage: .seconds(2), pause: .milliseconds(20))

    /// Switches the recorder off and on, with another MTU and all faults, each of which meets the last file now and then.
    private static func disturb(
        _ simulator: DBusConnection, mtu: Int, areOn: Bool = true
    ) async throws {
        func control(_ request: String) async throws {
            _ = try await simulator.call(
                "hub.Simulator", path: "/hub/simulator", interface: "hub.Simulator1", member: "Do",
                [.string(request)], timeout: .seconds(600))
        }
        let packetCount = Double(lastSize) / Double(min(mtu - 3, 128))
        try await control(#"{"do": "mtu", "value": \#(mtu)}"#)
        for name in packetFaults {
            try await control(#"{"do": "fault", "name": "\#(name)", "rate": \#(areOn ? 0.15 / packetCount : 0)}"#)
        }
        for name in requestFaults {
            try await control(#"{"do": "fault", "name": "\#(name)", "rate": \#(areOn ? 0.02 : 0)}"#)
        }
        try await control(#"{"do": "power-off"}"#)
    }

    /// Syncs under faults until all is here, or `isKilled` of the bytes that were received by this process.
    private static func fetch(
        _ home: SyncTests.Home, _ bus: String, seed: UInt64,
        isKilled: @escaping @Sendable (Int) -> Bool = { _ in false }
    ) async throws {
        var generator = SeededGenerator(seed: seed)
        let simulator = try await DBusConnection.open(DBusAddress(bus), timeout: .seconds(600))
        let received = Mutex((before: 0, now: 0))
        var syncs = 0
        while try await home.dictofun.listRecords(RecordFilter(), limit: 1).total < count {
            syncs += 1
            try #require(syncs <= maximumSyncs, "\(received.withLock(\.before)) bytes in \(maximumSyncs) syncs")
            try await disturb(simulator, mtu: Int.random(in: 23...247, using: &generator))
            _ = try? await home.sync { _, progress in
                let bytes = received.withLock { received in
                    received.now = max(received.now, progress.receivedBytes)
                    return received.before + received.now
                }
                if isKilled(bytes) { kill(getpid(), SIGKILL) }
            }
            received.withLock { $0 = ($0.before + $0.now, 0) }
        }
        if isKilled(.max) { kill(getpid(), SIGKILL) }
        await simulator.close()
    }

    @Test(.timeLimit(.minutes(240)))
    func `under all faults, and killed at random bytes, every file arrives once and byte for byte`() async throws {
        let options = ["--records", "\(Self.count - 1)", "--size", "\(Self.size)"]
        try await SyncTests.withRecorder(options) { simulator, connection, folder, home in
            let last = #"{"do": "add-record", "id": "0000261121094100", "size": \#(Self.lastSize)}"#
            try await simulator.control(last, over: connection)
            try await home.pair()
            await home.database.close()
            let bus = simulator.address.text
            var generator = SeededGenerator(seed: 8)
            for round in 0..<Self.rounds {
                let limit = Int.random(in: 0..<Self.totalSize * 2 / Self.rounds, using: &generator)
                await #expect(processExitsWith: .signal(SIGKILL)) {
                    [folder = folder as String, bus = bus as String, limit = limit as Int, round = round as Int] in
                    let home = SyncTests.Home(folder, bus: bus, timeouts: FaultRunTests.timeouts)
                    try await FaultRunTests.fetch(home, bus, seed: UInt64(round)) { $0 >= limit }
                }
                let survivor = SyncTests.Home(folder, bus: bus)
                #expect(try await survivor.database.checkBlobs().missing == [])
                await survivor.database.close()
            }
            let home = SyncTests.Home(folder, bus: bus, timeouts: Self.timeouts)
            try await Self.fetch(home, bus, seed: 1000)
            let state = try JSONReader.read(
                Array(try await simulator.control(#"{"do": "hashes"}"#, over: connection).utf8))
            let hashes = try await home.files().map { bytes in
                try SHA256.hash(bytes).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
            }
            #expect(hashes == state["hashes"]?.array?.compactMap(\.string))
            // What is here, in the trash or destroyed is not fetched again.
            let records = try await home.dictofun.listRecords(RecordFilter(), limit: 2).found
            try await home.dictofun.records.delete(records.map(\.id), operation: Operation("rm"))
            try await Self.disturb(connection, mtu: 247, areOn: false)
            let again = try await home.sync()
            #expect(again.report?.outcome == .complete && again.records.isEmpty)
        }
    }
}
