import CArchive

/// Writes a zip archive file by file. The same files give the same bytes: no time and no owner is kept.
package final class ZipWriter {
    private let sink: Sink
    private let writer: OpaquePointer

    /// Takes the library's bytes.
    private final class Sink {
        var bytes: [UInt8] = []
    }

    /// Creates a writer for an archive in memory; throws when libarchive is missing.
    package init() throws(ArchiveError) {
        if let reason = carchive_load() { throw .libraryMissing(String(cString: reason)) }
        let sink = Sink()
        self.sink = sink
        let take: @convention(c) (UnsafeMutableRawPointer?, UnsafePointer<UInt8>?, Int) -> Bool = {
            context, bytes, size in
            guard let context else { return false }
            let sink = Unmanaged<Sink>.fromOpaque(context).takeUnretainedValue()
            sink.bytes.append(contentsOf: UnsafeBufferPointer(start: bytes, count: size))
            return true
        }
        guard let writer = carchive_create(take, Unmanaged.passUnretained(sink).toOpaque()) else { throw .noMemory }
        self.writer = writer
    }

    deinit { carchive_free(writer) }

    /// Adds a file. Its path must be plain ASCII, because other characters are decoded differently by different
    /// programs.
    package func add(_ entry: ArchiveEntry) throws(ArchiveError) {
        let isPlain = entry.path.utf8.allSatisfy { (0x20..<0x7F).contains($0) }
        guard isPlain, !entry.path.isEmpty else { throw .pathInvalid(entry.path) }
        guard carchive_add(writer, entry.path, entry.bytes, entry.bytes.count) else { throw .noMemory }
    }

    /// Returns the bytes of the archive since the last call, so that the whole archive never has to be in memory.
    package func take() -> [UInt8] {
        defer { sink.bytes = [] }
        return sink.bytes
    }

    /// Ends the archive; ``take()`` then gives the rest of it.
    package func finish() throws(ArchiveError) {
        guard carchive_finish(writer) else { throw .noMemory }
    }
}
