import CArchive

/// One file of an archive.
package struct ArchiveEntry: Hashable, Sendable {
    /// Its path inside the archive, as the archive gives it: it may be anything, and nothing is ever unpacked to it.
    package let path: String
    /// All of it.
    package let bytes: [UInt8]

    package init(_ path: String, _ bytes: [UInt8]) {
        self.path = path
        self.bytes = bytes
    }
}

/// The limits for reading an archive.
package struct ArchiveLimits: Sendable {
    /// Bytes of one file, unpacked.
    package var fileBytes: Int
    /// Bytes of all files together, unpacked.
    package var totalBytes: Int
    /// Entries, folders included.
    package var entries: Int

    package init(fileBytes: Int = 64 << 20, totalBytes: Int = 256 << 20, entries: Int = 20_000) {
        self.fileBytes = fileBytes
        self.totalBytes = totalBytes
        self.entries = entries
    }
}

/// An error while reading or writing an archive.
package enum ArchiveError: Error, Hashable, Sendable {
    /// libarchive is not installed, with the loader's words.
    case libraryMissing(String)
    /// The bytes are not a zip archive, or the archive is damaged.
    case broken(String)
    /// All its files together hold more bytes than the limits allow.
    case tooLarge(limit: Int)
    /// One of its files holds more bytes than the limits allow.
    case fileTooLarge(limit: Int)
    /// It holds more entries than the limits allow.
    case tooManyEntries(limit: Int)
    /// The path of an entry is not plain ASCII.
    case pathInvalid(String)
    /// Out of memory.
    case noMemory
}

/// Reads zip archives (APPNOTE 6.3) in memory.
package enum ZipReader {
    /// The files of an archive in its order; folders, links and encrypted files are left out.
    package static func read(
        _ bytes: [UInt8], limits: ArchiveLimits = ArchiveLimits()
    ) throws(ArchiveError) -> [ArchiveEntry] {
        if let reason = carchive_load() { throw .libraryMissing(String(cString: reason)) }
        let result = bytes.withUnsafeBufferPointer { buffer -> Result<[ArchiveEntry], ArchiveError> in
            guard let reader = carchive_open(buffer.baseAddress, buffer.count) else { return .failure(.noMemory) }
            defer { carchive_close(reader) }
            do throws(ArchiveError) {
                return .success(try entries(reader, limits))
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }

    private static func entries(
        _ reader: OpaquePointer, _ limits: ArchiveLimits
    ) throws(ArchiveError) -> [ArchiveEntry] {
        var entries: [ArchiveEntry] = []
        var (count, total) = (0, 0)
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            var name: UnsafePointer<CChar>?
            let kind = carchive_next(reader, &name)
            if kind == CARCHIVE_END { return entries }
            guard kind != CARCHIVE_BROKEN else { throw .broken(String(cString: carchive_reason(reader))) }
            count += 1
            guard count <= limits.entries else { throw .tooManyEntries(limit: limits.entries) }
            guard kind == CARCHIVE_FILE, let name else { continue }
            let path = String(cString: name)
            var bytes: [UInt8] = []
            while true {
                let size = carchive_read(reader, &buffer, buffer.count)
                guard size >= 0 else { throw .broken(String(cString: carchive_reason(reader))) }
                if size == 0 { break }
                bytes += buffer[..<size]
                total += size
                guard bytes.count <= limits.fileBytes else { throw .fileTooLarge(limit: limits.fileBytes) }
                guard total <= limits.totalBytes else { throw .tooLarge(limit: limits.totalBytes) }
            }
            entries.append(ArchiveEntry(path, bytes))
        }
    }
}
