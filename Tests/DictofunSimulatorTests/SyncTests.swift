import Commands
import DBus
import DictofunDomain
import Glibc
import HubKit
import HubKitTesting
import Storage
import Synchronization
import TestSupport
import Testing

@testable import Dictofun

/// The plugin against the simulated recorder: what a command does, from the search for the recorder to the record in the store.
struct SyncTests {
    static let address = "C0:DE:00:00:00:01"

    /// The plugin on a store in `folder`, with BlueZ on the bus at `bus`.
    struct Home: Sendable {
        let database: Database
        let dictofun: DictofunPlugin

        /// The machine may be busy: what is waited for always comes where nothing is lost.
        private static let patientTimeouts = FTSTimeouts(
            reply: .seconds(300), answer: .seconds(300), data: .seconds(300), storage: .seconds(300),
            pause: .milliseconds(20))

        init(_ folder: String, bus: String, timeouts: FTSTimeouts = Home.patientTimeouts) {
            let clock = SystemClock()
            database = Database(
                at: .directory(folder), plugins: [DictofunPlugin.descriptor.schema], clock: clock, executors: .queues)
            let context = Context(
                config: Config(), store: database.store(for: "dictofun"), clock: clock,
                locks: FileLocks(directory: folder + "/locks", clock: clock), secrets: MemorySecrets(),
                directories: Directories(
                    data: folder, state: folder, cache: folder + "/cache", config: folder, runtime: nil),
                log: Log(label: "dictofun") { _, _, _ in }, settings: MemorySettings(), bus: EventBus())
            dictofun = DictofunPlugin(
                context: context, programs: Programs(path: folder + "/none"),
                bluetooth: .init(bus: bus, timeouts: timeouts, patience: .seconds(600)))
        }

        func pair() async throws {
            let device = Device(address: address, advertisedName: "dict")
            _ = try await dictofun.pair(
                device, alias: "desk", fetches: false, operation: Operation("dictofun pair"))
        }

        func sync(
            served: [String], _ report: @escaping @Sendable (Device, FTSProgress) -> Void = { _, _ in }
        ) async throws -> RecorderRun {
            try await dictofun.sync(
                nil, scanTime: .seconds(300), search: .init(served: served), operation: Operation("dictofun sync"),
                report: report)
        }

        func sync(_ report: @escaping @Sendable (Device, FTSProgress) -> Void = { _, _ in }) async throws -> RecorderRun
        {
            try await dictofun.sync(
                nil, scanTime: .seconds(300), operation: Operation("dictofun sync"), report: report)
        }

        /// The files of all records as the recorder sent them, oldest first.
        func files() async throws -> [[UInt8]] {
            var filter = RecordFilter()
            filter.isReversed = true
            var files: [[UInt8]] = []
            for summary in try await dictofun.listRecords(filter, limit: .max).found {
                var bytes: [UInt8] = []
                let record = try await dictofun.records.get(summary.id)
                for try await piece in try await dictofun.exported(record, as: .original) { bytes += piece }
                files.append(bytes)
            }
            return files
        }
    }

    /// Starts a simulated recorder and a store.
    static func withRecorder(
        _ options: [String], _ body: (Simulator, DBusConnection, _ folder: String, Home) async throws -> Void
    ) async throws {
        let simulator = try Simulator(
            options + ["--development", "--packet-interval", "0", "--power-on", "0.05"])
        let connection = try await DBusConnection.open(simulator.address, timeout: .seconds(600))
        try await withTemporaryDirectory { folder in
            try await body(simulator, connection, folder, Home(folder, bus: simulator.address.text))
        }
        await connection.close()
    }

