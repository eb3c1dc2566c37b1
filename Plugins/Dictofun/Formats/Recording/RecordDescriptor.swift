/// The text at the beginning of a file of the recorder, which says how its sound is encoded: `adpcm;16000;2` and a NUL.
///
/// It was written over the first sound, so what follows is in the middle of the stream.
package struct RecordDescriptor: Hashable, Sendable {
    /// The encoding of the sound.
    package enum Codec: Hashable, Sendable {
        /// IMA ADPCM, two samples a byte.
        case adpcm
        /// Samples of 16 bits, of which only every `step`th was kept.
        case decimated(step: Int)
    }

    /// The most bytes of a descriptor, with its NUL.
    package static let maximumSize = 24
    /// What is assumed of a file without a descriptor: the only codec that was ever in use.
    package static let standard = RecordDescriptor(codec: .adpcm, sampleRate: 16_000, size: 0)

    /// The encoding.
    package let codec: Codec
    /// The rate of the samples in the file, in hertz.
    package let sampleRate: Int
    /// The bytes of the descriptor, with its NUL; the sound begins after them.
    package let size: Int

    init(codec: Codec, sampleRate: Int, size: Int) {
        self.codec = codec
        self.sampleRate = sampleRate
        self.size = size
    }

    /// The descriptor at the beginning of a file; nil when there is none that can be used.
    package init?(_ start: [UInt8]) {
        guard let end = start.prefix(RecordDescriptor.maximumSize).firstIndex(of: 0) else { return nil }
        let fields = start[..<end].split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
        let numbers = fields.dropFirst().map { Int(String(decoding: $0, as: UTF8.self)) ?? -1 }
        guard numbers.count >= 2, (1000...192_000).contains(numbers[0]), numbers[1] == 2 else { return nil }
        size = end + 1
        switch (String(decoding: fields[0], as: UTF8.self), numbers.count) {
        case ("adpcm", 2):
            codec = .adpcm
            sampleRate = numbers[0]
        case ("decim", 3):
            guard (1...64).contains(numbers[2]) else { return nil }
            codec = .decimated(step: numbers[2])
            sampleRate = numbers[0] / numbers[2]
        default: return nil
        }
    }
}
