import Audio
import TestSupport
import Testing

struct WaveformTests {
    private static func noise(_ count: Int) -> [Int16] {
        var generator = SeededGenerator(seed: 8)
        return (0..<count).map { _ in Int16.random(in: .min ... .max, using: &generator) }
    }

    private static func outline(_ samples: [Int16], chunk: Int = .max) -> Waveform {
        var (waveform, rest) = (Waveform(), samples[...])
        while !rest.isEmpty {
            waveform.add(Array(rest.prefix(chunk)))
            rest = rest.dropFirst(chunk)
        }
        return waveform
    }

    @Test func `a bucket holds the lowest and highest sample and the squares`() {
        let waveform = WaveformTests.outline([-3, 5] + [Int16](repeating: 0, count: 62) + [.min])
        #expect(waveform.buckets.map(\.minimum) == [-3, .min])
        #expect(waveform.buckets.map(\.maximum) == [5, .min])
        #expect(waveform.buckets.map(\.squares) == [34, 1 << 30])
    }

    @Test func `any chunks give the same outline, and its size is bounded`() {
        let samples = WaveformTests.noise(1_200_000)
        let whole = WaveformTests.outline(samples)
        #expect(whole.buckets.count <= Waveform.maximumBucketCount)
        #expect(whole.bucketSize == 256)
        #expect(whole.sampleCount == samples.count)
        for chunk in [63, 1000, 65_536] { #expect(WaveformTests.outline(samples, chunk: chunk) == whole) }
        let squares = samples.reduce(UInt64(0)) { sum, sample in sum + UInt64(Int(sample) * Int(sample)) }
        #expect(whole.buckets.map(\.squares).reduce(0, +) == squares)
    }

    @Test func `the columns cover the whole sound`() {
        let silence = [Int16](repeating: 0, count: 640)
        let waveform = WaveformTests.outline(silence + [Int16](repeating: -16384, count: 640))
        let columns = waveform.columns(2)
        #expect(columns.map(\.minimum) == [0, -0.5])
        #expect(columns.map(\.loudness) == [0, 0.5])
        #expect(waveform.columns(1000).count == 20)
        #expect(Waveform().columns(5) == [])
        #expect(waveform.columns(0) == [])
        // A last bucket of few samples is as loud as its samples.
        #expect(WaveformTests.outline([16384, 16384]).columns(1).map(\.loudness) == [0.5])
    }

    @Test(arguments: [0, 1, 64, 65, 100_000, 600_000])
    func `a cache gives back the same outline, which goes on`(count: Int) throws {
        let samples = WaveformTests.noise(count)
        var waveform = WaveformTests.outline(samples)
        var cached = try #require(Waveform(bytes: waveform.bytes))
        #expect(cached == waveform)
        cached.add(samples)
        waveform.add(samples)
        #expect(cached == waveform)
    }

    @Test func `other bytes are no outline`() {
        let bytes = WaveformTests.outline(WaveformTests.noise(300)).bytes
        #expect(Waveform(bytes: []) == nil)
        for count in 0..<bytes.count { #expect(Waveform(bytes: Array(bytes.prefix(count))) == nil) }
        #expect(Waveform(bytes: bytes + [0]) == nil)
        for place in 0..<24 {
            var changed = bytes
            changed[place] ^= 0x80
            #expect(Waveform(bytes: changed) == nil)
        }
    }
}
