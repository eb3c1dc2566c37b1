import CSndfile

/// Writes samples of 16 bits to a sound file.
package final class SoundFileWriter {
    /// The format of the file.
    package enum Format: String, CaseIterable, Sendable {
        /// Uncompressed.
        case wav
        /// Compressed without loss.
        case flac
        /// Compressed with loss, at 8, 12, 16, 24 or 48 kHz.
        case opus
        /// Compressed with loss, at the rates of MPEG.
        case mp3

        /// The rates that the format has, in hertz; nil for any.
        package var sampleRates: [Int]? {
            switch self {
            case .wav, .flac: nil
            case .opus: [8000, 12_000, 16_000, 24_000, 48_000]
            case .mp3: [8000, 11_025, 12_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000]
            }
        }
    }

    private var file: OpaquePointer?
    private let channelCount: Int

    /// Creates the file at `path`, in the place of any that is there.
    package init(path: String, format: Format, sampleRate: Int, channelCount: Int = 1) throws(SoundFileError) {
        self.channelCount = channelCount
        if let reason = csndfile_load() { throw .libraryMissing(String(cString: reason)) }
        let kind =
            switch format {
            case .wav: CSNDFILE_WAV
            case .flac: CSNDFILE_FLAC
            case .opus: CSNDFILE_OPUS
            case .mp3: CSNDFILE_MP3
            }
        file = csndfile_create(path, kind, Int32(clamping: sampleRate), Int32(clamping: channelCount))
        if file == nil { throw .unwritable(String(cString: csndfile_reason(nil))) }
    }

    deinit { if let file { _ = csndfile_close(file) } }

    /// Adds samples at the end.
    package func write(_ samples: [Int16]) throws(SoundFileError) {
        try write([[Int16]](repeating: samples, count: channelCount))
    }

    /// Adds samples of each channel, as many of one as of another.
    package func write(_ channels: [[Int16]]) throws(SoundFileError) {
        let count = channels.map(\.count).min() ?? 0
        var frames = channels.first ?? []
        if channels.count > 1 {
            frames = [Int16](unsafeUninitializedCapacity: count * channels.count) { buffer, filled in
                for (channel, samples) in channels.enumerated() {
                    for frame in 0..<count { buffer[frame * channels.count + channel] = samples[frame] }
                }
                filled = count * channels.count
            }
        }
        guard let file, channels.count == channelCount, csndfile_write(file, frames, Int64(count)) == count else {
            throw .unwritable(String(cString: csndfile_reason(file)))
        }
    }

    /// Completes the file.
    package func finish() throws(SoundFileError) {
        guard let open = file.take(), csndfile_close(open) else { throw .unwritable("the file could not be completed") }
    }
}
