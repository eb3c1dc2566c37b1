/// A text as scalars with a gap where it was last edited, so that edits near each other move little.
struct GapBuffer: Sendable {
    private var storage: ContiguousArray<UInt32> = []
    private var gap = 0..<0

    var count: Int { storage.count - gap.count }

    init() {}

    init(_ scalars: some Sequence<UInt32>) {
        storage = ContiguousArray(scalars)
        gap = storage.count..<storage.count
    }

    mutating func insert(_ scalars: ArraySlice<UInt32>, at position: Int) {
        scalars.withUnsafeBufferPointer { insert($0, at: position) }
    }

    mutating func insert(_ scalars: UnsafeBufferPointer<UInt32>, at position: Int) {
        if gap.count < scalars.count { grow(scalars.count) }
        moveGap(to: position)
        for index in 0..<scalars.count { storage[gap.lowerBound + index] = scalars[index] }
        gap = gap.lowerBound + scalars.count..<gap.upperBound
    }

    mutating func remove(_ count: Int, at position: Int) {
        // A deletion just before the gap only widens it.
        if position + count == gap.lowerBound {
            gap = position..<gap.upperBound
        } else {
            moveGap(to: position)
            gap = gap.lowerBound..<gap.upperBound + count
        }
    }

    /// The scalars from `start` on.
    func scalars(_ range: Range<Int>) -> ContiguousArray<UInt32> {
        var found = ContiguousArray<UInt32>()
        found.reserveCapacity(range.count)
        let before = range.clamped(to: 0..<gap.lowerBound)
        found.append(contentsOf: storage[before])
        if range.upperBound > gap.lowerBound {
            found.append(
                contentsOf: storage[max(range.lowerBound, gap.lowerBound) + gap.count..<range.upperBound + gap.count])
        }
        return found
    }

    var scalars: ContiguousArray<UInt32> { scalars(0..<count) }

    var text: String { String(scalars: scalars) }

    private mutating func moveGap(to position: Int) {
        let (gapStart, gapEnd) = (gap.lowerBound, gap.upperBound)
        guard position != gapStart else { return }
        storage.withUnsafeMutableBufferPointer { storage in
            guard let base = storage.baseAddress else { return }
            if position < gapStart {
                let moved = gapStart - position
                (base + gapEnd - moved).update(from: base + position, count: moved)
            } else {
                (base + gapStart).update(from: base + gapEnd, count: position - gapStart)
            }
        }
        gap = position..<position + gapEnd - gapStart
    }

    private mutating func grow(_ wanted: Int) {
        let added = max(wanted, storage.count / 2, 64)
        let text = scalars(0..<count)
        let position = gap.lowerBound
        var grown = ContiguousArray<UInt32>()
        grown.reserveCapacity(text.count + added)
        grown.append(contentsOf: text[..<position])
        grown.append(contentsOf: repeatElement(0, count: added))
        grown.append(contentsOf: text[position...])
        storage = grown
        gap = position..<position + added
    }
}

extension String {
    /// Creates a text of scalars; invalid scalars become U+FFFD.
    init(scalars: some Sequence<UInt32>) {
        let ascii = scalars.withContiguousStorageIfAvailable { scalars in
            scalars.allSatisfy { $0 < 0x80 } ? String(ascii: scalars) : nil
        }
        if case let text?? = ascii {
            self = text
            return
        }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(scalars.underestimatedCount)
        for value in scalars {
            if value < 0x80 {
                bytes.append(UInt8(value))
            } else if let scalar = Unicode.Scalar(value), let encoded = UTF8.encode(scalar) {
                bytes.append(contentsOf: encoded)
            } else {
                bytes += [0xEF, 0xBF, 0xBD]
            }
        }
        self = String(decoding: bytes, as: UTF8.self)
    }

    /// Creates a text of scalars that are all of ASCII.
    private init(ascii scalars: UnsafeBufferPointer<UInt32>) {
        self.init(unsafeUninitializedCapacity: scalars.count) { bytes in
            for (index, value) in scalars.enumerated() { bytes[index] = UInt8(truncatingIfNeeded: value) }
            return scalars.count
        }
    }
}
