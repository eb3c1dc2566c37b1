import Glibc
import Hashing
import HubKit

/// A folder of files as import, export and the mirror use it. It is held open; paths are below it.
struct NoteFolder: Sendable {
    /// A file, with what tells without reading it whether it has changed.
    struct Entry: Sendable {
        /// The path below the folder.
        let path: String
        /// Inode, size and times.
        let stamp: String
        /// The size in bytes.
        let size: Int
        /// When the file was changed, by the clock of the file system.
        let changedAt: Instant

        fileprivate init(_ path: String, _ status: stat) {
            self.path = path
            stamp = NoteFolder.stamp(status)
            size = Int(status.st_size)
            let time = status.st_ctim
            changedAt = Instant(milliseconds: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
        }

        /// Returns whether the path comes before another one in the order of their bytes, which is that of the store, is
        /// the same, or comes after it: less than 0, 0 or more.
        func compare(_ other: UnsafeRawBufferPointer) -> Int { path.compareBytes(other) }

        /// Whether the stamp is the recorded one.
        func hasStamp(_ recorded: UnsafeRawBufferPointer) -> Bool { stamp.compareBytes(recorded) == 0 }
    }

    /// The most files that are listed.
    private static let maximumCount = 200_000
    /// The most folders inside each other that are entered.
    private static let maximumDepth = 16

    private let root: DirectoryHandle

    /// The path of the folder.
    var path: String { root.path }

    /// Opens the folder at `path`, which is made if `isMade`. Throws `not-found` and `denied`.
    init(_ path: String, isMade: Bool = false) throws(HubError) {
        do throws(SystemError) {
            try self.init(opening: path, isMade: isMade)
        } catch {
            throw NoteFolder.failure(path, error)
        }
    }

    /// Opens the folder at `path`.
    init(opening path: String, isMade: Bool = false) throws(SystemError) {
        if isMade { try Directory.make(path) }
        root = try DirectoryHandle(path)
    }

    /// Returns the error for a path that cannot be used.
    static func failure(_ path: String, _ error: SystemError) -> HubError {
        let kind: HubError.Class =
            switch error.code {
            case ENOENT: .notFound
            case ENOSPC, EDQUOT, EFBIG: .busy
            default: error.forbidsWriting ? .denied : .invalid
            }
        return HubError(
            kind, code: "file-unusable", "cannot use \(TerminalSanitizer.line(path))",
            details: [String(cString: strerror(error.code))])
    }

    /// Lists all files that are not hidden, in the order of the bytes of their paths. Each folder is entered once,
    /// wherever links lead.
    func entries(_ isListed: (String) -> Bool = { _ in true }) throws(SystemError) -> [Entry] {
        var found: [Entry] = []
        var seen: Set<[UInt64]> = []
        var pending = [(path: "", depth: 0)]
        while let (folder, depth) = pending.popLast() {
            let handle = folder.isEmpty ? root : try root.folder(FileName(folder))
            for name in try handle.names(limit: NoteFolder.maximumCount) where !name.isHidden {
                // Paths are kept as text; a name that is none cannot be written again.
                guard let text = String(validating: name.bytes, as: UTF8.self),
                    let status = try? handle.status(name)
                else { continue }
                let path = folder.isEmpty ? text : "\(folder)/\(text)"
                switch status.st_mode & S_IFMT {
                case S_IFDIR:
                    let identity = [UInt64(status.st_dev), UInt64(status.st_ino)]
                    if depth < NoteFolder.maximumDepth, seen.insert(identity).inserted {
                        pending.append((path, depth + 1))
                    }
                case S_IFREG where isListed(path):
                    found.append(Entry(path, status))
                    guard found.count <= NoteFolder.maximumCount else {
                        throw SystemError("read \(root.path)", code: EFBIG)
                    }
                default: break
                }
            }
        }
        return found.sorted { a, b in b.path.withBytes { a.path.compareBytes($0) } < 0 }
    }

    private static func stamp(_ status: stat) -> String {
        // Six numbers of at most twenty signs each. It is made for each file of each look.
        String(unsafeUninitializedCapacity: 128) { buffer in
            var end = 0
            func append(_ number: some BinaryInteger, after separator: UInt8? = nil) {
                if let separator {
                    buffer[end] = separator
                    end += 1
                }
                if number < 0 {
                    buffer[end] = UInt8(ascii: "-")
                    end += 1
                }
                let start = end
                var rest = UInt64(number.magnitude)
                repeat {
                    buffer[end] = UInt8(ascii: "0") + UInt8(rest % 10)
                    rest /= 10
                    end += 1
                } while rest > 0
                buffer[start..<end].reverse()
            }
            append(status.st_ino)
            append(status.st_size, after: UInt8(ascii: " "))
            append(status.st_mtim.tv_sec, after: UInt8(ascii: " "))
            append(status.st_mtim.tv_nsec, after: UInt8(ascii: "."))
            append(status.st_ctim.tv_sec, after: UInt8(ascii: " "))
            append(status.st_ctim.tv_nsec, after: UInt8(ascii: "."))
            return end
        }
    }

