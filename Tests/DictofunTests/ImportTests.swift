import Audio
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

struct ImportTests {
    @Test(arguments: ["wav", "flac", "opus"])
    func `a sound file becomes a record with its length and waveform`(kind: String) async throws {
        let fixture = try DictofunFixture()
        let item = try await fixture.importFile(try fixture.sound("talk." + kind, milliseconds: 1500))
        #expect(item.outcome == .new)
        let record = try #require(try await fixture.records().first)
        #expect(record.fileName == "talk")
        #expect(abs(record.length.milliseconds - 1500) < 50)
        let waveform = try await fixture.dictofun.waveform(of: record.id)
        #expect(waveform.columns(10).allSatisfy { $0.maximum > 0.1 })
    }

    @Test func `a file is imported once, whatever its name, and comes back from the trash`() async throws {
        let fixture = try DictofunFixture()
        let first = try await fixture.importFile(try fixture.sound("one.wav"))
        let again = try await fixture.importFile(try fixture.sound("two.wav"))
        #expect(again.outcome == .unchanged)
        #expect(again.id == first.id)
        #expect(try await fixture.records().count == 1)
        try await fixture.dictofun.records.delete([first.id], operation: Operation("rm"))
        let kept = try await fixture.dictofun.importFile(
            fixture.folder.path + "/one.wav", keepsTrash: true, operation: Operation("inbox"))
        #expect(kept.outcome == .unchanged)
        #expect(try await fixture.records().isEmpty)
        #expect(try await fixture.importFile(fixture.folder.path + "/two.wav").outcome == .new)
        #expect(try await fixture.records().map(\.id) == [first.id])
    }

    @Test func `a plan imports nothing`() async throws {
        let fixture = try DictofunFixture()
        let item = try await fixture.importFile(try fixture.sound("talk.wav"), isDryRun: true)
        #expect(item.outcome == .new && item.length == .milliseconds(500))
        #expect(try await fixture.records().isEmpty)
        #expect(fileNames(in: fixture.folder.path + "/data/blobs") == [])
    }

    @Test func `a file without sound is refused, and leaves nothing in the store`() async throws {
        let fixture = try DictofunFixture()
        let path = try fixture.folder.write("just words", to: "talk.m4a")
        let error = await #expect(throws: HubError.self) { try await fixture.importFile(path) }
        #expect(error?.code == "sound-unknown")
        #expect(error?.hint?.contains("ffmpeg") == true)
        func isGone() throws -> Bool { try blobFiles(in: fixture).isEmpty }
        // A program that another test starts holds the lock of the collector for the moment before it begins.
        for _ in 0..<1000 where try !isGone() {
            await #expect(throws: HubError.self) { try await fixture.importFile(path) }
        }
        #expect(try isGone())
        // What a record has stays, whoever else is refused.
        _ = try await fixture.importFile(try fixture.sound("talk.wav"))
        await #expect(throws: HubError.self) { try await fixture.importFile(path) }
        #expect(try !isGone())
    }

    private func blobFiles(in fixture: DictofunFixture) throws -> [String] {
        let blobs = fixture.folder.path + "/data/blobs"
        return fileNames(in: blobs).filter { $0 != "new" }.flatMap { outer in
            fileNames(in: "\(blobs)/\(outer)").flatMap { fileNames(in: "\(blobs)/\(outer)/\($0)") }
        }
    }

    @Test func `what libsndfile does not know is converted by ffmpeg, and kept as it is`() async throws {
        let fixture = try DictofunFixture()
        let tone = try fixture.sound("tone.wav", milliseconds: 700)
        // The target is the last word.
        try fixture.program("ffmpeg", "for last; do :; done; cp '\(tone)' \"$last\"")
        let path = try fixture.folder.write("as if it were m4a", to: "talk.m4a")
        #expect(try await fixture.importFile(path).length == .milliseconds(700))
        let id = try #require(try await fixture.records().first?.id)
        let record = try await fixture.dictofun.records.get(id)
        #expect(record.format == .file("m4a"))
        #expect(record.size == 17)
        #expect(fileNames(in: fixture.folder.path + "/cache/dictofun") == [])
    }

