import Archive
import Glibc
import TestSupport
import Testing

struct ZipTests {
    private func zip(_ entries: [ArchiveEntry]) throws -> [UInt8] {
        let writer = try ZipWriter()
        var bytes: [UInt8] = []
        for entry in entries {
            try writer.add(entry)
            bytes += writer.take()
        }
        try writer.finish()
        return bytes + writer.take()
    }

    private let entries = [
        ArchiveEntry("Habits.csv", Array("Position,Name\n".utf8)), ArchiveEntry("001 Run/empty.csv", []),
        ArchiveEntry("001 Run/Checkmarks.csv", (0..<300_000).map { UInt8(truncatingIfNeeded: $0 / 7) }),
    ]

    @Test func `what is written is read back`() throws {
        let bytes = try zip(entries)
        #expect(try ZipReader.read(bytes) == entries)
        #expect(bytes.starts(with: [0x50, 0x4B, 0x03, 0x04]))
    }

    @Test func `an archive without files is one`() throws { #expect(try ZipReader.read(zip([])) == []) }

    /// In a process of its own: a zone that is set here would hold for the other tests that are running.
    @Test func `the same files give the same bytes in every zone`() async throws {
        await #expect(processExitsWith: .success) {
            var all: Set<[UInt8]> = []
            for zone in ["UTC", "Pacific/Auckland", "America/New_York"] {
                setenv("TZ", zone, 1)
                tzset()
                all.insert(try ZipTests().zip(ZipTests().entries))
            }
            #expect(all.count == 1)
        }
    }

    /// Laid out by hand after APPNOTE 4.3: one stored file, its record in the directory, and the end of that.
    @Test func `an archive of another program is read`() throws {
        let crc: [UInt8] = [0xAC, 0x2A, 0x93, 0xD8]  // CRC-32 of "hi"
        let sizes: [UInt8] = [2, 0, 0, 0, 2, 0, 0, 0]
        let common: [UInt8] = [20, 0, 0, 0, 0, 0, 0, 0, 0x21, 0] + crc + sizes + [1, 0, 0, 0]
        let local: [UInt8] = [0x50, 0x4B, 3, 4] + common + Array("ahi".utf8)
        let record: [UInt8] =
            [0x50, 0x4B, 1, 2, 20, 0] + common + [0, 0, 0, 0, 0, 0, 0, 0, 0, 0] + [0, 0, 0, 0] + Array("a".utf8)
        let end: [UInt8] =
            [0x50, 0x4B, 5, 6, 0, 0, 0, 0, 1, 0, 1, 0, UInt8(record.count), 0, 0, 0, UInt8(local.count), 0, 0, 0, 0, 0]
        #expect(try ZipReader.read(local + record + end) == [ArchiveEntry("a", Array("hi".utf8))])
    }

    @Test func `limits are kept`() throws {
        let bytes = try zip([ArchiveEntry("bomb", [UInt8](repeating: 0, count: 10 << 20))])
        #expect(bytes.count < 100_000)
        #expect(throws: ArchiveError.fileTooLarge(limit: 1 << 20)) {
            try ZipReader.read(bytes, limits: ArchiveLimits(fileBytes: 1 << 20))
        }
        #expect(throws: ArchiveError.tooLarge(limit: 1 << 20)) {
            try ZipReader.read(bytes, limits: ArchiveLimits(totalBytes: 1 << 20))
        }
        #expect(throws: ArchiveError.tooManyEntries(limit: 0)) {
            try ZipReader.read(bytes, limits: ArchiveLimits(entries: 0))
        }
    }

    @Test(arguments: ["", "ä.csv", "a\nb"])
    func `a path that is read in many ways is not written`(path: String) throws {
        let writer = try ZipWriter()
        #expect(throws: ArchiveError.pathInvalid(path)) { try writer.add(ArchiveEntry(path, [])) }
    }

    @Test(.seeded) func `no damage crashes`() throws {
        let whole = try zip(entries)
        var generator = SeededGenerator()
        for _ in 0..<500 {
            var bytes = whole
            for _ in 0..<Int.random(in: 1...20, using: &generator) {
                bytes[Int.random(in: 0..<bytes.count, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
            }
            bytes.removeLast(Int.random(in: 0..<bytes.count, using: &generator))
            _ = try? ZipReader.read(bytes)
        }
        #expect(throws: ArchiveError.self) { try ZipReader.read(Array("no archive".utf8)) }
    }
}
