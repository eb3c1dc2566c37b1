/// A sample of the short sequences of signs in a text, by which two texts are compared without reading them again: the least of
/// their hashes (a bottom-k sketch; Broder 1997).
struct TextSketch {
    /// The similarity from which two texts are nearly the same.
    static let nearlySame = 0.4
    /// The most hashes that are kept.
    private static let size = 512
    /// The lengths of the sequences: long texts of one language have most of the short ones in common.
    private static let (short, long) = (4, 12)
    /// The number of signs from which a text is long.
    private static let longText = 1000

    private let shortHashes: [UInt64]
    private let longHashes: [UInt64]
    private let count: Int

    init(_ text: String) {
        let scalars = text.unicodeScalars.map(\.value)
        count = scalars.count
        shortHashes = count < 3 * TextSketch.longText ? TextSketch.hashes(scalars, TextSketch.short) : []
        longHashes = TextSketch.hashes(scalars, TextSketch.long)
    }

    private static func hashes(_ scalars: [UInt32], _ length: Int) -> [UInt64] {
        // Of a long text only as many hashes are kept as are surely enough.
        let limit = UInt64.max / UInt64(max(1, scalars.count / (16 * size)))
        let length = min(length, scalars.count)
        let base: UInt64 = 0x100_0000_01B3
        let leaving = (0..<length).reduce(UInt64(1)) { power, _ in power &* base }
        var all: Set<UInt64> = []
        var window: UInt64 = 0
        for (index, scalar) in scalars.enumerated() {
            window = window &* base &+ UInt64(scalar)
            if index >= length { window = window &- leaving &* UInt64(scalars[index - length]) }
            guard index + 1 >= length else { continue }
            let hash = mixed(window)
            if hash <= limit { all.insert(hash) }
        }
        return Array(all.sorted().prefix(size))
    }

    /// Spreads the bits of a number (the finalizer of SplitMix64).
    private static func mixed(_ number: UInt64) -> UInt64 {
        var value = number
        value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
        return value ^ value >> 31
    }

    /// Returns about which share of the sequences in either text is in both: from 0 to 1.
    func similarity(to other: TextSketch) -> Double {
        guard count > 0, other.count > 0, count <= 3 * other.count, other.count <= 3 * count else { return 0 }
        let isShort = max(count, other.count) < TextSketch.longText
        let (mine, theirs) = isShort ? (shortHashes, other.shortHashes) : (longHashes, other.longHashes)
        var (index, otherIndex, union, common) = (0, 0, 0, 0)
        while union < TextSketch.size, index < mine.count || otherIndex < theirs.count {
            let first = index < mine.count ? mine[index] : .max
            let second = otherIndex < theirs.count ? theirs[otherIndex] : .max
            if first == second { common += 1 }
            if first <= second { index += 1 }
            if second <= first { otherIndex += 1 }
            union += 1
        }
        return union == 0 ? 0 : Double(common) / Double(union)
    }
}