    @Test func `a file of the recorder is known by its first bytes`() async throws {
        let fixture = try DictofunFixture()
        let bytes = "adpcm;16000;2\0" + String(repeating: "w", count: 8050)
        try await fixture.importFile(try fixture.folder.write(bytes, to: "0000261120094100.raw"))
        let record = try #require(try await fixture.records().first)
        #expect(try await fixture.dictofun.records.get(record.id).format == .recorder)
        #expect(record.length == .milliseconds(8050 * 2 * 1000 / 16_000))
    }

    @Test func `an import is undone as a whole, also after its transcription`() async throws {
        let fixture = try DictofunFixture()
        try fixture.program("pocketsphinx_continuous", "echo hello world")
        let operation = Operation("dictofun import")
        for (number, name) in ["one.wav", "two.wav"].enumerated() {
            _ = try await fixture.dictofun.importFile(
                try fixture.sound(name, pitch: 300 + 100 * Double(number)), operation: operation)
        }
        let ids = try await fixture.records().map(\.id)
        #expect(try await fixture.dictofun.transcribe(ids).done.count == 2)
        let report = try await fixture.database.history.undo(as: Operation("undo"))
        #expect(report.conflicts.isEmpty)
        #expect(try await fixture.records().isEmpty)
        _ = try await fixture.database.history.redo(as: Operation("redo"))
        #expect(try await fixture.records().map(\.excerpt) == ["hello world", "hello world"])
        #expect(try await fixture.dictofun.searchRecords(["hello"], limit: 10).total == 2)
    }

    @Test func `emptying the trash deletes the sound`() async throws {
        let fixture = try DictofunFixture()
        let item = try await fixture.importFile(try fixture.sound("talk.wav"))
        let blob = try #require(BlobID(try await fixture.dictofun.records.get(item.id).blob))
        try await fixture.dictofun.records.delete([item.id], operation: Operation("rm"))
        try await fixture.database.eraseRemains()
        #expect(fixture.database.blobs?.size(of: blob) != nil)
        let count = try await fixture.dictofun.records.emptyTrash(
            before: Instant(milliseconds: .max), operation: Operation("empty", kind: .cache))
        #expect(count == 1)
        try await fixture.database.eraseRemains()
        #expect(fixture.database.blobs?.size(of: blob) == nil)
    }

    /// Imports a file that was last changed at a time, and returns the time of the record, with a question mark when it is unknown.
    private func time(_ fixture: DictofunFixture, _ path: String, changedAt: Int) async throws -> String? {
        let time = timespec(tv_sec: changedAt, tv_nsec: 0)
        utimensat(AT_FDCWD, path, [time, time], 0)
        let id = try await fixture.importFile(path).id
        return try await fixture.records().first { $0.id == id }.map {
            "\($0.startTime)" + ($0.isTimeUnknown ? "?" : "")
        }
    }

