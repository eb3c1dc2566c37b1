import CivilDate
import Commands
import DictofunDomain
import Glibc
import HubKit
import Storage
import System
import TestSupport
import Testing
import Time

@testable import Dictofun

struct InboxTests {
    @Test(.timeLimit(.minutes(20)))
    func `a file that arrives in a folder is imported at once, also in a folder that comes later`() async throws {
        var config = Config()
        let folder = try TemporaryFolder()
        config[DictofunKeys.inbox] = [folder.path + "/inbox"]
        let fixture = try DictofunFixture(config, folder: folder, clock: SystemClock())
        let talk = try fixture.sound("talk.wav")
        let service = Task { try await InboxService(dictofun: fixture.dictofun, pause: .milliseconds(1)).run() }
        mkdir(folder.path + "/inbox", 0o700)
        #expect(rename(talk, folder.path + "/inbox/talk.wav") == 0)
        while try await fixture.records().isEmpty { await Task.yield() }
        service.cancel()
        await #expect(throws: CancellationError.self) { try await service.value }
        #expect(try await fixture.records().map(\.fileName) == ["talk"])
    }

    @Test func `the inbox imports what has stopped growing, each file once`() async throws {
        var config = Config()
        let folder = try TemporaryFolder()
        config[DictofunKeys.inbox] = [folder.path + "/inbox", folder.path + "/none"]
        let fixture = try DictofunFixture(config, folder: folder)
        try folder.write("", to: "inbox/empty.wav")
        try folder.write("note", to: "inbox/note.txt")
        var watch = InboxWatch()
        _ = try fixture.sound("inbox/talk.wav")
        #expect(try await fixture.dictofun.importInbox(&watch).isEmpty)
        // It still grows.
        _ = try fixture.sound("inbox/talk.wav", milliseconds: 900)
        #expect(try await fixture.dictofun.importInbox(&watch).isEmpty)
        #expect(try await fixture.dictofun.importInbox(&watch).map(\.name) == ["talk"])
        #expect(try await fixture.dictofun.importInbox(&watch).isEmpty)
        #expect(!watch.isWaiting)
        // After a restart all files are looked at again; their content is known.
        var next = InboxWatch()
        _ = try await fixture.dictofun.importInbox(&next)
        #expect(try await fixture.dictofun.importInbox(&next).isEmpty)
        #expect(try await fixture.records().count == 1)
    }

    /// The inbox of a fixture, and what it did with its file `talk.wav` after each change of that.
    private struct Copying {
        let fixture: DictofunFixture
        let bytes: [UInt8]
        var watch = InboxWatch()

        init(clock: (any Clock)? = nil) async throws {
            var config = Config()
            let folder = try TemporaryFolder()
            config[DictofunKeys.inbox] = [folder.path + "/inbox"]
            let fixture = try DictofunFixture(config, folder: folder, clock: clock)
            mkdir(folder.path + "/inbox", 0o700)
            let path = try fixture.sound("whole.wav", milliseconds: 2000)
            bytes = try await BackgroundThread.run { try BoundedFile.read(path, limit: 1 << 20) }
            self.fixture = fixture
        }

        /// Writes the file, and returns what two looks import of it.
        mutating func write(_ content: [UInt8], to name: String = "talk.wav") async throws -> [ImportOutcome] {
            let path = fixture.folder.path + "/inbox/" + name
            let file = try #require(fopen(path, "we"))
            fwrite(content, 1, content.count, file)
            fclose(file)
            let first = try await fixture.dictofun.importInbox(&watch)
            return try await (first + fixture.dictofun.importInbox(&watch)).map(\.outcome)
        }

        func lengths() async throws -> [Int] { try await fixture.records().map(\.length.milliseconds) }
    }

    @Test func `a stalled copy whose header announces more is waited for`() async throws {
        var copying = try await Copying()
        #expect(try await copying.write(Array(copying.bytes.prefix(20_000))) == [])
        #expect(!copying.watch.isWaiting, "the next change is reported")
        #expect(try await copying.write(Array(copying.bytes.prefix(40_000))) == [])
        #expect(try await copying.write(copying.bytes) == [.new])
        #expect(try await copying.lengths() == [2000])
    }

    @Test func `what a recorder without power has left is imported after an hour`() async throws {
        var copying = try await Copying(clock: LaterClock())
        #expect(try await copying.write(Array(copying.bytes.prefix(20_000))) == [.new])
        #expect(try await copying.lengths().first.map { (500..<700).contains($0) } == true)
    }

    @Test func `the whole takes the place of the beginning of a copy, until that is changed`() async throws {
        // A recording whose header has no length yet.
        var copying = try await Copying()
        var open = copying.bytes
        for place in [4, 5, 6, 7, 40, 41, 42, 43] { open[place] = 0xff }
        let whole = copying.bytes
        #expect(try await copying.write(Array(open.prefix(20_000))) == [.new])
        let first = try #require(try await copying.fixture.records().first)
        // Space that was reserved for the rest is filled with zeros.
        let reserved = Array(open.prefix(30_000)) + [UInt8](repeating: 0, count: open.count - 30_000)
        #expect(try await copying.write(reserved) == [.updated])
        #expect(try await copying.write(whole) == [.updated])
        let record = try #require(try await copying.fixture.records().first)
        #expect(record.id == first.id && record.length == .seconds(2))
        #expect(try await copying.fixture.records().count == 1)
    }

    @Test func `a record that was changed, and a name that is used again, keep what they have`() async throws {
        var copying = try await Copying()
        var open = copying.bytes
        for place in [4, 5, 6, 7, 40, 41, 42, 43] { open[place] = 0xff }
        #expect(try await copying.write(Array(open.prefix(20_000))) == [.new])
        let id = try #require(try await copying.fixture.records().first?.id)
        _ = try await copying.fixture.dictofun.correct(
            id, RecordCorrection(title: "Mine"), operation: Operation("set"))
        #expect(try await copying.write(open) == [.new])
        let path = try copying.fixture.sound("other.wav", milliseconds: 3000, pitch: 700)
        let other = try await BackgroundThread.run { try BoundedFile.read(path, limit: 1 << 20) }
        #expect(try await copying.write(other) == [.new])
        #expect(try await copying.fixture.records().count == 3)
    }
}

/// A clock in a far future; sleepers wait until they are cancelled.
private struct LaterClock: Clock {
    let now = Instant(milliseconds: 4_000_000_000_000)
    let monotonicNow = Duration.zero
    var today: CivilDate { TimeZoneRules.utc.localTime(at: now).day }
    func sleep(for duration: Duration) async throws { try await Task.sleep(for: .seconds(3600)) }
}
