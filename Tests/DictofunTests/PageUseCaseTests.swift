import Commands
import Glibc
import HubKit
import System
import TestSupport
import Testing

@testable import Dictofun
@testable import DictofunDomain

/// The use cases that only the page has: files in pieces, sound for browsers, parts of the list, and work with recorders.
struct PageUseCaseTests {
    @Test func `a file that comes in pieces is imported once it is whole`() async throws {
        let fixture = try DictofunFixture()
        let file = try await bytes(of: try fixture.sound("memo.wav"))
        func send(_ range: Range<Int>, last: Bool, id: String = "0123456789abcdef") async throws -> RecordImportItem? {
            try await fixture.dictofun.upload(
                id, name: "memo.wav", offset: range.lowerBound, Array(file[range]), isLast: last,
                changedAt: Instant(milliseconds: 1_700_000_000_000), operation: Operation("page"))
        }
        #expect(try await fixture.dictofun.receivedSize(of: "0123456789abcdef") == 0)
        #expect(try await send(0..<1000, last: false) == nil)
        #expect(try await fixture.dictofun.receivedSize(of: "0123456789abcdef") == 1000)
        #expect(try await fixture.dictofun.receivedSize(of: "../../etc/passwd") == 0)
        #expect(try await fixture.records().isEmpty)
        await #expect(throws: HubError.self) { try await send(2000..<file.count, last: true) }
        let item = try #require(try await send(1000..<file.count, last: true))
        #expect(try await fixture.dictofun.receivedSize(of: "0123456789abcdef") == 0)
        #expect(item.outcome == .new)
        let stored = try await fixture.dictofun.records.get(item.id)
        #expect(stored.size == file.count)
        #expect(stored.name == "memo")
        #expect(stored.record.startTime.description == "2023-11-14 22:13:20")
        #expect(try await send(0..<file.count, last: true)?.outcome == .unchanged)
        #expect(fixture.folder.names(in: "cache/dictofun/uploads").isEmpty)
        for id in ["short", "../../etc/passwd", String(repeating: "a", count: 65)] {
            await #expect(throws: HubError.self) { try await send(0..<10, last: false, id: id) }
        }
    }

    @Test func `a browser gets a file as it is, and a recorder's as WAV, of which few are kept`() async throws {
        let fixture = try DictofunFixture()
        try await fixture.importFile(try fixture.sound("memo.flac"))
        let plain = try await fixture.dictofun.playableSound(of: try await record(fixture, 0))
        #expect(plain.contentType == "audio/flac")
        let flac = try await bytes(of: fixture.folder.path + "/memo.flac")
        #expect(try await bytes(of: plain.path) == flac)
        for number in 0..<10 {
            let name = "00002611200941\(10 + number).dictofun"
            // Bytes of ASCII are sound as good as any.
            let frames = (0..<64 * 20).map { Character(UnicodeScalar(UInt8(32 + $0 * (number + 3) % 90))) }
            try fixture.folder.write("adpcm;16000;2\0" + String(frames), to: name)
            let item = try await fixture.importFile(fixture.folder.path + "/" + name)
            let sound = try await fixture.dictofun.playableSound(of: try await fixture.dictofun.records.get(item.id))
            #expect(sound.contentType == "audio/wav")
            #expect(try await bytes(of: sound.path).count == 44 + 2 * 2 * 64 * 20)
        }
        #expect(fixture.folder.names(in: "cache/dictofun/played").count == 8)
    }

    private func bytes(of path: String) async throws -> [UInt8] {
        try await BackgroundThread.run { try BoundedFile.read(path, limit: 1 << 24) }
    }

    private func record(_ fixture: DictofunFixture, _ place: Int) async throws -> StoredRecord {
        try await fixture.dictofun.records.get(try await fixture.records()[place].id)
    }

    @Test func `a part of the list knows the whole list's months`() async throws {
        let fixture = try DictofunFixture()
        let names = ["20261120_094100", "20261119_094100", "20261003_094100", "20250101_094100"]
        for (place, name) in names.enumerated() {
            try await fixture.importFile(try fixture.sound("\(name).wav", pitch: 300 + 50 * Double(place)))
        }
        let page = try await fixture.dictofun.recordPage(RecordFilter(), offset: 1, limit: 2)
        #expect(page.records.map(\.fileName) == ["20261119_094100", "20261003_094100"])
        #expect(page.total == 4)
        #expect(page.months.map(\.month) == ["2026-11", "2026-10", "2025-01"])
        #expect(page.months.map(\.count) == [2, 1, 1])
        #expect(try await fixture.dictofun.recordPage(RecordFilter(), offset: 4, limit: 2).total == 4)
    }

    @Test func `one thing is done with recorders at a time, in the place of waiting, and can be cancelled`()
        async throws
    {
        let activity = RecorderActivity()
        let waiting = Task {
            try await activity.listen {
                try await Task.sleep(for: .seconds(3600))
                return RecorderRun()
            }
        }
        var states = activity.states.makeAsyncIterator()
        while await states.next()?.kind != .listening {}
        try activity.begin(.scanning) {
            try await Task.sleep(for: .seconds(3600))
            return (nil, [])
        }
        #expect(throws: HubError.self) { try activity.begin(.pairing) { ("paired", nil) } }
        await #expect(throws: CancellationError.self) { try await waiting.value }
        while await states.next()?.kind != .scanning {}
        activity.cancel()
        var state = await states.next()
        while state?.kind != .idle { state = await states.next() }
        #expect(state?.result == "Cancelled")
        let found = Device(address: "C0:DE:00:00:00:01", advertisedName: "dict")
        try activity.begin(.scanning) { (nil, [found]) }
        while state?.found == nil { state = await states.next() }
        #expect(state?.found == [found])
        try activity.begin(.pairing, found) { throw HubError(.unavailable, code: "recorder-away", "it is away") }
        while state?.error == nil { state = await states.next() }
        #expect(state?.error?.code == "recorder-away")
        #expect(state?.kind == .idle)
    }

    @Test(arguments: [(new: 0, received: 0, hasRoom: true), (2, 1, false), (2, 2, true)])
    func `the service makes room for a page unless it is fetching records`(
        new: Int, received: Int, hasRoom: Bool
    ) async throws {
        let (activity, device) = (RecorderActivity(), Device(address: "C0:DE:00:00:00:01", advertisedName: "dict"))
        let service = Task {
            try await activity.listen {
                try await Task.sleep(for: .seconds(3600))
                return RecorderRun()
            }
        }
        var states = activity.states.makeAsyncIterator()
        while await states.next()?.kind != .listening {}
        activity.note(
            device,
            FTSProgress(
                operation: .listing, newCount: new, receivedCount: received, receivedBytes: received, totalBytes: new))
        #expect(activity.state.kind == .syncing)
        let begin = { try activity.begin(.unpairing, device) { ("unpaired", nil) } }
        guard hasRoom else {
            #expect(throws: HubError.self) { try begin() }
            activity.cancel()
            await #expect(throws: CancellationError.self) { try await service.value }
            return
        }
        try begin()
        await #expect(throws: CancellationError.self) { try await service.value }
        while await states.next()?.result != "unpaired" {}
        #expect(activity.state.kind == .idle)
        #expect(activity.state.endedCount == 1)
    }
}
