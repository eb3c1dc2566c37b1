import CSndfile
import Glibc

/// The parts of a sound file that libsndfile is to read one after the other.
///
/// It reads the first of several recordings in one file, and believes a header whose sizes were never completed, as in the file of a
/// recorder that lost its power.
struct SoundLayout {
    /// A stretch of bytes that is a sound file of its own, or bare samples.
    struct Part {
        var bytes: Range<Int>
        var samples = csndfile_samples()
    }

    /// The parts in their order; empty for the whole file as it is.
    private(set) var parts: [Part] = []
    /// Whether the header promises more than the file has.
    private(set) var endsEarly = false
    private let descriptor: Int32
    private let size: Int

    /// Looks at the file at `path`. What cannot be read has the layout of a whole file.
    init(path: String) {
        descriptor = open(path, O_RDONLY | O_CLOEXEC)
        var status = stat()
        size = descriptor >= 0 && fstat(descriptor, &status) == 0 ? Int(status.st_size) : 0
        defer { if descriptor >= 0 { close(descriptor) } }
        let start = read(0, 12)
        guard start.count == 12 else { return }
        switch (text(start[..<4]), text(start[8...])) {
        case ("RIFF", "WAVE"): readChunks(isBigEndian: false)
        case ("FORM", "AIFF"), ("FORM", "AIFC"): readChunks(isBigEndian: true)
        case ("fLaC", _): split(at: flacStarts())
        case ("OggS", _): split(at: oggStarts())
        default: break
        }
    }

    private mutating func split(at starts: [Int]) {
        guard starts.count > 1 else { return }
        parts = zip(starts, starts.dropFirst() + [size]).map { Part(bytes: $0..<$1) }
    }

    private func read(_ offset: Int, _ count: Int) -> [UInt8] {
        guard offset >= 0, count > 0 else { return [] }
        return [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            filled = max(0, pread(descriptor, buffer.baseAddress, count, offset))
        }
    }

    private func text(_ bytes: ArraySlice<UInt8>) -> String { String(decoding: bytes, as: UTF8.self) }

    // MARK: Chunks of WAV and AIFF

    private static let maximumChunkCount = 1024

    private mutating func readChunks(isBigEndian: Bool) {
        var samples: csndfile_samples?
        var offset = 12
        for _ in 0..<Self.maximumChunkCount {
            let head = read(offset, 8)
            guard head.count == 8 else { return }
            let length = number(head[4...], isBigEndian)
            switch text(head[..<4]) {
            case "fmt ": samples = Self.waveFormat(read(offset + 8, min(length, 40)))
            case "COMM": samples = aiffFormat(read(offset + 8, min(length, 40)))
            case "data": return check(offset + 8..<offset + 8 + length, samples)
            case "SSND": return check(offset + 16..<max(offset + 16, offset + 8 + length), samples)
            default: break
            }
            offset += 8 + length + length % 2
        }
    }

    /// Compares the samples that a header promises with what is there.
    private mutating func check(_ promised: Range<Int>, _ samples: csndfile_samples?) {
        // Programs that could not seek back write the largest sizes; those the library knows.
        if promised.count >= 0x7FFF_F000 { return }
        if promised.upperBound > size {
            endsEarly = true
            return
        }
        let rest = size - promised.upperBound
        guard rest > promised.count, !isChunk(promised.upperBound), !isChunk(promised.upperBound + 1) else { return }
        guard let samples, rest >= Int(samples.bits / 8 * samples.channels) else {
            endsEarly = true
            return
        }
        parts = [Part(bytes: promised.lowerBound..<size, samples: samples)]
    }

    /// Whether another chunk may begin at `offset`.
    private func isChunk(_ offset: Int) -> Bool {
        let name = read(offset, 4)
        return name.count == 4 && name.allSatisfy { (0x20..<0x7F).contains($0) }
    }

