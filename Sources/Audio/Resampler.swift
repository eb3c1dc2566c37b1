import Glibc

/// Changes the sample rate of a sound, as speech engines want 16 kHz: a windowed sinc filter, as a stream.
///
/// Any chunking of the same samples gives the same result. Frequencies above half of the lower rate are filtered out.
package struct Resampler: Sendable {
    /// The rate of speech engines, in hertz.
    package static let speechRate = 16_000
    /// The rates that are accepted, in hertz.
    package static let rates = 1000...768_000

    /// The zero crossings of the filter on each side.
    private static let crossings = 12
    /// The most filters; further phases use the nearest one.
    private static let maximumPhaseCount = 1024

    /// Output position times this is the input position times `outputStep`.
    private let inputStep: Int
    private let outputStep: Int
    private let phaseCount: Int
    /// The taps of each filter.
    private let length: Int
    private let filters: [Float]
    /// The input around the next output sample, as many zeros before its beginning as a filter reaches back.
    private var window: [Float]
    /// The number of the first sample of `window` in the input; negative at first.
    private var windowStart: Int
    private var outputCount = 0
    private var inputCount = 0

    /// Creates a converter; nil when a rate is outside ``rates``.
    package init?(from inputRate: Int, to outputRate: Int = Resampler.speechRate) {
        guard Resampler.rates.contains(inputRate), Resampler.rates.contains(outputRate) else { return nil }
        let divisor = Resampler.greatestCommonDivisor(inputRate, outputRate)
        (inputStep, outputStep) = (inputRate / divisor, outputRate / divisor)
        phaseCount = min(outputStep, Resampler.maximumPhaseCount)
        let cutoff = min(1, Double(outputRate) / Double(inputRate))
        let reach = Int((Double(Resampler.crossings) / cutoff).rounded(.up))
        length = reach * 2
        filters = Resampler.filters(phaseCount: phaseCount, reach: reach, cutoff: cutoff)
        window = [Float](repeating: 0, count: reach - 1)
        windowStart = -(reach - 1)
    }

    /// Returns the samples of the output that the input so far determines.
    package mutating func resample(_ samples: [Int16]) -> [Int16] {
        if inputStep == outputStep { return samples }
        inputCount += samples.count
        window.reserveCapacity(window.count + samples.count)
        for sample in samples { window.append(Float(sample)) }
        return drain(upTo: .max)
    }

    /// Returns the last samples of the output.
    package mutating func finish() -> [Int16] {
        if inputStep == outputStep { return [] }
        window += [Float](repeating: 0, count: length)
        // The output is as long as the input, rounded up.
        let total = (inputCount * outputStep + inputStep - 1) / inputStep
        return drain(upTo: total)
    }

    private mutating func drain(upTo limit: Int) -> [Int16] {
        var output: [Int16] = []
        let reach = length / 2
        while outputCount < limit {
            let position = outputCount * inputStep
            let (whole, rest) = (position / outputStep, position % outputStep)
            let first = whole - reach + 1 - windowStart
            guard first + length <= window.count else { break }
            let phase = phaseCount == outputStep ? rest : rest * phaseCount / outputStep
            output.append(convolve(first, phase * length))
            outputCount += 1
        }
        // What no later filter reaches is dropped.
        let next = outputCount * inputStep / outputStep - reach + 1
        let surplus = min(max(next - windowStart, 0), window.count)
        window.removeFirst(surplus)
        windowStart += surplus
        return output
    }

    private func convolve(_ first: Int, _ filter: Int) -> Int16 {
        let sum = window.withUnsafeBufferPointer { window in
            filters.withUnsafeBufferPointer { filters in
                // Four sums: additions that do not wait for each other.
                var sums = SIMD4<Float>.zero
                var tap = 0
                while tap + 4 <= length {
                    let (sample, weight) = (first + tap, filter + tap)
                    let samples = SIMD4<Float>(
                        window[sample], window[sample + 1], window[sample + 2], window[sample + 3])
                    let weights = SIMD4<Float>(
                        filters[weight], filters[weight + 1], filters[weight + 2], filters[weight + 3])
                    sums += samples * weights
                    tap += 4
                }
                var sum = sums.sum()
                while tap < length {
                    sum += window[first + tap] * filters[filter + tap]
                    tap += 1
                }
                return sum
            }
        }
        return Int16(min(max(sum.rounded(), -32768), 32767))
    }

    /// One filter for each phase; each lets a constant pass unchanged.
    private static func filters(phaseCount: Int, reach: Int, cutoff: Double) -> [Float] {
        var all: [Float] = []
        all.reserveCapacity(phaseCount * reach * 2)
        for phase in 0..<phaseCount {
            let offset = Double(phase) / Double(phaseCount)
            let taps = (0..<reach * 2).map { tap -> Double in
                let distance = Double(tap - reach + 1) - offset
                let angle = Double.pi * distance * cutoff
                let sinc = abs(angle) < 1e-9 ? 1 : sin(angle) / angle
                // Blackman's window.
                let place = Double.pi * distance / Double(reach)
                return abs(distance) >= Double(reach) ? 0 : sinc * (0.42 + 0.5 * cos(place) + 0.08 * cos(2 * place))
            }
            let sum = taps.reduce(0, +)
            all += taps.map { Float($0 / sum) }
        }
        return all
    }

    private static func greatestCommonDivisor(_ left: Int, _ right: Int) -> Int {
        var (left, right) = (left, right)
        while right != 0 { (left, right) = (right, left % right) }
        return left
    }
}
