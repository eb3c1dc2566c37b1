import Glibc
import Hashing

/// A blob that is being written. What is not finished leaves nothing behind.
package final class BlobWriter {
    /// The file that is being written.
    private typealias Draft = (path: String, descriptor: Int32)

    private let store: BlobStore
    private let lock: FileLock?
    private var draft: Draft?
    private var hash: SHA256?
    /// The number of bytes written.
    package private(set) var size = 0

    init(_ store: BlobStore, lock: FileLock?) {
        self.store = store
        self.lock = lock
    }

    deinit { discard() }

    /// Adds bytes at the end.
    package func write(_ bytes: [UInt8]) throws {
        try withStoreErrors {
            let descriptor = try descriptor()
            if hash == nil { hash = try SHA256() }
            try hash?.add(bytes)
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { throw SystemError("write a blob") }
                rest = rest.dropFirst(count)
                size += count
            }
        }
    }

    /// Brings the file and its name to the disk, on a thread that may wait for it. The blob is safe from collection as long as the result
    /// is kept, so keep it until the row that names it is committed.
    package func finish(isolation: isolated (any Actor)? = #isolation) async throws -> StoredBlob {
        let (draft, blob) = try end()
        let path = store.path(of: blob)
        try await BackgroundThread.run { try Self.publish(draft, as: path) }
        return ended(blob)
    }

    /// The same on a thread that may wait.
    func finishBlocking() throws -> StoredBlob {
        let (draft, blob) = try end()
        try Self.publish(draft, as: store.path(of: blob))
        return ended(blob)
    }

    /// Ends the content; returns its file and the name that it gets.
    private func end() throws -> (draft: Draft, blob: BlobID) {
        try write([])
        return try withStoreErrors {
            guard let draft, let hash = hash.take() else { throw SystemError("write a blob", code: EBADF) }
            return (draft, BlobID(hash: try hash.finish()))
        }
    }

    private func ended(_ blob: BlobID) -> StoredBlob {
        if let draft { close(draft.descriptor) }
        draft = nil
        return StoredBlob(id: blob, size: size, lock: lock)
    }

    /// Brings the content to the disk, and then its name.
    private static func publish(_ draft: Draft, as path: String) throws {
        try withStoreErrors {
            guard fsync(draft.descriptor) == 0 else { throw SystemError("fsync \(draft.path)") }
            try makeFolders(of: path)
            // A file of that name has the same content, unless it was damaged: then this repairs it.
            guard rename(draft.path, path) == 0 else { throw SystemError("rename \(draft.path)") }
            try DataDirectory(path: parent(of: path)).synchronize()
        }
    }

    private func descriptor() throws -> Int32 {
        if let draft { return draft.descriptor }
        try Directory.make(store.newDirectory)
        let path = store.newDirectory + "/" + Identifier.make()
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw SystemError("open \(path)") }
        draft = (path, descriptor)
        return descriptor
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

    private func discard() {
        guard let draft else { return }
        close(draft.descriptor)
        unlink(draft.path)
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
}
