import CSndfile

/// Reads a WAV, FLAC, Ogg, Opus, MP3 or other file that libsndfile knows as samples of 16 bits, in pieces.
///
/// Of a file with several recordings one after the other all are read, and of one whose header was never completed what follows it.
package final class SoundFileReader {
    /// Some samples.
    package struct Piece: Sendable {
        /// The average of the channels.
        package let mono: [Int16]
        /// Each channel, if they are kept and there are two.
        package let channels: [[Int16]]

        package init(mono: [Int16], channels: [[Int16]]) {
            self.mono = mono
            self.channels = channels
        }
    }

    /// The most channels of a file.
    package static let maximumChannelCount = 64
    private static let pieceSize: Int64 = 16_384

    /// The number of samples a second.
    package let sampleRate: Int
    /// The number of samples that the file says it has; some formats only estimate it.
    package let sampleCount: Int
    /// The number of channels.
    package let channelCount: Int
    /// Whether the file has less sound than its header promises; known at the end.
    package private(set) var endsEarly: Bool
    private let path: String
    private var file: OpaquePointer
    /// The channels of the part that is read.
    private var partChannelCount: Int
    /// The samples of the part that are left where its header is exact; else nil.
    private var promised: Int?
    private var parts: ArraySlice<SoundLayout.Part>

    /// Opens the file at `path`.
    package init(path: String) throws(SoundFileError) {
        if let reason = csndfile_load() { throw .libraryMissing(String(cString: reason)) }
        let layout = SoundLayout(path: path)
        var info = csndfile_info()
        guard let file = Self.open(path, layout.parts.first, &info) else {
            throw .unreadable(String(cString: csndfile_reason(nil)))
        }
        self.file = file
        self.path = path
        (sampleRate, channelCount, partChannelCount) = (Int(info.rate), Int(info.channels), Int(info.channels))
        // A stream of unknown length has the largest number.
        sampleCount = info.frames < 1 << 40 ? Int(max(0, info.frames)) : 0
        endsEarly = layout.endsEarly
        parts = layout.parts.dropFirst()
        promised = csndfile_is_exact(file) && sampleCount > 0 ? sampleCount : nil
        guard (1000...768_000).contains(sampleRate), (1...Self.maximumChannelCount).contains(channelCount) else {
            throw .unsupported("\(sampleRate) Hz, \(channelCount) channels")
        }
    }

    deinit { _ = csndfile_close(file) }

    private static func open(_ path: String, _ part: SoundLayout.Part?, _ info: inout csndfile_info) -> OpaquePointer? {
        guard let part else { return csndfile_open(path, &info) }
        return csndfile_open_part(path, Int64(part.bytes.lowerBound), Int64(part.bytes.count), part.samples, &info)
    }

    /// The date inside the file, as it is written there; nil if there is none. Some formats have it at their end.
    package var date: String? { csndfile_date(file).map { String(cString: $0) } }

    /// Returns the next samples, the channels averaged; nil at the end. A file that breaks off ends there. What exceeds full scale is cut.
    package func next() -> [Int16]? { nextPiece(keepsChannels: false)?.mono }

    /// Returns the next samples, with `keepsChannels` those of two channels too; nil at the end.
    package func nextPiece(keepsChannels: Bool) -> Piece? {
        while true {
            if let piece = readPiece(keepsChannels: keepsChannels && channelCount == 2) { return piece }
            if let left = promised, left > 0 { endsEarly = true }
            guard openNextPart() else { return nil }
        }
    }

    /// Opens the next of several recordings; one with another rate ends the sound.
    private func openNextPart() -> Bool {
        guard let part = parts.popFirst() else { return false }
        var info = csndfile_info()
        guard let next = Self.open(path, part, &info) else {
            endsEarly = true
            return false
        }
        guard info.rate == sampleRate, (1...Self.maximumChannelCount).contains(Int(info.channels)) else {
            _ = csndfile_close(next)
            endsEarly = true
            return false
        }
        _ = csndfile_close(file)
        file = next
        partChannelCount = Int(info.channels)
        promised = csndfile_is_exact(file) && info.frames > 0 ? Int(info.frames) : nil
        return true
    }

    private func readPiece(keepsChannels: Bool) -> Piece? {
        let channelCount = partChannelCount
        // As floating point the library gives every format the same scale, and 16 bits exactly.
        return withUnsafeTemporaryAllocation(of: Float.self, capacity: Int(Self.pieceSize) * channelCount) { frames in
            let count = Int(csndfile_read(file, frames.baseAddress, Self.pieceSize))
            guard count > 0 else { return nil }
            promised = promised.map { $0 - count }
            let mono = [Int16](unsafeUninitializedCapacity: count) { samples, initialized in
                initialized = count
                // A loop of its own, of which the compiler makes vector code: most records have one channel.
                if channelCount == 1 {
                    for frame in 0..<count { samples[frame] = SoundFileReader.sample(frames[frame] * 32_768) }
                    return
                }
                if channelCount == 2, let channel = SoundFileReader.channelOfOpposites(frames, count) {
                    for frame in 0..<count {
                        samples[frame] = SoundFileReader.sample(frames[frame * 2 + channel] * 32_768)
                    }
                    return
                }
                let scale = 32_768 / Float(channelCount)
                for frame in 0..<count {
                    var sum: Float = 0
                    for channel in 0..<channelCount { sum += frames[frame * channelCount + channel] }
                    samples[frame] = SoundFileReader.sample(sum * scale)
                }
            }
            guard keepsChannels else { return Piece(mono: mono, channels: []) }
            if channelCount != 2 { return Piece(mono: mono, channels: [mono, mono]) }
            let channels = (0..<2).map { channel in
                (0..<count).map { SoundFileReader.sample(frames[$0 * 2 + channel] * 32_768) }
            }
            return Piece(mono: mono, channels: channels)
        }
    }

    /// The louder of two channels that cancel each other, as with one microphone inverted; nil if they do not.
    private static func channelOfOpposites(_ frames: UnsafeMutableBufferPointer<Float>, _ count: Int) -> Int? {
        var (left, right, sum): (Float, Float, Float) = (0, 0, 0)
        for frame in 0..<count {
            let (one, other) = (frames[frame * 2], frames[frame * 2 + 1])
            left += one * one
            right += other * other
            sum += (one + other) * (one + other)
        }
        // The average has a quarter of that energy.
        guard sum < 0.02 * (left + right) else { return nil }
        return left >= right ? 0 : 1
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
