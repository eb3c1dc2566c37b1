import Audio
import Hashing
import TestSupport
import Testing

struct ADPCMDecoderTests {
    @Test func `samples that rise steadily decode as the format says`() {
        var decoder = ADPCMDecoder()
        let samples = decoder.decode([0x07, 0x77, 0x77, 0x77, 0x31, 0x12, 0x12, 0x12])
        #expect(
            samples == [0, 11, 41, 104, 240, 533, 1164, 2521, 3879, 4407, 4887, 5615, 6012, 6613, 6941, 7438])
        #expect(decoder.predictor == 7438)
        #expect(decoder.stepIndex == 48)
    }

    @Test func `samples beyond full scale are limited`() {
        var decoder = ADPCMDecoder()
        let samples = decoder.decode([0x77, 0x77, 0x77, 0x77, 0xFF, 0xC8, 0x08, 0x80])
        #expect(
            samples == [
                11, 41, 104, 240, 533, 1164, 2521, 5431, -805, -14177, -31377, -32768, -30666, -32577, -32768, -31189,
            ])
        #expect(decoder == ADPCMDecoder(predictor: -31189, stepIndex: 77))
    }

    @Test func `the state after the samples of a codec test is the known one`() {
        var decoder = ADPCMDecoder()
        _ = decoder.decode([
            0x77, 0x7C, 0x00, 0x12, 0x24, 0x63, 0x65, 0x67, 0x7F, 0xD0, 0x80, 0x08, 0x08, 0x08, 0x00, 0x80,
        ])
        #expect(decoder == ADPCMDecoder(predictor: -5078, stepIndex: 59))
    }

    /// The hash is that of `audioop.adpcm2lin(bytes, 2, None)` of Python 3.11 for the same bytes.
    @Test func `random bytes decode as audioop decodes them`() throws {
        var decoder = ADPCMDecoder()
        let samples = decoder.decode(ADPCMDecoderTests.random(65_536))
        let bytes = WAVWriter(sampleRate: 16_000).bytes(of: samples)
        #expect(FNV1a.hash(bytes) == ADPCMDecoderTests.audioopHash)
    }

    @Test func `chunks of any size give the samples of the whole`() {
        let bytes = ADPCMDecoderTests.random(5000)
        var whole = ADPCMDecoder()
        let expected = whole.decode(bytes)
        var generator = SeededGenerator(seed: 3)
        for largest in [1, 2, 7, 200, 256, 6000] {
            var (decoder, samples, rest) = (ADPCMDecoder(), [Int16](), bytes[...])
            while !rest.isEmpty {
                let part = rest.prefix(Int.random(in: 0...largest, using: &generator))
                samples += decoder.decode(part)
                rest.removeFirst(part.count)
            }
            #expect(samples == expected)
            #expect(decoder == whole)
        }
    }

    @Test(arguments: [(-5, 0), (0, 0), (88, 88), (89, 88), (.max, 88)])
    func `a step index from outside is limited`(given: Int, kept: Int) {
        #expect(ADPCMDecoder(stepIndex: given).stepIndex == kept)
    }

    private static let audioopHash: UInt64 = 0x5A3F_3772_E8AF_74EF

    static func random(_ count: Int) -> [UInt8] {
        var generator = SeededGenerator(seed: 12)
        return (0..<count / 8).flatMap { _ in
            let number = generator.next()
            return (0..<8).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
        }
    }
}
