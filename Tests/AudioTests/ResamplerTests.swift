import Audio
import Glibc
import TestSupport
import Testing

struct ResamplerTests {
    private static func tone(_ frequency: Double, rate: Int, count: Int) -> [Int16] {
        (0..<count).map { Int16(10_000 * sin(2 * .pi * frequency * Double($0) / Double(rate))) }
    }

    private static func resample(_ samples: [Int16], from rate: Int, chunk: Int = .max) throws -> [Int16] {
        var resampler = try #require(Resampler(from: rate))
        var (output, rest) = ([Int16](), samples[...])
        while !rest.isEmpty {
            output += resampler.resample(Array(rest.prefix(chunk)))
            rest = rest.dropFirst(chunk)
        }
        return output + resampler.finish()
    }

    @Test(arguments: [8000, 11_025, 16_000, 16_125, 22_050, 44_100, 48_000, 96_000, 44_101])
    func `a tone keeps its frequency, loudness and phase`(rate: Int) throws {
        let output = try ResamplerTests.resample(ResamplerTests.tone(440, rate: rate, count: rate), from: rate)
        #expect(output.count == 16_000)
        let expected = ResamplerTests.tone(440, rate: 16_000, count: 16_000)
        for index in 200..<15_800 { try #require(abs(Int(output[index]) - Int(expected[index])) < 60) }
    }

    @Test func `frequencies that do not fit are filtered out`() throws {
        let output = try ResamplerTests.resample(ResamplerTests.tone(15_000, rate: 48_000, count: 48_000), from: 48_000)
        #expect(output.dropFirst(200).dropLast(200).allSatisfy { abs(Int($0)) < 30 })
    }

    @Test(arguments: [8000, 44_100, 48_000])
    func `any chunks give the same samples`(rate: Int) throws {
        let samples = ResamplerTests.tone(1000, rate: rate, count: 5000)
        let whole = try ResamplerTests.resample(samples, from: rate)
        for chunk in [1, 3, 256, 4999] {
            #expect(try ResamplerTests.resample(samples, from: rate, chunk: chunk) == whole)
        }
    }

    @Test func `a sound of no or one sample has as many`() throws {
        #expect(try ResamplerTests.resample([], from: 48_000) == [])
        #expect(try ResamplerTests.resample([5], from: 48_000).count == 1)
        #expect(try ResamplerTests.resample([5], from: 8000).count == 2)
    }

    @Test func `rates that mean nothing are refused`() {
        #expect(Resampler(from: 0) == nil)
        #expect(Resampler(from: -8000) == nil)
        #expect(Resampler(from: 1_000_000) == nil)
        #expect(Resampler(from: 16_000, to: 1) == nil)
    }

    @Test func `the work is linear`() throws {
        try Scaling.expectLinear("resampling", size: 8000) {
            [Int16](repeating: 9, count: $0)
        } _: {
            _ = try ResamplerTests.resample($0, from: 44_100, chunk: 100)
        }
    }
}
