import Glibc
import Hashing
import Storage

/// A folder of files as import, export and the mirror use it. It is held open; paths are below it.
///
/// What is done in it waits for the disk: use it inside of `BackgroundThread.run`.
///
/// Links inside of the folder are followed. A link that leads out of it is followed only where the user has said so: a folder
/// that is synced with others may get one to any file of the user.
struct NoteFolder: Sendable {
    /// A file, with what tells without reading it whether it has changed.
    struct Entry: Sendable {
        /// The path below the folder.
        let path: ByteString
        /// Inode, size and times.
        let stamp: String
        /// The size in bytes.
        let size: Int
        /// When the file was changed, by the clock of the file system.
        let changedAt: Instant

        fileprivate init(_ path: ByteString, _ status: stat) {
            self.path = path
            stamp = NoteFolder.stamp(status)
            size = Int(status.st_size)
            let time = status.st_ctim
            changedAt = Instant(milliseconds: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
        }

        /// Returns whether the path comes before another one in the order of their bytes, which is that of the store, is
        /// the same, or comes after it: less than 0, 0 or more.
        func compare(_ other: UnsafeRawBufferPointer) -> Int {
            path.bytes.withUnsafeBytes { NoteFolder.compare($0, other) }
        }

        /// Whether the stamp is the recorded one.
        func hasStamp(_ recorded: UnsafeRawBufferPointer) -> Bool {
            stamp.utf8.elementsEqual(recorded)
        }
    }

    /// A file or folder that is passed over.
    struct Skipped: Hashable, Sendable {
        /// Why it is.
        enum Reason: String, Sendable {
            case link = "a link out of the folder, which is not followed; see the setting plugins.notes.follow_links"
            case depth = "too many folders inside each other; 16 are looked at"
        }

        /// The path below the folder.
        let path: ByteString
        let reason: Reason

        /// The message.
        var message: String { "\(path): \(reason.rawValue)" }
    }

    /// What is in a folder.
    struct Listing: Sendable {
        /// The wanted files, in the order of the bytes of their paths.
        fileprivate(set) var entries: [Entry] = []
        /// What was passed over of them, and the folders.
        fileprivate(set) var skipped: [Skipped] = []
        /// All other files, in no order.
        fileprivate(set) var others: [Entry] = []
        /// What was passed over of these, and the folders.
        fileprivate(set) var skippedOthers: [Skipped] = []

        fileprivate mutating func pass(over path: ByteString, _ reason: Skipped.Reason, isWanted: Bool?) {
            if isWanted != false { skipped.append(Skipped(path: path, reason: reason)) }
            if isWanted != true { skippedOthers.append(Skipped(path: path, reason: reason)) }
        }
    }

    /// A file or folder, by whatever path.
    private struct Identity: Hashable {
        let device, inode: UInt64

        init(_ status: stat) { (device, inode) = (UInt64(status.st_dev), UInt64(status.st_ino)) }
    }

    /// The most files that are listed, wanted and others.
    private static let maximumCount = 200_000
    /// The most folders inside each other that are entered.
    private static let maximumDepth = 16

    private let root: DirectoryHandle
    private let followsLinks: Bool

    /// The path of the folder.
    var path: String { root.path }

    /// Opens the folder at `path`, which is made if `isMade`. Throws `not-found` and `denied`.
    init(_ path: String, isMade: Bool = false, followsLinks: Bool = false) throws(HubError) {
        do throws(SystemError) {
            try self.init(opening: path, isMade: isMade, followsLinks: followsLinks)
        } catch {
            throw NoteFolder.failure(path, error)
        }
    }