    private func number(_ bytes: ArraySlice<UInt8>, _ isBigEndian: Bool) -> Int {
        let ordered = isBigEndian ? Array(bytes) : bytes.reversed()
        return ordered.reduce(0) { $0 << 8 | Int($1) }
    }

    private static func waveFormat(_ bytes: [UInt8]) -> csndfile_samples? {
        guard bytes.count >= 16 else { return nil }
        func number(_ place: Int, _ count: Int) -> Int {
            bytes[place..<place + count].reversed().reduce(0) { $0 << 8 | Int($1) }
        }
        // Of WAVE_FORMAT_EXTENSIBLE the format is at the beginning of a GUID.
        let format = number(0, 2) == 0xFFFE && bytes.count >= 26 ? number(24, 2) : number(0, 2)
        guard format == 1 else { return nil }
        return usable(
            bits: number(14, 2), rate: number(4, 4), channels: number(2, 2), isBigEndian: false, isUnsigned: true)
    }

    private func aiffFormat(_ bytes: [UInt8]) -> csndfile_samples? {
        guard bytes.count >= 18 else { return nil }
        let compression = bytes.count >= 22 ? text(bytes[18..<22]) : "NONE"
        guard ["NONE", "twos", "sowt"].contains(compression) else { return nil }
        // The rate is a number of 80 bits: an exponent and a fraction whose first bit is 1.
        let exponent = number(bytes[8..<10], true) - 16_383
        guard (0...31).contains(exponent) else { return nil }
        return Self.usable(
            bits: number(bytes[6..<8], true), rate: number(bytes[10..<14], true) >> (31 - exponent),
            channels: number(bytes[0..<2], true), isBigEndian: compression != "sowt", isUnsigned: false)
    }

    private static func usable(
        bits: Int, rate: Int, channels: Int, isBigEndian: Bool, isUnsigned: Bool
    ) -> csndfile_samples? {
        guard [8, 16, 24, 32].contains(bits), (1000...768_000).contains(rate),
            (1...SoundFileReader.maximumChannelCount).contains(channels)
        else { return nil }
        return csndfile_samples(
            bits: Int32(bits), rate: Int32(rate), channels: Int32(channels), is_big_endian: isBigEndian,
            is_unsigned: isUnsigned)
    }

    // MARK: Several recordings in one file

    private static let maximumPartCount = 1000

    /// The places at which a stream of FLAC begins: its marker and a STREAMINFO of 34 bytes.
    private func flacStarts() -> [Int] {
        var starts: [Int] = []
        var offset = 0
        while offset < size, starts.count < Self.maximumPartCount {
            let bytes = read(offset, 1 << 20)
            if bytes.count < 8 { break }
            bytes.withUnsafeBufferPointer { buffer in
                for place in 0..<buffer.count - 7
                where buffer[place] == 0x66 && buffer[place + 1] == 0x4C && buffer[place + 2] == 0x61
                    && buffer[place + 3] == 0x43 && buffer[place + 4] & 0x7F == 0 && buffer[place + 5] == 0
                    && buffer[place + 6] == 0 && buffer[place + 7] == 34
                {
                    starts.append(offset + place)
                }
            }
            // The last bytes are looked at again, with those that follow.
            offset += bytes.count - 7
        }
        return starts
    }

    /// The places at which a page begins a stream of Ogg after pages that do not.
    private func oggStarts() -> [Int] {
        var starts: [Int] = []
        var offset = 0
        var wasStart = false
        while starts.count < Self.maximumPartCount {
            let head = read(offset, 27 + 255)
            guard head.count >= 27, text(head[..<4]) == "OggS" else { return starts }
            let isStart = head[5] & 2 != 0
            if isStart, !wasStart { starts.append(offset) }
            wasStart = isStart
            let lengths = head.dropFirst(27).prefix(Int(head[26]))
            offset += 27 + Int(head[26]) + lengths.reduce(0) { $0 + Int($1) }
        }
        return starts
    }
}
