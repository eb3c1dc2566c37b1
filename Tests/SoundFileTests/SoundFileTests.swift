import Glibc
import SoundFile
import TestSupport
import Testing

struct SoundFileTests {
    /// A tone of a second.
    private static func tone(_ rate: Int) -> [Int16] {
        (0..<rate).map { Int16(12_000 * sin(2 * Double.pi * 440 * Double($0) / Double(rate))) }
    }

    private static func read(_ path: String) throws -> (samples: [Int16], rate: Int) {
        let reader = try SoundFileReader(path: path)
        var samples: [Int16] = []
        while let piece = reader.next() { samples += piece }
        return (samples, reader.sampleRate)
    }

    @Test(arguments: [SoundFileWriter.Format.wav, .flac])
    func `what is written without loss is read back`(format: SoundFileWriter.Format) throws {
        let folder = try TemporaryFolder()
        let writer = try SoundFileWriter(path: folder.path + "/tone", format: format, sampleRate: 44_100)
        let tone = Self.tone(44_100)
        try writer.write(Array(tone.prefix(10_000)))
        try writer.write(Array(tone.dropFirst(10_000)))
        try writer.finish()
        let read = try Self.read(folder.path + "/tone")
        #expect(read.samples == tone)
        #expect(read.rate == 44_100)
        #expect(try SoundFileReader(path: folder.path + "/tone").sampleCount == 44_100)
    }

    @Test func `a sound in Opus sounds the same`() throws {
        let folder = try TemporaryFolder()
        let writer = try SoundFileWriter(path: folder.path + "/tone", format: .opus, sampleRate: 16_000)
        let tone = Self.tone(16_000)
        try writer.write(tone)
        try writer.finish()
        let read = try Self.read(folder.path + "/tone")
        #expect(abs(read.samples.count - 16_000 * read.rate / 16_000) < read.rate / 10)
        let loudest = try #require(read.samples.max())
        #expect((9000...15_000).contains(loudest))
        #expect(throws: SoundFileError.self) {
            try SoundFileWriter(path: folder.path + "/other", format: .opus, sampleRate: 44_100)
        }
    }

    @Test func `channels are averaged, and a file that breaks off ends there`() throws {
        let folder = try TemporaryFolder()
        var bytes: [UInt8] = Array("RIFF".utf8) + [0, 0, 1, 0] + Array("WAVEfmt ".utf8)
        bytes += [16, 0, 0, 0, 1, 0, 2, 0, 0x40, 0x1F, 0, 0, 0, 0x7D, 0, 0, 4, 0, 16, 0]
        bytes += Array("data".utf8) + [0xDC, 0xFF, 0, 0] + [100, 0, 200, 0, 10, 0, 0xF6, 0xFF]
        try folder.write(String(decoding: [], as: UTF8.self), to: "stereo.wav")
        let file = open(folder.path + "/stereo.wav", O_WRONLY)
        #expect(write(file, bytes, bytes.count) == bytes.count)
        close(file)
        let read = try Self.read(folder.path + "/stereo.wav")
        #expect(read.samples == [150, 0])
        #expect(read.rate == 8000)
    }

    @Test func `numbers are rounded and cut at full scale, and what is no number is silence`() throws {
        let folder = try TemporaryFolder()
        let values: [Float] = [0.5, 100.4 / 32_768, -100.6 / 32_768, -1, 1, 2, -2, .infinity, -.infinity, .nan, -.nan]
        var bytes: [UInt8] = Array("RIFF".utf8) + [80, 0, 0, 0] + Array("WAVEfmt ".utf8)
        bytes += [16, 0, 0, 0, 3, 0, 1, 0, 0x40, 0x1F, 0, 0, 0, 0x7D, 0, 0, 4, 0, 32, 0]
        bytes += Array("data".utf8) + [44, 0, 0, 0]
        bytes += values.flatMap { value in (0..<4).map { UInt8(truncatingIfNeeded: value.bitPattern >> ($0 * 8)) } }
        try folder.write("", to: "numbers.wav")
        let file = open(folder.path + "/numbers.wav", O_WRONLY)
        #expect(write(file, bytes, bytes.count) == bytes.count)
        close(file)
        let read = try Self.read(folder.path + "/numbers.wav")
        #expect(read.samples == [16_384, 100, -101, -32_768, 32_767, 32_767, -32_768, 32_767, -32_768, 0, 0])
    }

    @Test func `what is no sound is refused with a reason`() throws {
        let folder = try TemporaryFolder()
        try folder.write("no sound at all", to: "note.txt")
        let reason = #expect(throws: SoundFileError.self) { try SoundFileReader(path: folder.path + "/note.txt") }
        guard case .unreadable(let text)? = reason else {
            Issue.record("\(String(describing: reason))")
            return
        }
        #expect(!text.isEmpty)
        #expect(throws: SoundFileError.self) { try SoundFileReader(path: folder.path + "/none.wav") }
    }
}
