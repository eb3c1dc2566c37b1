import CSndfile

/// Reads a WAV, FLAC, Ogg, Opus, MP3 or other file that libsndfile knows as mono samples of 16 bits, in pieces; channels are
/// averaged.
package final class SoundFileReader {
    /// The most channels of a file.
    package static let maximumChannelCount = 64
    private static let pieceSize: Int64 = 16_384

    /// The number of samples a second.
    package let sampleRate: Int
    /// The number of samples that the file says it has; some formats only estimate it.
    package let sampleCount: Int
    private let file: OpaquePointer
    private let channelCount: Int

    /// Opens the file at `path`.
    package init(path: String) throws(SoundFileError) {
        if let reason = csndfile_load() { throw .libraryMissing(String(cString: reason)) }
        var info = csndfile_info()
        guard let file = csndfile_open(path, &info) else {
            throw .unreadable(String(cString: csndfile_reason(nil)))
        }
        self.file = file
        (sampleRate, channelCount) = (Int(info.rate), Int(info.channels))
        // A stream of unknown length has the largest number.
        sampleCount = info.frames < 1 << 40 ? Int(max(0, info.frames)) : 0
        guard (1000...768_000).contains(sampleRate), (1...Self.maximumChannelCount).contains(channelCount) else {
            throw .unsupported("\(sampleRate) Hz, \(channelCount) channels")
        }
    }

    deinit { _ = csndfile_close(file) }

    /// The date inside the file, as it is written there; nil if there is none. Some formats have it at their end.
    package var date: String? { csndfile_date(file).map { String(cString: $0) } }

    /// Returns the next samples; nil at the end. A file that breaks off ends there. What exceeds full scale is cut.
    package func next() -> [Int16]? {
        // As floating point the library gives every format the same scale, and 16 bits exactly.
        withUnsafeTemporaryAllocation(of: Float.self, capacity: Int(Self.pieceSize) * channelCount) { frames in
            let count = Int(csndfile_read(file, frames.baseAddress, Self.pieceSize))
            guard count > 0 else { return nil }
            return [Int16](unsafeUninitializedCapacity: count) { samples, initialized in
                initialized = count
                // A loop of its own, of which the compiler makes vector code: most records have one channel.
                if channelCount == 1 {
                    for frame in 0..<count { samples[frame] = SoundFileReader.sample(frames[frame] * 32_768) }
                    return
                }
                let scale = 32_768 / Float(channelCount)
                for frame in 0..<count {
                    var sum: Float = 0
                    for channel in 0..<channelCount { sum += frames[frame * channelCount + channel] }
                    samples[frame] = SoundFileReader.sample(sum * scale)
                }
            }
        }
    }

    /// Returns the nearest sample, the even one of two. What is not a number is silence.
    @inline(__always)
    private static func sample(_ value: Float) -> Int16 {
        let number = value == value ? value : 0
        let limited = number < 32_767 ? (number > -32_768 ? number : -32_768) : 32_767
        // In a sum with 1.5 * 2^23 the last bit counts ones, so its last 16 bits are the rounded number.
        return Int16(truncatingIfNeeded: Int32(bitPattern: (limited + 12_582_912).bitPattern))
    }
}
