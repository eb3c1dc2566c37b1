/// The layout of the samples in a WAV file.
package struct WAVFormat: Hashable, Sendable {
    /// The encoding of a sample.
    package enum Encoding: Hashable, Sendable {
        /// Unsigned integers of 8 bits.
        case unsigned8
        /// Signed integers, little-endian.
        case signed16, signed24, signed32
        /// IEEE floating point of 32 bits; 1.0 is full scale.
        case float32

        /// The bytes of a sample.
        package var byteCount: Int {
            switch self {
            case .unsigned8: 1
            case .signed16: 2
            case .signed24: 3
            case .signed32, .float32: 4
            }
        }
    }

    /// The number of frames a second.
    package let sampleRate: Int
    /// The number of channels; their samples alternate.
    package let channelCount: Int
    /// The encoding of each sample.
    package let encoding: Encoding

    package init(sampleRate: Int, channelCount: Int = 1, encoding: Encoding = .signed16) {
        self.sampleRate = sampleRate
        self.channelCount = channelCount
        self.encoding = encoding
    }

    /// The bytes of one sample of every channel.
    package var frameSize: Int { channelCount * encoding.byteCount }

    /// Returns the sample in `bytes` at `offset`, scaled to 16 bits.
    func sample(_ bytes: UnsafeBufferPointer<UInt8>, _ offset: Int) -> Int32 {
        func byte(_ index: Int) -> UInt8 { bytes[offset + index] }
        switch encoding {
        case .unsigned8: return (Int32(byte(0)) - 128) << 8
        case .signed16: return Int32(Int16(truncatingIfNeeded: Int(byte(0)) | Int(byte(1)) << 8))
        case .signed24: return Int32(Int16(truncatingIfNeeded: Int(byte(1)) | Int(byte(2)) << 8))
        case .signed32: return Int32(Int16(truncatingIfNeeded: Int(byte(2)) | Int(byte(3)) << 8))
        case .float32:
            let bits = (0..<4).reduce(UInt32(0)) { $0 | UInt32(byte($1)) << UInt32($1 * 8) }
            let value = Float(bitPattern: bits) * 32768
            return value.isNaN ? 0 : Int32(min(max(value.rounded(), -32768), 32767))
        }
    }
}

/// An error in a WAV file.
package enum WAVError: Error, Hashable, Sendable {
    /// The file does not start as a RIFF file of kind WAVE.
    case notWAV
    /// The `fmt ` chunk is missing, too short, or says things that contradict each other.
    case malformedFormat
    /// The samples are encoded in a way that is not read here; the number is the format tag.
    case unsupportedEncoding(tag: Int, bitsPerSample: Int)
    /// There are more chunks before the samples than any program writes.
    case tooManyChunks
    /// The file ends before its samples.
    case missingSamples
    /// More samples than a WAV file can hold.
    case tooLong
}
