import Audio

/// Decodes a file of the recorder from bytes of any chunking.
///
/// The device's encoder goes on from one record to the next, so the first samples may be off by a constant; they are given out
/// as they are.
package struct RecordDecoder: Sendable {
    /// What the beginning of the file says, once it is known.
    package private(set) var descriptor: RecordDescriptor?
    private var start: [UInt8] = []
    private var decoder = ADPCMDecoder()
    /// The first byte of a sample whose second one has not come.
    private var half: UInt8?

    package init() {}

    /// Returns the samples of the next bytes.
    package mutating func decode(_ bytes: [UInt8]) -> [Int16] {
        if let descriptor { return decode(bytes[...], descriptor.codec) }
        start += bytes
        let isKnown = start.count >= RecordDescriptor.maximumSize || start.contains(0)
        return isKnown ? begin() : []
    }

    /// Returns the last samples; only those of files shorter than a descriptor are left until then.
    package mutating func finish() -> [Int16] { descriptor == nil ? begin() : [] }

    private mutating func begin() -> [Int16] {
        let found = RecordDescriptor(start) ?? .standard
        descriptor = found
        defer { start = [] }
        return decode(start[found.size...], found.codec)
    }

    private mutating func decode(_ bytes: ArraySlice<UInt8>, _ codec: RecordDescriptor.Codec) -> [Int16] {
        switch codec {
        case .adpcm: return decoder.decode(bytes)
        case .decimated:
            let all = half.map { [$0] + bytes } ?? Array(bytes)
            half = all.count % 2 == 1 ? all.last : nil
            return (0..<all.count / 2).map { Int16(truncatingIfNeeded: Int(all[$0 * 2]) | Int(all[$0 * 2 + 1]) << 8) }
        }
    }

    /// Returns the length of the sound in a file of `size` bytes that starts as `descriptor` says.
    package static func duration(size: Int, descriptor: RecordDescriptor = .standard) -> Duration {
        let bytes = max(0, size - descriptor.size)
        let samples = descriptor.codec == .adpcm ? bytes * 2 : bytes / 2
        return .seconds(samples) / descriptor.sampleRate
    }
}