    @Test func `the time of a record is that in the name, else inside the file, else that of its last change`()
        async throws
    {
        let fixture = try DictofunFixture()
        // 2026-03-07 10:00:00 and 2026-03-08 10:00:00.
        let (thatDay, later) = (1_772_877_600, 1_772_964_000)
        var pitch = 300.0
        func sound(_ name: String) throws -> String {
            pitch += 10
            return try fixture.sound(name, milliseconds: 100, pitch: pitch)
        }
        #expect(try await time(fixture, sound("Memo 2026-03-07 08.26.wav"), changedAt: later) == "2026-03-07 08:26:00")
        #expect(try await time(fixture, sound("Memo 2026-03-07.wav"), changedAt: thatDay) == "2026-03-07 10:00:00")
        #expect(try await time(fixture, sound("Note 2026-03-07.wav"), changedAt: later) == "2026-03-07 00:00:00?")
        #expect(try await time(fixture, sound("Note.wav"), changedAt: later) == "2026-03-08 10:00:00")
        let zone = TimeZoneRules.system.localTime(at: Instant(milliseconds: 1_772_872_013_000))
        #expect(try await time(fixture, sound("1772872013.wav"), changedAt: later) == "\(zone)")
        // A list of properties at the end of the file: LIST, INFO, ICRD.
        for (text, expected) in [
            ("2026-03-07 08:26:53", "2026-03-07 08:26:53"), ("2026-03-07", "2026-03-07 00:00:00?"),
        ] {
            let path = try sound("dated \(text.count).wav")
            let value = Array(text.utf8) + [UInt8](repeating: 0, count: 2 - text.utf8.count % 2)
            func size(_ count: Int) -> [UInt8] { (0..<4).map { UInt8(count >> ($0 * 8) & 255) } }
            let list = Array("LIST".utf8) + size(12 + value.count) + Array("INFOICRD".utf8) + size(value.count) + value
            let file = try #require(fopen(path, "r+e"))
            fseek(file, 0, SEEK_END)
            let length = ftell(file) + list.count - 8
            fwrite(list, 1, list.count, file)
            fseek(file, 4, SEEK_SET)
            fwrite(size(length), 1, 4, file)
            fclose(file)
            #expect(try await time(fixture, path, changedAt: later) == expected)
        }
    }

    @Test func `an empty file, and a message about another path, do not name files of hub`() async throws {
        let fixture = try DictofunFixture()
        let empty = try fixture.folder.write("", to: "empty.wav")
        for isDryRun in [true, false] {
            let error = await #expect(throws: HubError.self) {
                try await fixture.importFile(empty, isDryRun: isDryRun)
            }
            #expect(error?.message == "the file is empty")
        }
        try fixture.program(
            "ffmpeg", #"for word; do case "$word" in file:*) echo "$word: Invalid data" >&2;; esac; done"#)
        let path = try fixture.folder.write("no sound", to: "talk.m4a")
        let error = await #expect(throws: HubError.self) { try await fixture.importFile(path) }
        #expect(error?.details == ["Invalid data"], "\(String(describing: error))")
    }

    @Test func `a folder stands for the sound files in it, also with names that are not UTF-8`() async throws {
        let fixture = try DictofunFixture()
        _ = try fixture.sound("one.wav")
        mkdir(fixture.folder.path + "/phone", 0o700)
        mkdir(fixture.folder.path + "/phone/2026", 0o700)
        mkdir(fixture.folder.path + "/phone/.hidden", 0o700)
        for name in ["phone/two.wav", "phone/2026/three.flac", "phone/.hidden/four.wav"] { _ = try fixture.sound(name) }
        let odd = FileName(Array("\(fixture.folder.path)/phone/caf".utf8) + [0xe9] + Array(".wav".utf8))
        let plain = fixture.folder.path + "/one.wav"
        #expect(odd.withPointer { rename(plain, $0) } == 0)
        try fixture.folder.write("words", to: "phone/list.txt")
        let found = try await fixture.dictofun.soundFiles(at: fixture.folder.path + "/phone")
        #expect(found.count == 3 && found[0].hasSuffix("/2026/three.flac") && found[2].hasSuffix("/two.wav"))
        let time = timespec(tv_sec: 1_700_000_000, tv_nsec: 0)
        #expect(odd.withPointer { utimensat(AT_FDCWD, $0, [time, time], 0) } == 0)
        #expect(try await fixture.importFile(found[1]).outcome == .new)
        let record = try #require(try await fixture.records().first)
        #expect(record.startTime == TimeZoneRules.system.localTime(at: Instant(milliseconds: 1_700_000_000_000)))
        #expect(try await fixture.dictofun.soundFiles(at: found[0]) == [found[0]])
        let error = await #expect(throws: HubError.self) {
            try await fixture.dictofun.soundFiles(at: fixture.folder.path + "/bin")
        }
        #expect(error?.code == "folder-without-sound")
        // An empty file is tried, and so reported; the inbox waits until it has a content.
        try fixture.folder.write("", to: "phone/empty.wav")
        #expect(try await fixture.dictofun.soundFiles(at: fixture.folder.path + "/phone").count == 4)
    }
}
