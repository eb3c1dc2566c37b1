import Audio
import DictofunDomain
import TestSupport
import Testing

struct RecordDecoderTests {
    private static func sound(_ count: Int) -> [UInt8] {
        var generator = SeededGenerator(seed: 6)
        return (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
    }

    private static func decode(_ bytes: [UInt8], chunk: Int = .max) -> (samples: [Int16], decoder: RecordDecoder) {
        var (decoder, samples, rest) = (RecordDecoder(), [Int16](), bytes[...])
        while !rest.isEmpty {
            samples += decoder.decode(Array(rest.prefix(chunk)))
            rest = rest.dropFirst(chunk)
        }
        samples += decoder.finish()
        return (samples, decoder)
    }

    @Test func `the sound begins after the descriptor`() {
        let sound = RecordDecoderTests.sound(50)
        var plain = ADPCMDecoder()
        let expected = plain.decode(sound)
        let bytes = Array("adpcm;16000;2\0".utf8) + sound
        for chunk in 1...64 {
            let result = RecordDecoderTests.decode(bytes, chunk: chunk)
            #expect(result.samples == expected)
            #expect(result.decoder.descriptor?.size == 14)
        }
    }

    @Test func `a file without a descriptor is sound from its first byte`() {
        let sound = [UInt8](repeating: 0x77, count: 64)
        var plain = ADPCMDecoder()
        let expected = plain.decode(sound)
        for chunk in [1, 23, 24, 25, 64] { #expect(RecordDecoderTests.decode(sound, chunk: chunk).samples == expected) }
        #expect(RecordDecoderTests.decode([]).samples == [])
        #expect(RecordDecoderTests.decode([0x77]).samples == [11, 41])
    }

    @Test func `decimated records are plain samples at a lower rate`() throws {
        let bytes = Array("decim;16000;2;2\0".utf8) + [1, 0, 0xFF, 0xFF, 0, 0x80, 9]
        for chunk in 1...30 {
            let result = RecordDecoderTests.decode(bytes, chunk: chunk)
            #expect(result.samples == [1, -1, -32768])
            let descriptor = try #require(result.decoder.descriptor)
            #expect(descriptor.sampleRate == 8000)
            #expect(RecordDecoder.duration(size: 16 + 16_000, descriptor: descriptor) == .seconds(1))
        }
    }

    @Test(arguments: [
        "adpcm;16000;2", "adpcm;16000;2;9\0", "adpcm;16000;4\0", "adpcm;0;2\0", "adpcm;x;2\0", "ADPCM;16000;2\0", "\0",
        "decim;16000;2;0\0", "decim;16000;2\0", "adpcm;999999999999999999999;2\0", "adpcm;000000000000000016000;2\0",
    ])
    func `other text is no descriptor`(text: String) { #expect(RecordDescriptor(Array(text.utf8)) == nil) }

    @Test func `the length follows from the size`() {
        #expect(RecordDecoder.duration(size: 16_000) == .seconds(2))
        #expect(RecordDecoder.duration(size: 0) == .zero)
    }
}
