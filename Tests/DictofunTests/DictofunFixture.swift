import Audio
import CivilDate
import Commands
import DictofunDomain
import Glibc
import HubKit
import HubKitTesting
import SoundFile
import Storage
import TestSupport

@testable import Dictofun

/// The plugin on a store of its own, with only those programs that a test puts into its folder `bin`.
struct DictofunFixture {
    let folder: TemporaryFolder
    let database: Database
    let dictofun: DictofunPlugin

    init(
        _ config: Config = Config(), folder: TemporaryFolder? = nil, isOffline: Bool = false, clock: (any Clock)? = nil,
        absentFiles: any AbsentFiles = NoAbsentFiles()
    ) throws {
        let folder = try folder ?? TemporaryFolder()
        self.folder = folder
        mkdir(folder.path + "/bin", 0o700)
        let clock = clock ?? FixtureClock()
        database = Database(
            at: .directory(folder.path + "/data"), plugins: [DictofunPlugin.descriptor.schema], clock: clock,
            executors: .queues)
        let directories = Directories(
            data: folder.path + "/data", state: folder.path, cache: folder.path + "/cache", config: folder.path,
            runtime: nil)
        let context = Context(
            config: config, store: database.store(for: "dictofun"), clock: clock,
            locks: FileLocks(directory: folder.path + "/data/locks", clock: clock), secrets: MemorySecrets(),
            directories: directories, log: Log(label: "dictofun") { _, _, _ in }, settings: MemorySettings(),
            bus: EventBus(), isOffline: isOffline, absentFiles: absentFiles)
        dictofun = DictofunPlugin(context: context, programs: Programs(path: folder.path + "/bin"))
    }

    /// Writes a sound file with a tone of `milliseconds` and returns its path.
    func sound(_ name: String, milliseconds: Int = 500, pitch: Double = 440, rate: Int = 16_000) throws -> String {
        let path = folder.path + "/" + name
        let format = SoundFileWriter.Format(rawValue: String(name.split(separator: ".").last ?? "")) ?? .wav
        let writer = try SoundFileWriter(path: path, format: format, sampleRate: rate)
        try writer.write(
            (0..<rate * milliseconds / 1000).map {
                Int16(9000 * sin(2 * Double.pi * pitch * Double($0) / Double(rate)))
            })
        try writer.finish()
        return path
    }

    /// Puts a program into `bin`.
    func program(_ name: String, _ script: String) throws {
        try folder.write("#!/bin/sh\n" + script + "\n", to: "bin/" + name, mode: 0o700)
    }

    /// Imports a file as a command of the user.
    @discardableResult
    func importFile(_ path: String, isDryRun: Bool = false) async throws -> RecordImportItem {
        try await dictofun.importFile(path, operation: Operation("dictofun import"), isDryRun: isDryRun)
    }

    /// All live records.
    func records() async throws -> [RecordSummary] { try await dictofun.listRecords(RecordFilter(), limit: .max).found }
}

/// A clock that stands still; sleepers wait until they are cancelled.
private struct FixtureClock: Clock {
    let now = Instant(milliseconds: 1_795_000_000_000)
    let monotonicNow = Duration.zero
    var today: CivilDate { TimeZoneRules.utc.localTime(at: now).day }
    func sleep(for duration: Duration) async throws { try await Task.sleep(for: .seconds(3600)) }
}

extension Config {
    /// Settings for tests.
    init(_ set: (inout Config) -> Void) {
        self.init()
        set(&self)
    }
}
