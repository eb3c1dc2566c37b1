/// The outline of a sound for drawing: lowest and highest sample and loudness of equal stretches.
///
/// Any chunking of the same samples gives the same outline, and its size is bounded: when there are too many buckets, each
/// pair becomes one. ``bytes`` is what a cache keeps.
package struct Waveform: Hashable, Sendable {
    /// One stretch of the sound.
    package struct Bucket: Hashable, Sendable {
        /// The lowest sample.
        package var minimum: Int16
        /// The highest sample.
        package var maximum: Int16
        /// The sum of the squares of all samples.
        package var squares: UInt64

        /// A bucket of no samples; it changes nothing it is merged with.
        static let empty = Bucket(minimum: .max, maximum: .min, squares: 0)

        mutating func merge(_ other: Bucket) {
            minimum = min(minimum, other.minimum)
            maximum = max(maximum, other.maximum)
            squares += other.squares
        }
    }

    /// One column of a drawing, scaled to -1...1.
    package struct Column: Hashable, Sendable {
        /// The lowest value.
        package let minimum: Float
        /// The highest value.
        package let maximum: Float
        /// The root of the mean square.
        package let loudness: Float
    }

    /// The most buckets that are kept.
    package static let maximumBucketCount = 8192
    /// The samples of a bucket as long as the sound is short.
    package static let initialBucketSize = 64

    /// The number of samples of each bucket but the last: ``initialBucketSize`` doubled some times.
    package private(set) var bucketSize = Waveform.initialBucketSize
    /// The number of samples added.
    package private(set) var sampleCount = 0
    private var full: [Bucket] = []
    private var last = Bucket.empty
    private var lastCount = 0

    package init() {}

    /// The buckets in the order of time; the last one may be shorter than the others.
    package var buckets: [Bucket] { lastCount == 0 ? full : full + [last] }

    /// Adds the next samples.
    package mutating func add(_ samples: [Int16]) {
        samples.withUnsafeBufferPointer { samples in
            var position = 0
            while position < samples.count {
                let end = min(samples.count, position + bucketSize - lastCount)
                last.merge(Waveform.bucket(of: samples, position..<end))
                lastCount += end - position
                position = end
                if lastCount == bucketSize { close() }
            }
        }
        sampleCount += samples.count
    }

    private static func bucket(of samples: UnsafeBufferPointer<Int16>, _ range: Range<Int>) -> Bucket {
        var (lowest, highest) = (Int16.max, Int16.min)
        var squares: UInt64 = 0
        // Two loops: the compiler makes vector code of each.
        for index in range {
            lowest = min(lowest, samples[index])
            highest = max(highest, samples[index])
        }
        for index in range {
            let value = Int32(samples[index])
            squares &+= UInt64(truncatingIfNeeded: UInt32(bitPattern: value &* value))
        }
        return Bucket(minimum: lowest, maximum: highest, squares: squares)
    }

    private mutating func close() {
        full.append(last)
        (last, lastCount) = (.empty, 0)
        guard full.count == Waveform.maximumBucketCount else { return }
        for index in 0..<full.count / 2 {
            full[index] = full[index * 2]
            full[index].merge(full[index * 2 + 1])
        }
        full.removeLast(full.count / 2)
        bucketSize *= 2
    }

    /// Returns `count` columns over the whole sound, or as many as there are buckets when these are fewer.
    package func columns(_ count: Int) -> [Column] {
        let buckets = buckets
        let count = min(count, buckets.count)
        guard count > 0 else { return [] }
        return (0..<count).map { column in
            let range = column * buckets.count / count..<(column + 1) * buckets.count / count
            let merged = buckets[range].reduce(into: Bucket.empty) { $0.merge($1) }
            let length = min(range.upperBound * bucketSize, sampleCount) - range.lowerBound * bucketSize
            return Column(
                minimum: Float(merged.minimum) / 32768, maximum: Float(merged.maximum) / 32768,
                loudness: (Float(merged.squares) / Float(length)).squareRoot() / 32768)
        }
    }
}

extension Waveform {
    private static let signature = Array("hubwave1".utf8)

    /// The outline as bytes for a cache.
    package var bytes: [UInt8] {
        let buckets = buckets
        var bytes = Waveform.signature
        bytes.reserveCapacity(24 + buckets.count * 12)
        func append(_ number: some FixedWidthInteger) {
            withUnsafeBytes(of: number.littleEndian) { bytes += $0 }
        }
        append(UInt64(bucketSize))
        append(UInt64(sampleCount))
        for bucket in buckets {
            append(bucket.minimum)
            append(bucket.maximum)
            append(bucket.squares)
        }
        return bytes
    }

    /// The outline that a cache kept; nil when the bytes are anything else.
    package init?(bytes: [UInt8]) {
        self.init()
        func number(_ range: Range<Int>) -> UInt64 { bytes[range].reversed().reduce(0) { $0 << 8 | UInt64($1) } }
        guard bytes.count >= 24, bytes.starts(with: Waveform.signature), let size = Int(exactly: number(8..<16)),
            let count = Int(exactly: number(16..<24)), size >= Waveform.initialBucketSize, size <= 1 << 40,
            size & (size - 1) == 0, count >= 0, count <= size * Waveform.maximumBucketCount
        else { return nil }
        let bucketCount = (count + size - 1) / size
        guard bucketCount <= Waveform.maximumBucketCount, bytes.count == 24 + bucketCount * 12 else { return nil }
        (bucketSize, sampleCount) = (size, count)
        full = (0..<bucketCount).map { index in
            let start = 24 + index * 12
            return Bucket(
                minimum: Int16(truncatingIfNeeded: number(start..<start + 2)),
                maximum: Int16(truncatingIfNeeded: number(start + 2..<start + 4)),
                squares: number(start + 4..<start + 12))
        }
        if count % size != 0, let bucket = full.popLast() { (last, lastCount) = (bucket, count % size) }
    }
}