    @Test func `a paired recorder gives its records once, and tells its state`() async throws {
        try await Self.withRecorder(["--records", "3", "--seconds", "0.5"]) { simulator, connection, _, home in
            #expect(
                try await home.dictofun.scan(for: .seconds(2), operation: Operation("scan")).map(\.address) == [
                    Self.address
                ])
            try await home.pair()
            let run = try await home.sync()
            #expect(run.report?.outcome == .complete)
            #expect(run.records.count == 3)
            #expect(run.device?.name == "desk")
            let isEqual = try await home.files() == simulator.files
            #expect(isEqual)
            let records = try await home.dictofun.listRecords(RecordFilter(), limit: .max).found
            #expect(records.map(\.startTime.description).last == "2026-11-20 09:41:00")
            #expect(records.allSatisfy { abs($0.length.milliseconds - 500) < 20 && $0.device == Self.address })
            let stored = try #require(try await home.dictofun.devices().first)
            #expect(stored.device.name == "desk" && stored.device.isPaired)
            #expect(stored.device.battery?.percent == 72)
            #expect(stored.device.storage?.fileCount == 3)
            #expect(stored.syncedAt != nil)
            // The second time there is nothing new; what is in the trash or destroyed counts as known.
            try await home.dictofun.records.delete([records[0].id, records[1].id], operation: Operation("rm"))
            _ = try await home.dictofun.records.emptyTrash(
                before: Instant(milliseconds: .max), operation: Operation("empty", kind: .cache))
            try await home.dictofun.records.delete([records[2].id], operation: Operation("rm"))
            try await simulator.control(#"{"do": "power-off"}"#, over: connection)
            let second = try await home.sync()
            #expect(second.report?.outcome == .complete)
            #expect(second.records.isEmpty)
        }
    }

