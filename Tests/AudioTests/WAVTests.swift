import Audio
import TestSupport
import Testing

struct WAVTests {
    private static func file(_ samples: [Int16], rate: Int = 16_000, channels: Int = 1) throws -> [UInt8] {
        let writer = WAVWriter(sampleRate: rate, channelCount: channels)
        return try writer.header(sampleCount: samples.count) + writer.bytes(of: samples)
    }

    private static func read(_ bytes: [UInt8], chunk: Int = .max) throws -> (samples: [Int16], reader: WAVReader) {
        var (reader, samples, rest) = (WAVReader(), [Int16](), bytes[...])
        while !rest.isEmpty {
            samples += try reader.read(Array(rest.prefix(chunk)))
            rest = rest.dropFirst(chunk)
        }
        try reader.finish()
        return (samples, reader)
    }

    @Test func `the header has the canonical 44 bytes`() throws {
        let header = try WAVWriter(sampleRate: 16_000).header(sampleCount: 2)
        let fields: [UInt8] =
            Array("RIFF".utf8) + [40, 0, 0, 0] + Array("WAVEfmt ".utf8) + [16, 0, 0, 0, 1, 0, 1, 0, 0x80, 0x3E, 0, 0]
            + [0, 0x7D, 0, 0, 2, 0, 16, 0] + Array("data".utf8) + [4, 0, 0, 0]
        #expect(header == fields)
    }

    @Test func `what was written is read, in any chunks`() throws {
        let samples: [Int16] = [0, 1, -1, .max, .min, 256, -256]
        let bytes = try WAVTests.file(samples)
        for chunk in 1...bytes.count {
            let result = try WAVTests.read(bytes, chunk: chunk)
            #expect(result.samples == samples)
            #expect(result.reader.isComplete)
            #expect(result.reader.format == WAVFormat(sampleRate: 16_000))
        }
    }

