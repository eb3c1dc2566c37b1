/// Reads a WAV file from bytes of any chunking as mono samples of 16 bits; channels are averaged.
///
/// What is kept is bounded: at most one chunk header, a `fmt ` chunk and one incomplete frame. A size of the samples of 0 or
/// `0xFFFFFFFF`, as programs write that could not seek back, means "up to the end".
package struct WAVReader: Sendable {
    /// The most chunks before the samples.
    package static let maximumChunkCount = 1024

    private enum State {
        case fileHeader, chunkHeader
        case format(size: Int)
        case skip(left: Int)
        case samples(left: Int?)
        case end
    }

    /// The layout of the samples, once it is known.
    package private(set) var format: WAVFormat?
    /// Whether all of the samples that the header promises were read.
    package var isComplete: Bool {
        switch state {
        case .end, .samples(left: nil): true
        default: false
        }
    }

    private var state = State.fileHeader
    private var pending: [UInt8] = []
    private var chunkCount = 0

    package init() {}

    /// Returns the samples of the next bytes; none while these belong to the header.
    package mutating func read(_ bytes: [UInt8]) throws(WAVError) -> [Int16] {
        var rest = bytes[...]
        var samples: [Int16] = []
        while !rest.isEmpty {
            switch state {
            case .fileHeader:
                guard let header = take(12, &rest) else { return samples }
                guard header.starts(with: "RIFF".utf8), header[8...].elementsEqual("WAVE".utf8) else { throw .notWAV }
                state = .chunkHeader
            case .chunkHeader:
                guard let header = take(8, &rest) else { return samples }
                try begin(header)
            case .format(let size):
                // The fields after the first 40 bytes mean nothing here.
                let kept = min(size, 40)
                guard let chunk = take(kept, &rest) else { return samples }
                format = try WAVReader.format(of: chunk)
                state = .skip(left: size - kept + size % 2)
                if size - kept + size % 2 == 0 { state = .chunkHeader }
            case .skip(let left):
                let count = min(left, rest.count)
                rest.removeFirst(count)
                state = left == count ? .chunkHeader : .skip(left: left - count)
            case .samples(let left):
                let part = rest.prefix(left ?? rest.count)
                rest.removeFirst(part.count)
                samples += convert(part)
                if let left { state = left == part.count ? .end : .samples(left: left - part.count) }
            case .end: return samples
            }
        }
        return samples
    }

    /// Checks that the file had samples at all; to be called after the last bytes.
    package func finish() throws(WAVError) {
        switch state {
        case .samples, .end: return
        case .fileHeader: throw .notWAV
        default: throw format == nil ? .malformedFormat : .missingSamples
        }
    }

    /// Returns `count` bytes once there are as many.
    private mutating func take(_ count: Int, _ rest: inout ArraySlice<UInt8>) -> [UInt8]? {
        let part = rest.prefix(count - pending.count)
        pending += part
        rest.removeFirst(part.count)
        guard pending.count == count else { return nil }
        defer { pending = [] }
        return pending
    }

    private mutating func begin(_ header: [UInt8]) throws(WAVError) {
        chunkCount += 1
        guard chunkCount <= WAVReader.maximumChunkCount else { throw .tooManyChunks }
        let size = WAVReader.number(header[4..<8])
        if header.starts(with: "fmt ".utf8) {
            guard size >= 16, format == nil else { throw .malformedFormat }
            state = .format(size: size)
        } else if header.starts(with: "data".utf8) {
            guard let format else { throw .malformedFormat }
            let isUnknown = size == 0 || size == Int(UInt32.max)
            state = .samples(left: isUnknown ? nil : size - size % format.frameSize)
            if !isUnknown, size < format.frameSize { state = .end }
        } else {
            state = size == 0 ? .chunkHeader : .skip(left: size + size % 2)
        }
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> Int {
        bytes.reversed().reduce(0) { $0 << 8 | Int($1) }
    }

    private static func format(of chunk: [UInt8]) throws(WAVError) -> WAVFormat {
        var tag = number(chunk[0..<2])
        let (channels, rate) = (number(chunk[2..<4]), number(chunk[4..<8]))
        let (frame, bits) = (number(chunk[12..<14]), number(chunk[14..<16]))
        // The extensible format names the real one in the first bytes of a GUID.
        if tag == 0xFFFE, chunk.count >= 26 { tag = number(chunk[24..<26]) }
        let encoding: WAVFormat.Encoding
        switch (tag, bits) {
        case (1, 8): encoding = .unsigned8
        case (1, 16): encoding = .signed16
        case (1, 24): encoding = .signed24
        case (1, 32): encoding = .signed32
        case (3, 32): encoding = .float32
        default: throw .unsupportedEncoding(tag: tag, bitsPerSample: bits)
        }
        let format = WAVFormat(sampleRate: rate, channelCount: channels, encoding: encoding)
        guard (1...1_000_000).contains(rate), (1...64).contains(channels), frame == format.frameSize else {
            throw .malformedFormat
        }
        return format
    }

    /// Returns the mono samples of whole frames; the bytes of a frame that goes on in the next piece are kept.
    private mutating func convert(_ part: ArraySlice<UInt8>) -> [Int16] {
        guard let format else { return [] }
        let bytes = pending.isEmpty ? part : (pending + part)[...]
        let count = bytes.count / format.frameSize
        pending = Array(bytes.dropFirst(count * format.frameSize))
        let size = format.encoding.byteCount
        return [Int16](unsafeUninitializedCapacity: count) { samples, written in
            bytes.withUnsafeBufferPointer { bytes in
                for frame in 0..<count {
                    var sum: Int32 = 0
                    for channel in 0..<format.channelCount {
                        sum += format.sample(bytes, frame * format.frameSize + channel * size)
                    }
                    samples[frame] = Int16(truncatingIfNeeded: sum / Int32(format.channelCount))
                }
            }
            written = count
        }
    }
}
