import Glibc
import Hashing

/// Files of any size beside the database, named by the hash of their content.
///
/// A file is on the disk, whole and under its name, before a row can name it, and is never changed. Two equal files are one.
package struct BlobStore: Sendable {
    /// The folder of the files: `ab/cd/abcd…`, and `new` for those that are being written.
    package let directory: String
    private let locks: FileLocks

    /// The lock that a writer shares until its row is committed, and that the collector holds alone.
    static let lockName = "blobs"
    private static let newFolder = "new"

    /// Creates a store in the folder `directory`, which need not exist yet.
    package init(directory: String, locks: FileLocks) {
        self.directory = directory
        self.locks = locks
    }

    /// The folder of blobs beside the database in `data`.
    package static func directory(in data: String) -> String { data + "/blobs" }

    /// The path of a blob's file, for other programs and for reading.
    package func path(of blob: BlobID) -> String {
        "\(directory)/\(blob.text.prefix(2))/\(blob.text.dropFirst(2).prefix(2))/\(blob.text)"
    }

    /// The folder of files that are being written.
    var newDirectory: String { directory + "/" + Self.newFolder }

    /// Begins a blob. Waits while the collector works, which takes a moment.
    package func writer() async throws -> BlobWriter {
        BlobWriter(self, lock: try await locks.acquire(Self.lockName, .shared))
    }

    /// Stores the bytes of a regular file as a blob, in pieces, on a thread that may wait for the disk.
    package func store(fileAt path: String) async throws -> StoredBlob {
        let lock = try await locks.acquire(Self.lockName, .shared)
        return try await BackgroundThread.run { [self] in
            let reader = try ChunkedFileReader(path: path, isRegular: true)
            let draft = BlobDraft(self)
            while let bytes = try reader.next() {
                try BackgroundThread.checkCancellation()
                try draft.write(bytes)
            }
            return try draft.publish(keeping: lock)
        }
    }

    /// Stores bytes as a blob.
    package func store(_ bytes: [UInt8]) async throws -> StoredBlob {
        let lock = try await locks.acquire(Self.lockName, .shared)
        return try await BackgroundThread.run { [self] in
            let draft = BlobDraft(self)
            try draft.write(bytes)
            return try draft.publish(keeping: lock)
        }
    }

    /// Returns the bytes of a blob; throws `invalid` when there are more than `limit` of them.
    package func bytes(of blob: BlobID, limit: Int) async throws -> [UInt8] {
        try await BackgroundThread.run { [self] in
            _ = try reader(blob)
            return try ChunkedFileReader.contents(of: path(of: blob), limit: limit)
        }
    }

    /// Returns the bytes of a blob in a range, as far as it has them. Blocks.
    package func bytes(of blob: BlobID, in range: Range<Int>) throws -> [UInt8] {
        _ = try reader(blob)
        let descriptor = open(path(of: blob), O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw HubError(storeFile: SystemError("open \(path(of: blob))")) }
        defer { close(descriptor) }
        let length = max(0, min(range.count, (size(of: blob) ?? 0) - range.lowerBound))
        return try [UInt8](unsafeUninitializedCapacity: length) { buffer, count in
            while count < length {
                let read = pread(
                    descriptor, buffer.baseAddress.map { $0 + count }, length - count, off_t(range.lowerBound + count))
                if read < 0, errno == EINTR { continue }
                guard read > 0 else { throw HubError(storeFile: SystemError("read a blob")) }
                count += read
            }
        }
    }

    /// Returns the name that bytes would have as a blob. Nothing is stored.
    package static func id(of bytes: [UInt8]) throws -> BlobID {
        var hash = try SHA256()
        try hash.add(bytes)
        return BlobID(hash: try hash.finish())
    }

    /// Returns the name that the file at `path` would have as a blob, which it reads on a thread that may wait for the disk. Nothing is
    /// stored.
    package static func id(ofFileAt path: String) async throws -> BlobID {
        try await BackgroundThread.run { try id(ofFileAt: path) }
    }

    /// The same on this thread.
    static func id(ofFileAt path: String) throws -> BlobID {
        let reader = try ChunkedFileReader(path: path, isRegular: true)
        var hash = try SHA256()
        while let bytes = try reader.next() {
            try BackgroundThread.checkCancellation()
            try hash.add(bytes)
        }
        return BlobID(hash: try hash.finish())
    }

    /// Opens a blob for reading in pieces, on a thread that may wait for the disk. Throws `not-found` when its file is gone.
    package func reader(_ blob: BlobID) async throws(HubError) -> ChunkedFileReader {
        try await BackgroundThread.run(
            { () throws(HubError) in try reader(blob) }, whenRefused: { HubError(storeFile: $0) })
    }

    /// The same on this thread.
    package func reader(_ blob: BlobID) throws(HubError) -> ChunkedFileReader {
        guard size(of: blob) != nil else {
            throw HubError(
                .notFound, code: "blob-missing", "the file of this item is missing: \(path(of: blob))",
                hint: "hub doctor lists missing files; hub restore FILE restores them from a backup")
        }
        return try ChunkedFileReader(path: path(of: blob), isRegular: true)
    }

    /// Returns the size of a blob in bytes; nil when it has no file.
    package func size(of blob: BlobID) -> Int? {
        var status = stat()
        guard stat(path(of: blob), &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        return Int(status.st_size)
    }

    /// Whether the file of a blob still has the content that its name says.
    package func isSound(_ blob: BlobID) throws -> Bool {
        _ = try reader(blob)
        return try Self.id(ofFileAt: path(of: blob)) == blob
    }

    /// Returns the blobs that have a file.
    func stored() throws -> [BlobID] {
        try folders(in: directory).flatMap { outer in
            try folders(in: "\(directory)/\(outer)").flatMap { inner in
                try names(in: "\(directory)/\(outer)/\(inner)").compactMap { BlobID($0) }
            }
        }
    }

    /// Returns the files that were begun and not finished.
    func unfinished() throws -> [String] { try names(in: newDirectory).map { "\(newDirectory)/\($0)" } }

    /// Holds the store so that no blob is collected.
    package func keep() async throws -> FileLock { try await locks.acquire(Self.lockName, .shared) }

    /// Holds the store so that none is written; nil when one is being written.
    func tryHold() async throws -> FileLock? { try await locks.tryAcquire(Self.lockName) }

    private func folders(in path: String) throws -> [String] { try names(in: path).filter { $0.utf8.count == 2 } }

    private func names(in path: String) throws -> [String] {
        guard access(path, F_OK) == 0 else { return [] }
        return try DirectoryHandle(path).names().map { "\($0)" }
    }
}