    @Test func `channels are averaged, also across chunks`() throws {
        let bytes = try WAVTests.file([100, 300, -5, 5, .max, .max], rate: 44_100, channels: 2)
        for chunk in 1...9 { #expect(try WAVTests.read(bytes, chunk: chunk).samples == [200, 0, .max]) }
    }

    @Test(arguments: [
        (WAVFormat.Encoding.unsigned8, 1, 8, [UInt8(0), 128, 255], [Int16(-32768), 0, 32512]),
        (.signed24, 1, 24, [1, 2, 0x80, 0xFF, 0xFF, 0x7F], [-32766, 32767]),
        (.signed32, 1, 32, [0, 0, 0, 0x80, 0xFF, 0xFF, 0, 0], [-32768, 0]),
        (
            .float32, 3, 32, [0, 0, 0, 0x3F, 0, 0, 0xC0, 0x7F, 0, 0, 0x80, 0xFF, 0, 0, 0, 0x40],
            [16384, 0, -32768, 32767]
        ),
    ])
    func `every encoding is scaled to 16 bits`(
        encoding: WAVFormat.Encoding, tag: UInt8, bits: UInt8, data: [UInt8], samples: [Int16]
    ) throws {
        let size = UInt8(encoding.byteCount)
        var bytes = Array("RIFF0000WAVEfmt ".utf8) + [16, 0, 0, 0, tag, 0, 1, 0, 0x80, 0x3E, 0, 0, 0, 0, 0, 0]
        bytes += [size, 0, bits, 0] + Array("data".utf8) + [UInt8(data.count), 0, 0, 0] + data
        #expect(try WAVTests.read(bytes).samples == samples)
        // The extensible form of the same format.
        let guid: [UInt8] = [tag, 0, 0, 0, 0, 0, 16, 0, 0x80, 0, 0, 0xAA, 0, 0x38, 0x9B, 0x71]
        var extensible = Array("RIFF0000WAVEfmt ".utf8) + [40, 0, 0, 0, 0xFE, 0xFF, 1, 0, 0x80, 0x3E, 0, 0, 0, 0, 0, 0]
        extensible += [size, 0, bits, 0, 22, 0, bits, 0, 0, 0, 0, 0] + guid
        extensible += Array("data".utf8) + [UInt8(data.count), 0, 0, 0] + data
        #expect(try WAVTests.read(extensible, chunk: 5).samples == samples)
    }

    @Test(arguments: [[UInt8](repeating: 0, count: 4), [UInt8](repeating: 0xFF, count: 4)])
    func `samples of an unknown size go on to the end`(size: [UInt8]) throws {
        var bytes = try WAVTests.file([1, 2, 3])
        bytes.replaceSubrange(40..<44, with: size)
        #expect(try WAVTests.read(bytes, chunk: 3).samples == [1, 2, 3])
    }

    @Test func `other chunks are passed over, padded to even sizes`() throws {
        var bytes = try WAVTests.file([7, 8])
        bytes.insert(contentsOf: Array("LIST".utf8) + [3, 0, 0, 0, 1, 2, 3, 0], at: 36)
        bytes.insert(contentsOf: Array("junk".utf8) + [0, 0, 0, 0], at: 12)
        bytes += Array("LIST".utf8) + [2, 0, 0, 0, 1, 2]
        for chunk in 1...20 { #expect(try WAVTests.read(bytes, chunk: chunk).samples == [7, 8]) }
    }

    @Test func `a file that was cut says that it is not complete`() throws {
        let bytes = try WAVTests.file([7, 8, 9])
        let result = try WAVTests.read(bytes.dropLast(3))
        #expect(result.samples == [7])
        #expect(!result.reader.isComplete)
    }

    @Test func `files of other kinds are refused`() throws {
        let good = try WAVTests.file([1])
        #expect(throws: WAVError.notWAV) { try WAVTests.read([]) }
        #expect(throws: WAVError.notWAV) { try WAVTests.read(Array("fLaC and so on".utf8)) }
        #expect(throws: WAVError.notWAV) { try WAVTests.read(Array(good.prefix(8))) }
        #expect(throws: WAVError.malformedFormat) { try WAVTests.read(Array(good.prefix(30))) }
        #expect(throws: WAVError.missingSamples) { try WAVTests.read(Array(good.prefix(40))) }
        var compressed = good
        compressed[20] = 0x11
        #expect(throws: WAVError.unsupportedEncoding(tag: 0x11, bitsPerSample: 16)) { try WAVTests.read(compressed) }
        for (place, value) in [(22, UInt8(0)), (22, 9), (32, 1), (16, 15)] {
            var bytes = good
            bytes[place] = value
            #expect(throws: WAVError.malformedFormat) { try WAVTests.read(bytes) }
        }
        let chunks = repeated("junk\0\0\0\0", 1025, after: "RIFF0000WAVE")
        #expect(throws: WAVError.tooManyChunks) { try WAVTests.read(chunks) }
        #expect(throws: WAVError.tooLong) { try WAVWriter(sampleRate: 8000).header(sampleCount: 1 << 31) }
    }

    @Test func `any bytes are read in linear time`() throws {
        let good = try WAVTests.file([Int16](repeating: 3, count: 64))
        var generator = SeededGenerator(seed: 5)
        for _ in 0..<4000 {
            var bytes = good
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                bytes[Int.random(in: 0..<60, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
            }
            let samples = try? WAVTests.read(bytes, chunk: 11).samples
            #expect(samples?.count ?? 0 <= bytes.count)
        }
        let start = good.prefix(12)
        Scaling.expectLinear("chunks", size: 40_000) {
            start + repeated("junk\u{4}\0\0\0xxxx", $0 / 40)
        } _: {
            _ = try? WAVTests.read(Array($0), chunk: 64)
        }
        try Scaling.expectLinear("samples", size: 200_000) {
            Array(good.prefix(40)) + [0, 0, 0, 0] + [UInt8](repeating: 1, count: $0)
        } _: {
            _ = try WAVTests.read($0, chunk: 7)
        }
    }
}
