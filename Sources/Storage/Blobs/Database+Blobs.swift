import Glibc
import SQLite

/// The result of a check of all blobs.
package struct BlobCheck: Sendable {
    /// The number of blobs that rows or kept operations need.
    package var needed = 0
    /// The size of all files in bytes.
    package var size = 0
    /// The blobs that a row names, and that have no file.
    package var missing: [BlobID] = []
    /// The number of files that are on another machine alone.
    package var elsewhere = 0
    /// The blobs whose file has another content.
    package var damaged: [BlobID] = []
    /// The number of files that nothing needs.
    package var unneeded = 0
    /// The place of the first missing blob, else of the first damaged one; nil when no row names it.
    package var place: Place?

    /// The row that names a blob.
    package struct Place: Sendable {
        /// The plugin of its table; `core` for hub itself.
        package let owner: String
        /// The ids in it, those of items and of others.
        package let ids: [String]
    }
}

extension Database {
    /// The blobs beside the database; nil for one in memory.
    package var blobs: BlobStore? {
        guard case .directory(let path) = location, let locks else { return nil }
        return BlobStore(directory: BlobStore.directory(in: path), locks: locks)
    }

    /// Deletes the files of blobs that no row, no kept operation and no copy in `backups` needs, and what killed writers left.
    /// With `candidates`, only those among them are looked at, and what killed writers left stays.
    /// - Returns: their number; nil when a blob is being written, so that nothing was deleted.
    @discardableResult
    package func collectBlobs(among candidates: Set<BlobID>? = nil) async throws -> Int? {
        guard let blobs, access(blobs.directory, F_OK) == 0 else { return 0 }
        // Writers of blobs share this lock until their rows are committed. So every file that is there now has its row, or
        // will never have one: only what is kept can come back by undo.
        guard let lock = try await blobs.tryHold() else { return nil }
        defer { withExtendedLifetime(lock) {} }
        let stored = try await BackgroundThread.run {
            try candidates.map { $0.filter { blobs.size(of: $0) != nil } } ?? Set(try blobs.stored())
        }
        let unneeded = try await read { store in
            let references = try BlobReferences(store.connection)
            let unnamed = stored.subtracting(try references.inRows())
            return unnamed.subtracting(try references.inHistory(among: unnamed))
        }
        return try await BackgroundThread.run { [location] in
            let paths =
                unneeded.subtracting(location.blobsInCopies).map(blobs.path(of:))
                + (candidates == nil ? try blobs.unfinished() : [])
            for path in paths where unlink(path) != 0 && errno != ENOENT {
                throw HubError(storeFile: SystemError("remove \(path)"))
            }
            return paths.count
        }
    }

    /// Reads all blobs and compares them with what rows need.
    package func checkBlobs() async throws -> BlobCheck {
        guard let blobs else { return BlobCheck() }
        let lock = try await blobs.keep()
        defer { withExtendedLifetime(lock) {} }
        var check = BlobCheck()
        let stored = try await BackgroundThread.run { Set(try blobs.stored()) }
        let (named, kept) = try await read { store in
            let references = try BlobReferences(store.connection)
            return (try references.inRows(), try references.inHistory())
        }
        check.needed = named.union(kept).count
        let absent = try await store(for: "core").read { try Set($0.absentFiles().map(\.blob)) }
        check.elsewhere = named.subtracting(stored).intersection(absent).count
        check.missing = named.subtracting(stored).subtracting(absent).sorted { $0.text < $1.text }
        check = try await BackgroundThread.run { [check, location] in
            var check = check
            check.unneeded = stored.subtracting(named.union(kept)).subtracting(location.blobsInCopies).count
            for blob in stored.sorted(by: { $0.text < $1.text }) {
                check.size += blobs.size(of: blob) ?? 0
                if try !blobs.isSound(blob) { check.damaged.append(blob) }
            }
            return check
        }
        guard let first = check.missing.first ?? check.damaged.first else { return check }
        check.place = try await read { try BlobReferences($0.connection).place(of: first) }
        return check
    }
}

extension Database {
    /// Calls `body`, which stores blobs, names each of them to its argument, and commits the rows that name them. When it fails, blobs that
    /// nothing else needs go at once, rather than with the next collection: a file that was refused may be private.
    package func discardingBlobs<Success>(
        isolation: isolated (any Actor)? = #isolation, _ body: (inout Set<BlobID>) async throws -> Success
    ) async throws -> Success {
        var stored: Set<BlobID> = []
        do {
            return try await body(&stored)
        } catch {
            if !stored.isEmpty { _ = try? await collectBlobs(among: stored) }
            throw error
        }
    }
}

extension Database.Location {
    /// The blobs that the copies of the store in `backups` need: those from before a migration or a restore, which have no files of
    /// their own. A file that is not a store, or that cannot be read, needs none.
    fileprivate var blobsInCopies: Set<BlobID> {
        guard case .directory(let path) = self else { return [] }
        let folder = DataDirectory(path: path).backups
        let names = (try? DirectoryHandle(folder).names().map { "\($0)" }) ?? []
        return names.filter { $0.hasSuffix(".db") }.reduce(into: []) { found, name in
            guard let copy = try? Connection("\(folder)/\(name)", mode: .readOnly),
                let needed = try? BlobReferences(copy).all()
            else { return }
            found.formUnion(needed)
        }
    }
}
