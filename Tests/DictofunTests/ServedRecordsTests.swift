import Audio
import DictofunDomain
import HubKit
import Storage
import Sync
import Synchronization
import Testing

@testable import Dictofun

/// Records as devices see them.
struct ServedRecordsTests {
    /// Another machine, which has files.
    private final class OtherMachine: AbsentFiles {
        let files = Mutex<[BlobID: [UInt8]]>([:])
        let asked = Mutex(0)
        let store = Mutex<BlobStore?>(nil)

        func places() async throws -> [BlobID: String] {
            files.withLock { $0.mapValues { _ in "desk" } }
        }

        func fetch(_ id: BlobID) async throws {
            asked.withLock { $0 += 1 }
            guard let bytes = files.withLock({ $0[id] }), let store = store.withLock(\.self) else {
                throw HubError(.unavailable, code: "file-elsewhere", "this sound is on desk, which cannot be reached")
            }
            _ = try await store.store(bytes)
        }
    }

    private static let author = ServedAuthor(device: "laptop", program: "Test", operation: "op1")
    private let fixture: DictofunFixture
    private let served: ServedRecords
    private let other = OtherMachine()

    init() throws {
        fixture = try DictofunFixture(absentFiles: other)
        served = ServedRecords(dictofun: fixture.dictofun)
        let blobs = fixture.dictofun.blobs
        other.store.withLock { $0 = blobs }
    }

    private func insert(_ id: String, blob: String, size: Int, as format: SoundFormat, name: String = "") async throws {
        let file = try #require(FileID(text: "0000261120094100"))
        let record = Record(
            file: file, of: "C0:DE:00:00:00:01", length: .seconds(1),
            fetchTime: TimeZoneRules.utc.localTime(at: Instant(milliseconds: 0)))
        let stored = StoredRecord(
            id: id, revision: 1, deletedAt: nil, blob: blob, size: size, format: format, name: name, record: record,
            isRough: false)
        try await fixture.dictofun.store.write(Operation("test")) { tx in
            try tx.insertRecord(stored)
            try tx.reindexRecords([stored.id])
        }
    }

    @Test func `what a recorder sent is a WAV file of a known length, from wherever it is read`() async throws {
        let sound = Array("adpcm;16000;2\0".utf8) + (0..<700_000).map { UInt8(truncatingIfNeeded: $0 &* 37 &+ $0 >> 9) }
        let blob = try await fixture.dictofun.blobs.store(sound)
        try await insert("r1", blob: blob.id.text, size: sound.count, as: .recorder)
        var decoder = RecordDecoder()
        let samples = decoder.decode(sound) + decoder.finish()
        let writer = WAVWriter(sampleRate: 16_000)
        let whole = try writer.header(sampleCount: samples.count) + writer.bytes(of: samples)

        let listed = try #require(try await served.documents(in: []).files.first)
        #expect(listed.name == "2026-11-20 09.41.wav" && listed.length == whole.count && !listed.isDerived)
        #expect(listed.mediaType == "audio/wav" && listed.etag.hasSuffix("-wav"))
        let content = try #require(try await served.content(at: [listed.name]))
        #expect(content.file == listed && content.prepare == nil)
        for range in [0..<44, 44..<300_000, 300_000..<300_001, 10..<60, 2_799_990..<whole.count, 0..<whole.count] {
            #expect(try await content.read(range) == Array(whole[range]), "\(range)")
        }
        #expect(try await content.read(whole.count - 2..<whole.count + 9).count == 2)
        // It stays as it is; the person may rename it.
        let other = ServedWrite([listed.name], .bytes([1, 2, 3]), author: Self.author)
        #expect(try await served.write(other) == .forbidden("the sound of a recorder stays as it is"))
        #expect(try await served.move([listed.name], to: ["Idea.wav"], by: Self.author) == .done(isNew: true, etag: ""))
        #expect(try await served.documents(in: []).files.map(\.name) == ["Idea.wav"])
        let removed = try await served.remove(["Idea.wav"], if: .always, by: Self.author)
        #expect(removed == .done(isNew: false, etag: ""))
        #expect(try await fixture.records().isEmpty)
    }

    @Test func `a text with times lies beside its sound as subtitles`() async throws {
        let path = try fixture.sound("memo.wav")
        try await fixture.importFile(path)
        let id = try #require(try await fixture.records().first).id
        #expect(try await served.documents(in: []).files.map(\.name) == ["memo.wav"], "it has no text")
        let before = try await served.state()
        let heard = MachineTranscript(segments: [.init("buy milk", 0..<400), .init("and bread", 400..<500)])
        try await fixture.dictofun.store.write(Operation("test")) { tx in
            try tx.setTranscript(heard, engine: "x", isRough: false, of: id)
        }
        #expect(try await served.state() != before)
        let files = try await served.documents(in: []).files
        #expect(files.map(\.name) == ["memo.wav", "memo.srt"] && files.map(\.isDerived) == [false, true])
        let content = try #require(try await served.content(at: ["memo.srt"]))
        let text = String(decoding: try await content.read(0..<content.file.length), as: UTF8.self)
        #expect(text.contains("00:00:00,000 --> 00:00:00,400\nbuy milk\n"), "\(text)")
        #expect(content.file == files[1] && files[1].length == text.utf8.count)
        // Another text is another version, and the name follows the sound's.
        let again = MachineTranscript(segments: [.init("buy silk", 0..<400)])
        try await fixture.dictofun.store.write(Operation("test")) { tx in
            try tx.setTranscript(again, engine: "x", isRough: false, of: id)
            try tx.noteChange(of: id)
        }
        #expect(try await served.document(at: ["memo.srt"])?.etag != files[1].etag)
        _ = try await served.move(["memo.wav"], to: ["Shop.wav"], by: Self.author)
        #expect(try await served.documents(in: []).files.map(\.name) == ["Shop.wav", "Shop.srt"])
    }

    @Test func `a sound that is on another machine is fetched once, when it is read`() async throws {
        let sound = Array("adpcm;16000;2\0".utf8) + [UInt8](repeating: 0x17, count: 999)
        let blob = try BlobStore.id(of: sound)
        try await insert("r1", blob: blob.text, size: sound.count, as: .recorder)
        try await insert("r2", blob: blob.text, size: sound.count, as: .file("ogg"), name: "memo")
        let names = try await served.documents(in: []).files.map(\.name)
        #expect(names == ["2026-11-20 09.41.wav", "memo.ogg"])
        let memo = try #require(try await served.content(at: ["memo.ogg"]))
        #expect(memo.file.length == sound.count && other.asked.withLock(\.self) == 0)
        let prepare = try #require(memo.prepare)
        // The machine is away.
        await #expect(throws: HubError.self) { try await prepare() }
        other.files.withLock { $0[blob] = sound }
        try await prepare()
        #expect(other.asked.withLock(\.self) == 2)
        #expect(try await memo.read(0..<sound.count) == sound)
        let recording = try #require(try await served.content(at: ["2026-11-20 09.41.wav"]))
        #expect(recording.prepare == nil && recording.file.length == 44 + 999 * 4)
        #expect(try await recording.read(0..<recording.file.length).count == recording.file.length)
    }
}