    @Test func `a killed process loses nothing, and nothing is fetched twice`() async throws {
        try await Self.withRecorder(["--records", "4", "--size", "60032"]) { simulator, connection, folder, home in
            try await home.pair()
            await home.database.close()
            let bus = simulator.address.text
            // The process dies in the middle of each file, and while one is being stored.
            for limit in [30_000, 61_000, 130_000, 200_000] {
                try await simulator.control(#"{"do": "power-off"}"#, over: connection)
                await #expect(processExitsWith: .signal(SIGKILL)) {
                    [folder = folder as String, bus = bus as String, limit = limit as Int] in
                    let home = Home(folder, bus: bus)
                    let before = try await home.files().count * 60_032
                    _ = try await home.sync { _, progress in
                        if before + progress.receivedBytes >= limit { kill(getpid(), SIGKILL) }
                    }
                }
                let home = Home(folder, bus: bus)
                #expect(try await home.database.checkBlobs().missing == [])
                await home.database.close()
            }
            try await simulator.control(#"{"do": "power-off"}"#, over: connection)
            let last = Home(folder, bus: bus)
            #expect(try await last.sync().report?.outcome == .complete)
            let isEqual = try await last.files() == simulator.files
            #expect(isEqual)
            _ = try await last.database.collectBlobs()
            #expect(try await last.database.checkBlobs().unneeded == 0)
        }
    }

    @Test func `pairing fetches the records before the recorder switches itself off`() async throws {
        let simulator = try Simulator([
            "--records", "3", "--size", "6400", "--packet-interval", "1", "--power-on", "-1",
        ])
        try await withTemporaryDirectory { folder in
            let home = Home(folder, bus: simulator.address.text)
            let run = try await home.dictofun.pair(
                Device(address: Self.address, advertisedName: "dict"), alias: "desk",
                operation: Operation("dictofun pair"))
            #expect(run.report?.outcome == .complete && run.device?.name == "desk")
            let isEqual = try await home.files() == simulator.files
            #expect(isEqual)
            #expect(try await home.dictofun.devices().map(\.device.name) == ["desk"])
        }
    }

    @Test(arguments: [#"{"do": "restart"}"#, #"{"do": "disconnect"}"#])
    func `a transfer goes on after a restart of the service and after the loss of the link`(event: String) async throws
    {
        try await Self.withRecorder(["--records", "3", "--size", "60032"]) { simulator, connection, _, home in
            try await home.pair()
            let isDisturbed = Mutex(false)
            let disturbing = Mutex<Task<String, any Error>?>(nil)
            let run = try await home.sync { _, progress in
                guard progress.receivedCount > 0,
                    isDisturbed.withLock({ flag in
                        defer { flag = true }
                        return !flag
                    })
                else { return }
                let task = Task { try await simulator.control(event, over: connection) }
                disturbing.withLock { $0 = task }
            }
            _ = try await disturbing.withLock(\.self)?.value
            #expect(run.report?.outcome == .complete)
            let isEqual = try await home.files() == simulator.files
            #expect(isEqual)
        }
    }

    @Test func `when nothing comes through a descriptor, files are read from signals`() async throws {
        try await Self.withRecorder(["--records", "2", "--size", "6400", "--fault", "mute"]) {
            simulator, _, folder, home in
            try await home.pair()
            await home.database.close()
            let timeouts = FTSTimeouts(data: .milliseconds(200), pause: .milliseconds(20))
            let impatient = Home(folder, bus: simulator.address.text, timeouts: timeouts)
            #expect(try await impatient.sync().report?.outcome == .complete)
            let isEqual = try await impatient.files() == simulator.files
            #expect(isEqual)
        }
    }

    @Test func `a service leaves an adapter off, and notices when it is on again`() async throws {
        try await Self.withRecorder(["--records", "0"]) { simulator, connection, _, home in
            try await home.pair()
            try await simulator.control(#"{"do": "adapter", "powered": false}"#, over: connection)
            let error = await #expect(throws: HubError.self) {
                try await home.dictofun.sync(
                    nil, scanTime: .seconds(300), operation: Operation("dictofun sync", who: .service("recorder")))
            }
            #expect(error?.code == "adapter-off")
            async let isOn: Void = home.dictofun.awaitAdapter(atMost: .seconds(100_000))
            try await simulator.control(#"{"do": "adapter", "powered": true}"#, over: connection)
            try await isOn
        }
    }

    @Test func `two processes do not use recorders at once`() async throws {
        try await Self.withRecorder(["--records", "1", "--size", "6400"]) { _, _, _, home in
            try await home.pair()
            let held = Mutex<FileLock?>(try await home.dictofun.bluetoothLock.tryAcquire())
            let service = Operation("dictofun sync", who: .service("recorder"))
            let error = await #expect(throws: HubError.self) {
                try await home.dictofun.sync(nil, operation: service)
            }
            #expect(error?.code == "recorder-busy")
            // A command says what it waits for, and goes on as soon as it can.
            let steps = Mutex<[String?]>([])
            let run = try await home.dictofun.sync(
                nil, scanTime: .seconds(300), operation: Operation("dictofun sync"),
                waiting: { holder in
                    steps.withLock { $0.append(holder) }
                    held.withLock { $0 = nil }
                })
            #expect(run.records.count == 1)
            #expect(steps.withLock(\.self).map { $0?.contains("process \(getpid())") } == [true, nil])
        }
    }

    @Test func `a low battery is told, and nothing is fetched`() async throws {
        try await Self.withRecorder(["--records", "1", "--size", "6400", "--battery", "12"]) { _, _, _, home in
            try await home.pair()
            let run = try await home.sync()
            #expect(run.report?.outcome == .lowBattery)
            #expect(run.device?.battery?.isLow == true)
            let events = try await home.database.store(for: "core").read { tx in
                try tx.recentEvents(matching: [TopicPattern("app.dictofun/*")], since: nil, limit: 9)
            }
            #expect(events.map(\.event.topic) == [BatteryLow.event.topic])
            #expect(try events.first?.event.fields()["notify"]?["title"]?.string == "Battery low: desk")
            #expect(run.records.isEmpty)
        }
    }

    @Test func `unpairing deletes both sides and keeps the records`() async throws {
        try await Self.withRecorder(["--records", "1", "--size", "6400"]) { simulator, connection, _, home in
            try await home.pair()
            _ = try await home.sync()
            try await simulator.control(#"{"do": "power-off"}"#, over: connection)
            let device = try #require(try await home.dictofun.devices().first).device
            try await home.dictofun.unpair(device, operation: Operation("dictofun unpair"))
            #expect(try await home.dictofun.devices().isEmpty)
            #expect(try await simulator.control(#"{"do": "state"}"#, over: connection).contains(#""bonds": 0"#))
            #expect(try await home.files().count == 1)
        }
    }

    @Test func `a recorder that is away is said to be away`() async throws {
        try await Self.withRecorder(["--records", "0"]) { simulator, connection, _, home in
            try await home.pair()
            try await simulator.control(#"{"do": "vanish"}"#, over: connection)
            let error = await #expect(throws: HubError.self) {
                try await home.dictofun.sync(nil, scanTime: .milliseconds(50), operation: Operation("dictofun sync"))
            }
            #expect(error?.code == "recorder-away")
        }
    }

    @Test func `the tests of the transfer pass with the built-in files, and store nothing`() async throws {
        try await Self.withRecorder(["--test-files"]) { simulator, connection, _, home in
            try await home.pair()
            for test in FTSSelfTest.allCases {
                try await simulator.control(#"{"do": "power-off"}"#, over: connection)
                let (device, problems) = try await home.dictofun.testTransfer(
                    test, with: nil, scanTime: .seconds(300), operation: Operation("test-fts"))
                #expect(device.name == "desk")
                #expect(problems == [])
            }
            #expect(try await home.files().isEmpty)
            let device = try #require(try await home.dictofun.devices().first)
            #expect(device.syncedAt == nil)
        }
    }

    @Test func `a test of the transfer leaves other files alone`() async throws {
        try await Self.withRecorder(["--records", "2", "--size", "6400"]) { simulator, connection, _, home in
            try await home.pair()
            try await simulator.control(#"{"do": "power-off"}"#, over: connection)
            let (_, problems) = try await home.dictofun.testTransfer(
                .list, with: nil, scanTime: .seconds(300), operation: Operation("test-fts"))
            #expect(problems == ["it has files other than the two test files"])
            #expect(try await home.files().isEmpty)
            try await simulator.control(#"{"do": "power-off"}"#, over: connection)
            #expect(try await home.sync().records.count == 2)
        }
    }

    @Test func `without a bus the reason says what to install`() async throws {
        try await withTemporaryDirectory { folder in
            let error = await #expect(throws: HubError.self) {
                try await Home(folder, bus: "unix:path=\(folder)/none").sync()
            }
            #expect(error?.code == "bluetooth-unavailable")
        }
    }

    @Test func `the service gets the records over a connection that BlueZ makes, without any discovery`() async throws {
        try await Self.withRecorder(["--records", "2", "--size", "6400"]) { simulator, connection, _, home in
            try await home.pair()
            func discoveries() async throws -> String? {
                try await simulator.control(#"{"do": "state"}"#, over: connection).split(separator: ",").first {
                    $0.contains("discoveries")
                }.map(String.init)
            }
            let before = try await discoveries()
            let service = Task { try await RecorderService(dictofun: home.dictofun).run() }
            while try await home.dictofun.listRecords(RecordFilter(), limit: 1).total < 2 { await Task.yield() }
            service.cancel()
            _ = await service.result
            #expect(try await home.files() == simulator.files)
            #expect(try await discoveries() == before && before != nil)
        }
    }

    @Test func `of two recorders that are nearby all the time, the other one is next`() async throws {
        try await Self.withRecorder(["--records", "1", "--size", "6400", "--devices", "2"]) { _, _, _, home in
            let addresses = ["C0:DE:00:00:00:01", "C0:DE:00:00:00:03"]
            for address in addresses {
                _ = try await home.dictofun.pair(
                    Device(address: address, advertisedName: "dict"), fetches: false, operation: Operation("pair"))
            }
            for address in addresses {
                let run = try await home.sync(served: addresses.filter { $0 != address })
                #expect(run.device?.address == address && run.records.count == 1)
            }
        }
    }
}