    /// Returns the bytes of a file, at most `limit`.
    func read(_ path: String, limit: Int) throws(SystemError) -> [UInt8] {
        try root.read(FileName(path), limit: limit)
    }

    /// Writes a file atomically, with the folders that it needs. `expected` is the hash of the file to replace; nil where
    /// none may be.
    /// - Returns: false if another file is there, which stays.
    func write(_ bytes: [UInt8], to path: String, replacing expected: String?) throws(SystemError) -> Bool {
        try makeFolders(of: path)
        let name = FileName(path)
        let new = FileName(temporary(path))
        guard let expected else {
            try root.write(bytes, new: new, mode: 0o600)
            return try finish(try root.rename(new, toNew: name), new)
        }
        guard let status = try root.status(name), try hash(path) == expected else { return false }
        try root.write(bytes, new: new, mode: UInt32(status.st_mode & 0o777))
        guard try root.exchange(new, name) else {
            try root.rename(new, over: name)
            root.flush()
            return true
        }
        // What an editor has saved in the meantime goes back to its place.
        let isExpected = try NoteFolder.hash(root.read(new, limit: .max - 1)) == expected
        if !isExpected { _ = try root.exchange(new, name) }
        try root.remove(new)
        root.flush()
        return isExpected
    }

    /// Writes new files; their names are brought to the disk together. One that cannot be written does not stop the others.
    /// - Returns: for each whether it was written; false if a file is there, which stays.
    func write(new files: [(path: String, bytes: [UInt8])]) -> [Result<Bool, SystemError>] {
        let results = files.map { path, bytes in
            Result { () throws(SystemError) in
                try makeFolders(of: path)
                let new = FileName(temporary(path))
                try root.write(bytes, new: new, mode: 0o600)
                let isDone = try root.rename(new, toNew: FileName(path))
                if !isDone { try root.remove(new) }
                return isDone
            }
        }
        for folder in Set(files.map { $0.path.split(separator: "/").dropLast().joined(separator: "/") }) {
            if folder.isEmpty { root.flush() } else { try? root.folder(FileName(folder)).flush() }
        }
        return results
    }

    private func finish(_ isDone: Bool, _ new: FileName) throws(SystemError) -> Bool {
        if !isDone { try root.remove(new) }
        root.flush()
        return isDone
    }

    /// Moves a file that has the hash `expected`.
    /// - Returns: false if it has another one, or if there is a file at the new path.
    func move(_ path: String, to new: String, expecting expected: String) throws(SystemError) -> Bool {
        guard try hash(path) == expected else { return false }
        try makeFolders(of: new)
        let isDone = try root.rename(FileName(path), toNew: FileName(new))
        root.flush()
        return isDone
    }

    /// Removes a file that has the hash `expected`.
    /// - Returns: false if it has another one.
    func remove(_ path: String, expecting expected: String) throws(SystemError) -> Bool {
        guard let found = try hash(path) else { return true }
        guard found == expected else { return false }
        let aside = FileName(temporary(path))
        guard try root.rename(FileName(path), toNew: aside) else { return false }
        guard try NoteFolder.hash(root.read(aside, limit: .max - 1)) == expected else {
            _ = try root.rename(aside, toNew: FileName(path))
            return false
        }
        try root.remove(aside)
        root.flush()
        return true
    }

    /// Returns the hash of a file; nil if there is none.
    private func hash(_ path: String) throws(SystemError) -> String? {
        guard try root.status(FileName(path)) != nil else { return nil }
        return NoteFolder.hash(try root.read(FileName(path), limit: .max - 1))
    }

    /// Returns the hash by which files are compared.
    static func hash(_ bytes: [UInt8]) -> String { String(FNV1a128.hash(bytes), radix: 16) }

    /// The path of a hidden file beside another one.
    private func temporary(_ path: String) -> String {
        var parts = path.split(separator: "/").map(String.init)
        parts[parts.count - 1] = ".hub-\(Identifier.make())"
        return parts.joined(separator: "/")
    }

    private func makeFolders(of path: String) throws(SystemError) {
        let parts = path.split(separator: "/").dropLast()
        for end in parts.indices {
            let folder = FileName(parts[...end].joined(separator: "/"))
            guard try root.status(folder) == nil else { continue }
            do throws(SystemError) {
                try root.makeFolder(folder)
            } catch  where error.code == EEXIST {
                continue
            }
        }
    }
}

extension String {
    fileprivate func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        // A listing compares each path many times: the string itself is used, not a copy.
        utf8.withContiguousStorageIfAvailable { body(UnsafeRawBufferPointer($0)) }
            ?? Array(utf8).withUnsafeBytes { body($0) }
    }

    /// The order of strings follows Unicode, where different bytes may be equal.
    fileprivate func compareBytes(_ other: UnsafeRawBufferPointer) -> Int {
        withBytes { mine in
            let count = min(mine.count, other.count)
            if count > 0, let a = mine.baseAddress, let b = other.baseAddress {
                let order = memcmp(a, b, count)
                if order != 0 { return Int(order) }
            }
            return mine.count - other.count
        }
    }
}
