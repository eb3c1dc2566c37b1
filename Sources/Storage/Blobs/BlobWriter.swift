import Glibc
import Hashing
import Synchronization
import Threading

/// A blob that is being written. What is not finished leaves nothing behind.
///
/// Bytes are collected, and written in large pieces on a thread that may wait for the disk.
package final class BlobWriter {
    private let lock: FileLock
    private let draft: BlobDraft
    private var unwritten: [UInt8] = []
    /// The number of bytes added.
    package private(set) var size = 0

    /// The number of bytes that are collected before they are written.
    static let pieceSize = 256 << 10

    init(_ store: BlobStore, lock: FileLock) {
        self.lock = lock
        draft = BlobDraft(store)
    }

    /// The thread of the last write may hold the draft for a moment longer than this.
    deinit { draft.discard() }

    /// Adds bytes at the end. Throws when those before could not be written.
    package func write(_ bytes: [UInt8], isolation: isolated (any Actor)? = #isolation) async throws {
        unwritten += bytes
        size += bytes.count
        guard unwritten.count >= Self.pieceSize else { return }
        let piece = unwritten
        unwritten = []
        try await BackgroundThread.run { [draft] in try draft.write(piece) }
    }

    /// Brings the file and its name to the disk. The blob is safe from collection as long as the result is kept, so commit the row that
    /// names it inside of ``StoredBlob/whileKept(_:)``.
    package func finish(isolation: isolated (any Actor)? = #isolation) async throws -> StoredBlob {
        let piece = unwritten
        unwritten = []
        return try await BackgroundThread.run { [draft, lock] in
            try draft.write(piece)
            return try draft.publish(keeping: lock)
        }
    }
}

/// The file of a blob that is being written, for threads that may wait for the disk.
final class BlobDraft: Sendable {
    private struct State: ~Copyable {
        var file: (path: String, descriptor: Int32)?
        var hash: SHA256?
        var size = 0
    }

    private let store: BlobStore
    /// Locked during each call. That makes nothing wait: its one user makes one call at a time.
    private let state = Mutex(State())

    init(_ store: BlobStore) { self.store = store }

    deinit { discard() }

    /// Removes the file, unless it was published.
    func discard() {
        state.withLock { state in
            guard let file = state.file.take() else { return }
            close(file.descriptor)
            unlink(file.path)
        }
    }

    /// Adds bytes at the end.
    func write(_ bytes: [UInt8]) throws {
        CooperativePool.assertNotCurrent("BlobDraft.write")
        try withStoreErrors {
            try state.withLock { state in
                if state.file == nil { state.file = try makeFile() }
                guard let descriptor = state.file?.descriptor else { return }
                if state.hash == nil { state.hash = try SHA256() }
                try state.hash?.add(bytes)
                var rest = bytes[...]
                while !rest.isEmpty {
                    let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
                    if count < 0, errno == EINTR { continue }
                    guard count > 0 else { throw SystemError("write a blob") }
                    rest = rest.dropFirst(count)
                    state.size += count
                }
            }
        }
    }

    /// Brings the content to the disk, and then its name.
    func publish(keeping lock: FileLock?) throws -> StoredBlob {
        try write([])
        return try withStoreErrors {
            try state.withLock { state in
                guard let file = state.file, let hash = state.hash.take() else {
                    throw SystemError("write a blob", code: EBADF)
                }
                let blob = BlobID(hash: try hash.finish())
                let path = store.path(of: blob)
                guard fsync(file.descriptor) == 0 else { throw SystemError("fsync \(file.path)") }
                try Self.makeFolders(of: path)
                // A file of that name has the same content, unless it was damaged: then this repairs it.
                guard rename(file.path, path) == 0 else { throw SystemError("rename \(file.path)") }
                state.file = nil
                close(file.descriptor)
                try DataDirectory(path: Self.parent(of: path)).synchronize()
                return StoredBlob(id: blob, size: state.size, lock: lock)
            }
        }
    }

    private func makeFile() throws -> (path: String, descriptor: Int32) {
        try Directory.make(store.newDirectory)
        let path = store.newDirectory + "/" + Identifier.make()
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw SystemError("open \(path)") }
        return (path, descriptor)
    }

    /// Makes the two folders above a blob's file, each on the disk before what is in it.
    private static func makeFolders(of path: String) throws {
        let inner = parent(of: path)
        let outer = parent(of: inner)
        for folder in [outer, inner] {
            if mkdir(folder, 0o700) != 0, errno != EEXIST { throw SystemError("mkdir \(folder)") }
            // Also when another process has made it: that one may die before it does this.
            try DataDirectory(path: parent(of: folder)).synchronize()
        }
    }

    private static func parent(of path: String) -> String {
        String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
    }
}

/// A blob on the disk that no row names yet. It is not collected as long as this value is kept.
package final class StoredBlob: Sendable {
    /// The name.
    package let id: BlobID
    /// The size in bytes.
    package let size: Int
    private let lock: FileLock?

    init(id: BlobID, size: Int, lock: FileLock?) {
        self.id = id
        self.size = size
        self.lock = lock
    }

    /// Calls `body`, which commits the row that names the blob. Until it returns, the blob is not collected.
    package func whileKept<Success>(
        isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Success
    ) async throws -> Success {
        defer { withExtendedLifetime(self) {} }
        return try await body()
    }
}
