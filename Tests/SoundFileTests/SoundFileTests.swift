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

    /// Writes bytes that are no text.
    private static func store(_ bytes: [UInt8], to path: String) {
        let file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        #expect(Glibc.write(file, bytes, bytes.count) == bytes.count)
        close(file)
    }

    private static func bytes(_ path: String) throws -> [UInt8] {
        let file = try #require(fopen(path, "re"))
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 1 << 20)
        bytes.removeLast(bytes.count - fread(&bytes, 1, bytes.count, file))
        return bytes
    }

    @Test(arguments: [SoundFileWriter.Format.flac, .opus])
    func `several recordings in one file are read to the end`(format: SoundFileWriter.Format) throws {
        let folder = try TemporaryFolder()
        let writer = try SoundFileWriter(path: folder.path + "/one", format: format, sampleRate: 16_000)
        try writer.write(Self.tone(16_000))
        try writer.finish()
        let one = try Self.bytes(folder.path + "/one")
        Self.store(one + one + one, to: folder.path + "/three")
        let read = try Self.read(folder.path + "/one")
        #expect(try Self.read(folder.path + "/three").samples.count == 3 * read.samples.count)
    }

    @Test func `a header that was never completed hides nothing`() throws {
        let folder = try TemporaryFolder()
        let tone = Self.tone(16_000)
        let little = tone.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] }
        let big = tone.flatMap { [UInt8(truncatingIfNeeded: $0 >> 8), UInt8(truncatingIfNeeded: $0)] }
        let form: [UInt8] = [1, 0, 1, 0, 0x80, 0x3E, 0, 0, 0, 0x7D, 0, 0, 2, 0, 16, 0]
        let wave = Array("RIFF".utf8) + [36, 0, 0, 0] + Array("WAVEfmt ".utf8) + [16, 0, 0, 0] + form
        Self.store(wave + Array("data".utf8) + [0, 0, 0, 0] + little, to: folder.path + "/a.wav")
        #expect(try Self.read(folder.path + "/a.wav").samples == tone)
        // 16 kHz as a number of 80 bits.
        let common: [UInt8] = [0, 1, 0, 0, 0, 0, 0, 16, 0x40, 0x0C, 0xFA, 0, 0, 0, 0, 0, 0, 0]
        let aiff = Array("FORM".utf8) + [0, 0, 0, 46] + Array("AIFFCOMM".utf8) + [0, 0, 0, 18] + common
        Self.store(
            aiff + Array("SSND".utf8) + [0, 0, 0, 8, 0, 0, 0, 0, 0, 0, 0, 0] + big, to: folder.path + "/a.aiff")
        #expect(try Self.read(folder.path + "/a.aiff").samples == tone)
        // Further chunks are no sound.
        let notes = Array("LIST".utf8) + [200, 0, 0, 0] + [UInt8](repeating: 32, count: 200)
        Self.store(wave + Array("data".utf8) + [4, 0, 0, 0, 1, 0, 2, 0] + notes, to: folder.path + "/b.wav")
        #expect(try Self.read(folder.path + "/b.wav").samples == [1, 2])
    }

    @Test(arguments: [SoundFileWriter.Format.wav, .flac])
    func `a file that was cut says so`(format: SoundFileWriter.Format) throws {
        let folder = try TemporaryFolder()
        let writer = try SoundFileWriter(path: folder.path + "/whole", format: format, sampleRate: 16_000)
        try writer.write(Self.tone(16_000))
        try writer.finish()
        let whole = try Self.bytes(folder.path + "/whole")
        Self.store(Array(whole.prefix(whole.count / 2)), to: folder.path + "/half")
        for (name, isCut) in [("whole", false), ("half", true)] {
            let reader = try SoundFileReader(path: folder.path + "/" + name)
            while reader.next() != nil {}
            #expect(reader.endsEarly == isCut, "\(name)")
        }
    }

    @Test func `two channels are kept where they are asked for, and opposite ones are heard`() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/stereo.wav"
        let tone = Self.tone(8000)
        let writer = try SoundFileWriter(path: path, format: .wav, sampleRate: 8000, channelCount: 2)
        try writer.write([tone, tone.map { -$0 }])
        try writer.finish()
        let piece = try #require(try SoundFileReader(path: path).nextPiece(keepsChannels: true))
        #expect(piece.channels == [tone, tone.map { -$0 }] && piece.mono == tone)
        #expect(try Self.read(path).samples == tone)
    }

    @Test func `a sound in MP3 is read back`() throws {
        let folder = try TemporaryFolder()
        let writer = try SoundFileWriter(path: folder.path + "/tone", format: .mp3, sampleRate: 16_000)
        try writer.write(Self.tone(16_000))
        try writer.finish()
        #expect(try Self.bytes(folder.path + "/tone").count < 12_000)
        #expect(abs(try Self.read(folder.path + "/tone").samples.count - 16_000) < 3000)
    }

    @Test func `any bytes have a layout`() throws {
        let folder = try TemporaryFolder()
        var generator = SeededGenerator(seed: 5)
        let starts = ["RIFFxxxxWAVEfmt ", "FORMxxxxAIFFCOMM", "fLaC", "OggS"].map { Array($0.utf8) }
        for number in 0..<200 {
            let rest = (0..<Int.random(in: 0...300, using: &generator)).map { _ in
                UInt8.random(in: 0...255, using: &generator) & (number % 2 == 0 ? 0xFF : 3)
            }
            Self.store(starts[number % starts.count] + rest, to: folder.path + "/x")
            _ = try? Self.read(folder.path + "/x")
        }
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
