import Audio
import CivilDate
import DictofunDomain
import Glibc
import HubKit
import HubKitTesting
import SoundFile
import Storage
import System
import TestSupport
import Testing
import Time

@testable import Dictofun

struct RecordTests {
    /// A plugin with three records, each with a text.
    private func filled() async throws -> DictofunFixture {
        let fixture = try DictofunFixture()
        let texts = [
            ("20261118_080000.wav", "Idea: sort the board"),
            ("20261120_094100.wav", "Call the plumber about the Boiler"),
            ("20261119_120000.wav", "Café in Łódź, call back"),
        ]
        for (number, (name, text)) in texts.enumerated() {
            let item = try await fixture.importFile(
                try fixture.sound(name, milliseconds: 300 + 100 * number, pitch: 300 + 50 * Double(number)))
            try await fixture.dictofun.editTranscript(of: item.id, text, operation: Operation("edit"))
        }
        return fixture
    }

    private func found(_ fixture: DictofunFixture, _ change: (inout RecordFilter) -> Void) async throws -> [String] {
        var filter = RecordFilter()
        change(&filter)
        return try await fixture.dictofun.listRecords(filter, limit: .max).found.map { String($0.fileName.prefix(8)) }
    }

    @Test func `records are listed newest first, filtered and sorted`() async throws {
        let fixture = try await filled()
        #expect(try await found(fixture) { _ in } == ["20261120", "20261119", "20261118"])
        #expect(try await found(fixture) { $0.order = .length } == ["20261119", "20261120", "20261118"])
        #expect(
            try await found(fixture) { ($0.order, $0.isReversed) = (.added, true) } == [
                "20261118", "20261120", "20261119",
            ])
        #expect(try await found(fixture) { $0.words = ["CALL"] } == ["20261120", "20261119"])
        let day = try #require(CivilDate("2026-11-19"))
        #expect(try await found(fixture) { $0.since = LocalTime(day: day) } == ["20261120", "20261119"])
        #expect(try await found(fixture) { $0.until = LocalTime(day: day) } == ["20261118"])
        let (first, total) = try await fixture.dictofun.listRecords(RecordFilter(), limit: 1)
        #expect(first.count == 1 && total == 3)
    }

    @Test func `words are found without case and accents, by their beginnings`() async throws {
        let fixture = try await filled()
        func hits(_ words: String...) async throws -> [String] {
            try await fixture.dictofun.searchRecords(words, limit: 10).found.map { String($0.fileName.prefix(8)) }
        }
        #expect(try await hits("boil") == ["20261120"])
        #expect(try await hits("lodz") == ["20261119"])
        #expect(try await hits("CAFE", "back") == ["20261119"])
        #expect(try await hits("oiler") == [])
        #expect(try await hits("\"", "*") == [])
        #expect(try await hits("20261118") == ["20261118"])
    }

    @Test func `tags are kept once, found without accents, and filter`() async throws {
        let fixture = try await filled()
        let id = try #require(try await fixture.records().first?.id)
        let changed = try await fixture.dictofun.records.setTags(
            of: [id], adding: ["Zuhause", "zuhause", "  to do "], operation: Operation("tag"))
        #expect(changed.first?.record.tags == ["to do", "Zuhause"])
        #expect(try await found(fixture) { $0.tags = ["ZUHAUSE"] } == ["20261120"])
        #expect(try await fixture.dictofun.records.tags().map(\.tag) == ["to do", "Zuhause"])
        #expect(try await fixture.dictofun.searchRecords(["zuh"], limit: 5).total == 1)
        _ = try await fixture.database.history.undo(as: Operation("undo"))
        #expect(try await fixture.dictofun.records.tags().isEmpty)
        #expect(try await fixture.dictofun.searchRecords(["zuh"], limit: 5).total == 0)
    }

    @Test func `an edit is refused when the record was changed meanwhile`() async throws {
        let fixture = try await filled()
        let record = try #require(try await fixture.records().first)
        try await fixture.dictofun.editTranscript(
            of: record.id, "one", expecting: record.revision, operation: Operation("edit"))
        let error = await #expect(throws: HubError.self) {
            try await fixture.dictofun.editTranscript(
                of: record.id, "two", expecting: record.revision, operation: Operation("edit"))
        }
        #expect(error?.code == "edit-conflict")
        // The same text again is no change.
        let revision = try await fixture.dictofun.records.get(record.id).revision
        try await fixture.dictofun.editTranscript(of: record.id, "one", operation: Operation("edit"))
        #expect(try await fixture.dictofun.records.get(record.id).revision == revision)
    }

    @Test func `a removed record is in the trash, and found no more`() async throws {
        let fixture = try await filled()
        let id = try #require(try await fixture.records().first?.id)
        try await fixture.dictofun.records.delete([id], operation: Operation("rm"))
        #expect(try await fixture.dictofun.searchRecords(["boiler"], limit: 5).found.isEmpty)
        #expect(try await found(fixture) { $0.isTrash = true } == ["20261120"])
        try await fixture.dictofun.records.restore([id], operation: Operation("restore"))
        #expect(try await fixture.dictofun.searchRecords(["boiler"], limit: 5).total == 1)
    }

    @Test func `selectors are ids, last, names and words`() async throws {
        let fixture = try await filled()
        let items = fixture.dictofun.records
        #expect(try await items.resolve("last").map(\.fileName) == ["20261119_120000"])
        #expect(try await items.resolve("plumber").map(\.fileName) == ["20261120_094100"])
        #expect(try await items.resolve("20261118_080000").count == 1)
        #expect(try await items.resolve("call").count == 2)
        let id = try #require(try await fixture.records().first?.id)
        #expect(try await items.resolve(String(id.prefix(6))).map(\.id) == [id])
    }

    @Test(arguments: [RecordExportFormat.wav, .flac, .opus])
    func `the sound of a record is exported`(format: RecordExportFormat) async throws {
        let fixture = try DictofunFixture()
        let item = try await fixture.importFile(try fixture.sound("talk.wav", rate: 22_050))
        let record = try await fixture.dictofun.records.get(item.id)
        let path = fixture.folder.path + "/out"
        try await fixture.dictofun.export(record, as: format, to: path)
        let reader = try SoundFileReader(path: path)
        #expect(abs(reader.sampleCount * 1000 / reader.sampleRate - 500) < 30)
        if format != .opus { #expect(reader.sampleRate == 22_050) }
    }

    @Test func `the original is exported byte for byte, in pieces`() async throws {
        let fixture = try DictofunFixture()
        let path = try fixture.sound("talk.wav", milliseconds: 20_000)
        let item = try await fixture.importFile(path)
        var bytes: [UInt8] = []
        for try await piece in try await fixture.dictofun.exported(
            try await fixture.dictofun.records.get(item.id), as: .original)
        { bytes += piece }
        #expect(bytes == Array(try #require(await readBytes(path))))
        #expect(fileNames(in: fixture.folder.path + "/cache/dictofun") == [])
    }

    private func readBytes(_ path: String) async -> [UInt8]? {
        try? await ChunkedFileReader.contents(of: path, limit: 1 << 30, isRegular: true)
    }

    @Test func `a record is played from a place on, faster, by the player that is there`() async throws {
        let fixture = try DictofunFixture()
        let item = try await fixture.importFile(try fixture.sound("talk.wav", milliseconds: 2000))
        let record = try await fixture.dictofun.records.get(item.id)
        let missing = await #expect(throws: HubError.self) { try await fixture.dictofun.play(record) }
        #expect(missing?.code == "no-player")
        try fixture.program("aplay", "cp \"$2\" '\(fixture.folder.path)/played.wav'")
        try await fixture.dictofun.play(record, from: .seconds(1), speed: 2)
        let played = try SoundFileReader(path: fixture.folder.path + "/played.wav")
        #expect(abs(played.sampleCount * 1000 / played.sampleRate - 500) < 60)
    }

    @Test func `faster speech keeps its pitch`() throws {
        let tone = (0..<16_000).map { Int16(9000 * sin(2 * Double.pi * 200 * Double($0) / 16_000)) }
        for speed in [0.5, 1.5, 3] {
            var stretch = try #require(TimeStretch(speed: speed, sampleRate: 16_000))
            var result: [Int16] = []
            for start in stride(from: 0, to: tone.count, by: 1000) {
                result += stretch.stretch(Array(tone[start..<start + 1000]))
            }
            result += stretch.finish()
            #expect(abs(Double(result.count) - 16_000 / speed) < 1700)
            let crossings = zip(result, result.dropFirst()).count { $0 < 0 && $1 >= 0 }
            #expect(abs(Double(crossings) / Double(result.count) * 16_000 - 200) < 12)
        }
        #expect(TimeStretch(speed: 9, sampleRate: 16_000) == nil)
    }

    @Test func `the tables follow the rules`() throws {
        #expect(try TableRules.breaches(of: DictofunPlugin.descriptor.schema) == [])
    }
}
