/// Writes 16-bit samples as a canonical WAV file: a header of 44 bytes, then the samples.
package struct WAVWriter: Sendable {
    /// The number of bytes before the samples.
    package static let headerSize = 44
    /// The most bytes of samples whose sizes fit the header.
    package static let maximumDataSize = Int(UInt32.max) - 36

    /// The layout of the samples.
    package let format: WAVFormat

    /// Creates a writer for `channelCount` channels, whose samples alternate.
    package init(sampleRate: Int, channelCount: Int = 1) {
        format = WAVFormat(sampleRate: sampleRate, channelCount: channelCount)
    }

    /// Returns the header of a file with `sampleCount` samples of all channels together. A stream whose length is not yet
    /// known starts with any header; the right one replaces it at the end.
    package func header(sampleCount: Int) throws(WAVError) -> [UInt8] {
        guard sampleCount >= 0, sampleCount <= WAVWriter.maximumDataSize / 2 else { throw .tooLong }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(WAVWriter.headerSize)
        func append(_ number: Int, size: Int) {
            for shift in 0..<size { bytes.append(UInt8(truncatingIfNeeded: number >> (8 * shift))) }
        }
        bytes += "RIFF".utf8
        append(36 + sampleCount * 2, size: 4)
        bytes += "WAVEfmt ".utf8
        append(16, size: 4)
        append(1, size: 2)
        append(format.channelCount, size: 2)
        append(format.sampleRate, size: 4)
        append(format.sampleRate * format.frameSize, size: 4)
        append(format.frameSize, size: 2)
        append(16, size: 2)
        bytes += "data".utf8
        append(sampleCount * 2, size: 4)
        return bytes
    }

    /// Returns the bytes of the next samples.
    package func bytes(of samples: [Int16]) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: samples.count * 2) { bytes, count in
            for (position, sample) in samples.enumerated() {
                bytes[position * 2] = UInt8(truncatingIfNeeded: sample)
                bytes[position * 2 + 1] = UInt8(truncatingIfNeeded: sample >> 8)
            }
            count = samples.count * 2
        }
    }
}
