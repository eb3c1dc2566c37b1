/// Changes the speed of speech without its pitch: frames of 40 ms overlap by half, each taken from where it fits the end of the sound
/// so far best (WSOLA). As a stream; the sound of a speed of 1 stays as it is.
package struct TimeStretch: Sendable {
    /// The speeds that are accepted.
    package static let speeds = 0.5...4.0

    private let speed: Double
    /// Half of a frame: the samples that come out with each.
    private let hop: Int
    /// How far a frame may be moved to fit.
    private let reach: Int
    private var input: [Int16] = []
    /// The number of samples that were dropped from the beginning of `input`.
    private var dropped = 0
    /// The number of frames that came out.
    private var frameCount = 0
    /// The second half of the last frame, which fades out under the next one.
    private var tail: [Int16]?

    /// Creates the converter; nil for a speed outside ``speeds`` or a rate that is too low.
    package init?(speed: Double, sampleRate: Int) {
        guard TimeStretch.speeds.contains(speed), sampleRate >= 1000 else { return nil }
        self.speed = speed
        hop = sampleRate / 50
        reach = sampleRate / 100
    }

    /// Returns the samples that the input so far determines.
    package mutating func stretch(_ samples: [Int16]) -> [Int16] {
        if speed == 1 { return samples }
        input += samples
        var output: [Int16] = []
        while let frame = nextFrame() { output += frame }
        return output
    }

    /// Returns the last samples.
    package mutating func finish() -> [Int16] {
        if speed == 1 { return [] }
        defer { (input, tail) = ([], nil) }
        return tail ?? input
    }

    private mutating func nextFrame() -> [Int16]? {
        let wanted = Int(Double(frameCount) * Double(hop) * speed) - dropped
        guard wanted + reach + 2 * hop <= input.count else { return nil }
        let start = tail.map { best($0, around: wanted) } ?? wanted
        var frame = Array(input[start..<start + hop])
        if let tail {
            for index in 0..<hop {
                frame[index] = Int16((Int(tail[index]) * (hop - index) + Int(frame[index]) * index) / hop)
            }
        }
        tail = Array(input[start + hop..<start + 2 * hop])
        frameCount += 1
        // What no later frame reaches is dropped.
        let next = Int(Double(frameCount) * Double(hop) * speed) - dropped - reach
        if next > 0 {
            let count = min(next, input.count)
            input.removeFirst(count)
            dropped += count
        }
        return frame
    }

    /// The place near `wanted` where the input is most like `tail`.
    private func best(_ tail: [Int16], around wanted: Int) -> Int {
        var (place, highest) = (wanted, -Double.infinity)
        for start in stride(from: max(0, wanted - reach), through: wanted + reach, by: 4) {
            var (product, energy) = (0.0, 1.0)
            for index in stride(from: 0, to: hop, by: 4) {
                let value = Double(input[start + index])
                product += Double(tail[index]) * value
                energy += value * value
            }
            let likeness = product / energy.squareRoot()
            if likeness > highest { (place, highest) = (start, likeness) }
        }
        return place
    }
}
