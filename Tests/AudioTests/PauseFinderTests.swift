import Audio
import TestSupport
import Testing

struct PauseFinderTests {
    @Test func `a long sound is cut in its pauses, whatever the chunks`() {
        var generator = SeededGenerator(seed: 11)
        let pauses = [8500..<9000, 17_100..<17_500, 25_000..<25_500]
        let sound = (0..<30_000).map { place in
            pauses.contains { $0.contains(place) } ? Int16(3) : Int16.random(in: -9000...9000, using: &generator)
        }
        var whole = PauseFinder(sampleRate: 1000, maximum: 10_000)
        whole.add(sound)
        #expect(whole.cuts.count == 3 && zip(whole.cuts, pauses).allSatisfy { $1.contains($0) }, "\(whole.cuts)")
        var finder = PauseFinder(sampleRate: 1000, maximum: 10_000)
        var rest = sound[...]
        while !rest.isEmpty {
            finder.add(Array(rest.prefix(777)))
            rest = rest.dropFirst(777)
        }
        #expect(finder.cuts == whole.cuts)
    }

    @Test func `pieces are never too long, and a short sound stays whole`() {
        var even = PauseFinder(sampleRate: 1000, maximum: 10_000)
        even.add([Int16](repeating: 500, count: 55_000))
        #expect(
            even.cuts.count >= 5
                && zip([0] + even.cuts, even.cuts + [55_000]).allSatisfy { $1 - $0 <= 10_000 && $1 > $0 })
        var short = PauseFinder(sampleRate: 1000, maximum: 10_000)
        short.add([Int16](repeating: 500, count: 10_000))
        #expect(short.cuts.isEmpty)
    }
}
