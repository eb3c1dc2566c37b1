import CSndfile

/// Writes mono samples of 16 bits to a sound file.
package final class SoundFileWriter {
    /// The format of the file.
    package enum Format: String, CaseIterable, Sendable {
        /// Uncompressed.
        case wav
        /// Compressed without loss.
        case flac
        /// Compressed with loss, at 8, 12, 16, 24 or 48 kHz.
        case opus

        /// The rates that the format has, in hertz; nil for any.
        package var sampleRates: [Int]? { self == .opus ? [8000, 12_000, 16_000, 24_000, 48_000] : nil }
    }

    private var file: OpaquePointer?

    /// Creates the file at `path`, in the place of any that is there.
    package init(path: String, format: Format, sampleRate: Int) throws(SoundFileError) {
        if let reason = csndfile_load() { throw .libraryMissing(String(cString: reason)) }
        let kind =
            switch format {
            case .wav: CSNDFILE_WAV
            case .flac: CSNDFILE_FLAC
            case .opus: CSNDFILE_OPUS
            }
        file = csndfile_create(path, kind, Int32(clamping: sampleRate), 1)
        if file == nil { throw .unwritable(String(cString: csndfile_reason(nil))) }
    }

    deinit { if let file { _ = csndfile_close(file) } }

    /// Adds samples at the end.
    package func write(_ samples: [Int16]) throws(SoundFileError) {
        guard let file, csndfile_write(file, samples, Int64(samples.count)) == samples.count else {
            throw .unwritable(String(cString: csndfile_reason(file)))
        }
    }

    /// Completes the file.
    package func finish() throws(SoundFileError) {
        guard let open = file.take(), csndfile_close(open) else { throw .unwritable("the file could not be completed") }
    }
}
