/// Finds the places at which a long sound is cut into pieces: each is as long as allowed, and ends in the quietest moment of its last part.
///
/// What is kept is bounded: a number for each 20 ms of that part.
package struct PauseFinder: Sendable {
    /// The places of the cuts so far, in samples.
    package private(set) var cuts: [Int] = []
    private let frameSize: Int
    /// The longest piece, and its last part in which it may end, in frames.
    private let maximum: Int
    private let search: Int
    /// The frames before the current piece, and those of it so far.
    private var start = 0
    private var count = 0
    private var energies: [Float] = []
    private var energy: Float = 0
    private var filled = 0

    /// The moment that has to be quiet, in frames.
    private static let pause = 20

    /// Creates the finder of pieces of at most `maximum` samples, which end in the last third of that.
    package init(sampleRate: Int, maximum: Int) {
        frameSize = max(1, sampleRate / 50)
        self.maximum = max(3 * Self.pause, maximum / frameSize)
        search = self.maximum / 3
    }

    /// Reads the next samples.
    package mutating func add(_ samples: [Int16]) {
        for sample in samples {
            energy += Float(sample) * Float(sample)
            filled += 1
            if filled == frameSize { endFrame() }
        }
    }

    private mutating func endFrame() {
        // A piece that is full is cut when there is more.
        if count == maximum { cut() }
        if count >= maximum - search { energies.append(energy) }
        count += 1
        (energy, filled) = (0, 0)
    }

    private mutating func cut() {
        var sum = energies.prefix(Self.pause).reduce(0, +)
        var (quietest, place) = (sum, 0)
        for end in Self.pause..<max(energies.count, Self.pause) {
            // Summed again, since differences of large numbers add up to errors.
            sum = energies[end - Self.pause + 1...end].reduce(0, +)
            if sum <= quietest { (quietest, place) = (sum, end - Self.pause + 1) }
        }
        let frames = maximum - search + place + min(Self.pause, energies.count) / 2
        start += frames
        count -= frames
        cuts.append(start * frameSize)
        // The part that is searched next begins after all that was read.
        energies = []
    }
}
