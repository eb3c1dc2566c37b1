import Audio
import DictofunDomain
import Storage
import Synchronization

/// The sound of a recorder as a WAV file, decoded while it is read.
final class RecorderWave: Sendable {
    private struct State {
        var decoder = RecordDecoder()
        var reader: ChunkedFileReader?
        /// The bytes that follow `position`, and its place in the file.
        var pending: ArraySlice<UInt8> = []
        var position = 0
        var isAtEnd = false
    }

    private let blob: BlobID
    private let size: Int
    private let blobs: BlobStore
    private let memory: RecordMemory
    private let state = Mutex(State())

    /// Creates it for a sound of `size` bytes, which need not be here before the first are read.
    init(_ blob: BlobID, size: Int, in blobs: BlobStore, _ memory: RecordMemory) {
        self.blob = blob
        self.size = size
        self.blobs = blobs
        self.memory = memory
    }

    private static func samples(size: Int, _ descriptor: RecordDescriptor) -> Int {
        let bytes = max(0, size - descriptor.size)
        return descriptor.codec == .adpcm ? bytes * 2 : bytes / 2
    }

    /// The length of the file that is made of a sound with `size` bytes.
    static func length(size: Int, _ descriptor: RecordDescriptor) -> Int {
        WAVWriter.headerSize + samples(size: size, descriptor) * 2
    }

    /// Returns the bytes in a range. What follows the last one that was read is cheap; what is before it is decoded again. Blocks.
    func bytes(in range: Range<Int>) throws -> [UInt8] {
        try state.withLock { state in
            if range.lowerBound < state.position { state = State() }
            var found: [UInt8] = []
            while true {
                let skipped = min(state.pending.count, range.lowerBound + found.count - state.position)
                state.pending = state.pending.dropFirst(skipped)
                state.position += skipped
                if state.position == range.lowerBound + found.count {
                    let part = state.pending.prefix(range.count - found.count)
                    found += part
                    state.pending = state.pending.dropFirst(part.count)
                    state.position += part.count
                }
                if found.count == range.count || state.isAtEnd && state.pending.isEmpty { return found }
                try fill(&state)
            }
        }
    }

    private func fill(_ state: inout State) throws {
        let descriptor = try memory.descriptor(of: blob, in: blobs)
        let writer = WAVWriter(sampleRate: descriptor.sampleRate)
        guard let reader = state.reader else {
            state.reader = try blobs.reader(blob)
            state.pending = try writer.header(sampleCount: Self.samples(size: size, descriptor))[...]
            return
        }
        let bytes = try reader.next() ?? []
        state.isAtEnd = bytes.isEmpty
        let samples = bytes.isEmpty ? state.decoder.finish() : state.decoder.decode(bytes)
        state.pending = writer.bytes(of: samples)[...]
    }
}