    /// Opens the folder at `path`.
    init(opening path: String, isMade: Bool = false, followsLinks: Bool = false) throws(SystemError) {
        self.followsLinks = followsLinks
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

    /// Returns why a file could not be used.
    static func reason(_ error: SystemError) -> String {
        switch error.code {
        case ELOOP: Skipped.Reason.link.rawValue
        case EXDEV: "a link, which is not moved to another folder"
        default: String(cString: strerror(error.code))
        }
    }

    /// Lists all files that are not hidden, the wanted ones apart from the others. Each folder is entered once, wherever links lead.
    func listing(_ isWanted: (ByteString) -> Bool = { _ in true }) throws(SystemError) -> Listing {
        var listing = Listing()
        var links: [ByteString] = []
        var folders: Set<Identity> = []
        if let status = try root.status(".") { folders.insert(Identity(status)) }
        var (files, otherFiles): (Set<Identity>, Set<Identity>) = ([], [])
        var pending = [ByteString([])]
        func add(_ path: ByteString, _ status: stat) throws(SystemError) {
            switch status.st_mode & S_IFMT {
            case S_IFDIR:
                guard folders.insert(Identity(status)).inserted else { return }
                if path.bytes.count(where: { $0 == UInt8(ascii: "/") }) < NoteFolder.maximumDepth {
                    pending.append(path)
                } else {
                    listing.pass(over: path, .depth, isWanted: nil)
                }
            case S_IFREG:
                if isWanted(path) {
                    files.insert(Identity(status))
                    listing.entries.append(Entry(path, status))
                } else {
                    otherFiles.insert(Identity(status))
                    listing.others.append(Entry(path, status))
                }
                guard max(listing.entries.count, listing.others.count) <= NoteFolder.maximumCount else {
                    throw SystemError("read \(root.path)", code: EFBIG)
                }
            default: break
            }
        }
        while true {
            while let folder = pending.popLast() {
                let handle = folder.isEmpty ? root : try root.folder(folder)
                for name in try handle.names(limit: NoteFolder.maximumCount) where !name.isHidden {
                    guard let status = try? handle.status(name, followingLinks: false) else { continue }
                    if status.st_mode & S_IFMT == S_IFLNK {
                        links.append(folder.appending(name))
                    } else {
                        try add(folder.appending(name), status)
                    }
                }
            }
            // What links lead to is listed where it is, if it is in the folder.
            guard let link = links.popLast() else { break }
            guard let status = try? root.status(link) else { continue }
            let isWanted = status.st_mode & S_IFMT == S_IFDIR ? nil : isWanted(link)
            let known = isWanted.map { $0 ? files : otherFiles } ?? folders
            if known.contains(Identity(status)) { continue }
            if followsLinks || isInside(link) {
                try add(link, status)
            } else {
                listing.pass(over: link, .link, isWanted: isWanted)
            }
        }
        listing.entries.sort { a, b in b.path.bytes.withUnsafeBytes { a.compare($0) } < 0 }
        return listing
    }

    /// Whether a path below the folder leads to something in it.
    private func isInside(_ path: ByteString) -> Bool {
        guard let real = root.realPath(path), let top = root.realPath(".") else { return false }
        return real.isWithin(top)
    }

    /// Returns where a file is: its folder and name, after all links. Throws ELOOP where it is not to be reached.
    private func place(of path: ByteString) throws(SystemError) -> (folder: DirectoryHandle, name: FileName) {
        guard followsLinks || path.parent.isEmpty || isInside(path.parent) else { throw outside(path) }
        guard let status = try root.status(path, followingLinks: false), status.st_mode & S_IFMT == S_IFLNK else {
            return (root, path)
        }
        guard let real = root.realPath(path), followsLinks || isInside(path) else { throw outside(path) }
        return (try DirectoryHandle(real.parent), real.lastName)
    }

    private func outside(_ path: ByteString) -> SystemError { SystemError("open \(root.path)/\(path)", code: ELOOP) }

    /// The order of bytes.
    private static func compare(_ a: UnsafeRawBufferPointer, _ b: UnsafeRawBufferPointer) -> Int {
        let count = min(a.count, b.count)
        if count > 0, let first = a.baseAddress, let second = b.baseAddress {
            let order = memcmp(first, second, count)
            if order != 0 { return Int(order) }
        }
        return a.count - b.count
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
    func read(_ path: ByteString, limit: Int) throws(SystemError) -> [UInt8] {
        let (folder, name) = try place(of: path)
        return try folder.read(name, limit: limit)
    }

    /// Writes a file atomically, with the folders that it needs; a link stays, and what it leads to is written. `expected` is
    /// the hash of the file to replace; nil where none may be.
    /// - Returns: false if another file is there, which stays.
    func write(_ bytes: [UInt8], to path: ByteString, replacing expected: String?) throws(SystemError) -> Bool {
        try makeFolders(of: path)
        let (folder, name) = try place(of: path)
        let new = temporary(name)
        guard let expected else {
            try folder.write(bytes, new: new, mode: 0o600)
            let isDone = try folder.rename(new, toNew: name)
            if !isDone { try folder.remove(new) }
            folder.flush()
            return isDone
        }
        guard let status = try folder.status(name), try NoteFolder.hash(folder.read(name, limit: .max - 1)) == expected
        else { return false }
        try folder.write(bytes, new: new, mode: UInt32(status.st_mode & 0o777))
        guard try folder.exchange(new, name) else {
            try folder.rename(new, over: name)
            folder.flush()
            return true
        }
        // What an editor has saved in the meantime goes back to its place.
        let isExpected = try NoteFolder.hash(folder.read(new, limit: .max - 1)) == expected
        if !isExpected { _ = try folder.exchange(new, name) }
        try folder.remove(new)
        folder.flush()
        return isExpected
    }

    /// Writes new files and brings them to the disk, many of them together. One that cannot be written does not stop the
    /// others.
    /// - Returns: for each whether it was written; false if a file is there, which stays.
    func write(new files: [(path: ByteString, bytes: [UInt8])]) -> [Result<Bool, SystemError>] {
        // A flush for each of many files takes far longer than all else. For a few, it would wait for what others write.
        let isFew = files.count < 8
        let temporaries = files.map { path, bytes in
            Result { () throws(SystemError) in
                try makeFolders(of: path)
                let (folder, name) = try place(of: path)
                let temporary = temporary(name)
                try folder.write(bytes, new: temporary, mode: 0o600, isLasting: isFew)
                return (folder: folder, name: name, temporary: temporary)
            }
        }
        let folders = Set(files.map(\.path.parent))
        let flush = Result { () throws(SystemError) in if !isFew { try flushFileSystems(of: folders) } }
        let results = temporaries.map { file in
            Result { () throws(SystemError) in
                let (folder, name, temporary) = try file.get()
                let isDone = Result { () throws(SystemError) in
                    try flush.get()
                    return try folder.rename(temporary, toNew: name)
                }
                if (try? isDone.get()) != true { try folder.remove(temporary) }
                return try isDone.get()
            }
        }
        for folder in folders {
            if folder.isEmpty { root.flush() } else { try? root.folder(folder).flush() }
        }
        return results
    }

    /// Brings to the disk what was written in these folders; a link may lead to another file system.
    private func flushFileSystems(of folders: Set<ByteString>) throws(SystemError) {
        var flushed: Set<UInt64> = []
        for path in folders {
            guard let folder = path.isEmpty ? root : try? root.folder(path), let status = try folder.status("."),
                flushed.insert(UInt64(status.st_dev)).inserted
            else { continue }
            try folder.flushAll()
        }
    }

    /// Moves a file that has the hash `expected`. A link is not moved to another folder, from where it may lead elsewhere.
    /// - Returns: false if it has another one, or if there is another file at the new path.
    func move(_ path: ByteString, to new: ByteString, expecting expected: String) throws(SystemError) -> Bool {
        guard try hash(path) == expected else { return false }
        try makeFolders(of: new)
        _ = try place(of: new)
        let old = try root.status(path, followingLinks: false)
        if path.parent != new.parent, old.map({ $0.st_mode & S_IFMT == S_IFLNK }) == true {
            throw SystemError("move \(root.path)/\(path)", code: EXDEV)
        }
        var isDone = try root.rename(path, toNew: new)
        if !isDone, let old, let other = try root.status(new, followingLinks: false), Identity(old) == Identity(other),
            other.st_nlink == 1
        {
            // Some file systems take two spellings for one name.
            try root.rename(path, over: new)
            isDone = true
        }
        root.flush()
        return isDone
    }

    /// Removes a file, or a link to one, that has the hash `expected`.
    /// - Returns: false if it has another one.
    func remove(_ path: ByteString, expecting expected: String) throws(SystemError) -> Bool {
        guard let found = try hash(path) else { return true }
        guard found == expected else { return false }
        let aside = temporary(path)
        guard try root.rename(path, toNew: aside) else { return false }
        guard try NoteFolder.hash(root.read(aside, limit: .max - 1)) == expected else {
            _ = try root.rename(aside, toNew: path)
            return false
        }
        try root.remove(aside)
        root.flush()
        return true
    }

    /// Returns the hash of a file; nil if there is none.
    private func hash(_ path: ByteString) throws(SystemError) -> String? {
        guard try root.status(path) != nil else { return nil }
        return NoteFolder.hash(try read(path, limit: .max - 1))
    }

    /// Returns the hash by which files are compared.
    static func hash(_ bytes: [UInt8]) -> String { String(FNV1a128.hash(bytes), radix: 16) }

    /// The path of a hidden file beside another one.
    private func temporary(_ path: ByteString) -> ByteString { path.parent.appending(".hub-\(Identifier.make())") }

    private func makeFolders(of path: ByteString) throws(SystemError) {
        for end in path.bytes.indices where path.bytes[end] == UInt8(ascii: "/") {
            let folder = ByteString(path.bytes[..<end])
            guard try root.status(folder) == nil else { continue }
            guard followsLinks || folder.parent.isEmpty || isInside(folder.parent) else { throw outside(path) }
            do throws(SystemError) {
                try root.makeFolder(folder)
            } catch  where error.code == EEXIST {
                continue
            }
        }
    }
}
