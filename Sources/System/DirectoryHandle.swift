import CSystem
package import Glibc
import Threading

/// A folder that is held open, so that all that is done in it meets the same folder even when its path changes. Names
/// are bytes, as the system has them.
///
/// What is done in it waits for the disk: on the task pool, use it inside of ``BackgroundThread/run(_:)``.
package final class DirectoryHandle: Sendable {
    /// The path by which it was opened, for messages.
    package let path: String
    private let descriptor: Int32

    /// Opens the folder at `path`, which may be a link to one.
    package convenience init(_ path: String) throws(SystemError) {
        try self.init(FileName.withPath(path) { openat(AT_FDCWD, $0, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }, path)
    }

    /// Opens the folder at a path that need not be valid UTF-8.
    package convenience init(_ path: FileName) throws(SystemError) {
        let opened = path.withPointer { openat(AT_FDCWD, $0, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
        try self.init(opened, path.description)
    }

    private init(_ descriptor: Int32, _ path: String) throws(SystemError) {
        guard descriptor >= 0 else { throw SystemError("open \(path)") }
        self.descriptor = descriptor
        self.path = path
    }

    deinit { close(descriptor) }

    /// Opens a folder inside this one.
    package func folder(_ name: FileName) throws(SystemError) -> DirectoryHandle {
        let opened = name.withPointer { openat(descriptor, $0, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
        return try DirectoryHandle(opened, "\(path)/\(name)")
    }

    /// Returns the entries in no particular order, without `.` and `..`. More than `limit` entries are refused with
    /// EFBIG.
    package func names(limit: Int = 1_000_000) throws(SystemError) -> [FileName] {
        try names(limit: limit) { _, _ throws(SystemError) in true }
    }

    /// Returns the folders in it and the links to folders, in no particular order; those that cannot be looked at are
    /// left out. More than `limit` are refused with EFBIG.
    package func folderNames(limit: Int) throws(SystemError) -> [FileName] {
        try names(limit: limit) { name, type throws(SystemError) in
            if type == Int(DT_DIR) { return true }
            // A link may lead to a folder, and some file systems do not say what an entry is.
            guard type == Int(DT_LNK) || type == Int(DT_UNKNOWN), let status = try? status(name) else { return false }
            return status.st_mode & S_IFMT == S_IFDIR
        }
    }

    private func names(
        limit: Int, where isWanted: (FileName, _ type: Int) throws(SystemError) -> Bool
    ) throws(SystemError) -> [FileName] {
        CooperativePool.assertNotCurrent("DirectoryHandle.names")
        // A descriptor of its own, for reading moves the place in it.
        let own = openat(descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard own >= 0, let stream = fdopendir(own) else { throw SystemError("open \(path)") }
        defer { closedir(stream) }
        var names: [FileName] = []
        while true {
            errno = 0
            guard let entry = readdir(stream) else {
                guard errno == 0 else { throw SystemError("read \(path)") }
                return names
            }
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: UInt8.self, capacity: 256) { start in
                    FileName(UnsafeBufferPointer(start: start, count: strnlen(UnsafeRawPointer(start), 256)))
                }
            }
            if name.isDots { continue }
            guard try isWanted(name, Int(entry.pointee.d_type)) else { continue }
            names.append(name)
            if names.count > limit { throw SystemError("read \(path)", code: EFBIG) }
        }
    }

    /// Returns the type of the entry, or with `followingLinks` that of its target; nil when there is none.
    package func status(_ name: FileName, followingLinks: Bool = true) throws(SystemError) -> stat? {
        var status = stat()
        let flags = followingLinks ? 0 : AT_SYMLINK_NOFOLLOW
        if name.withPointer({ fstatat(descriptor, $0, &status, flags) }) == 0 { return status }
        if errno == ENOENT { return nil }
        throw SystemError("stat \(path)/\(name)")
    }

    /// Returns the path of an entry without links; nil if there is none, or if the system does not know it.
    package func realPath(_ name: FileName) -> FileName? {
        let path = [UInt8](unsafeUninitializedCapacity: Int(PATH_MAX)) { buffer, count in
            let length = buffer.withMemoryRebound(to: CChar.self) { path in
                name.withPointer { system_real_path(descriptor, $0, path.baseAddress, path.count) }
            }
            count = max(0, length)
        }
        return path.isEmpty ? nil : FileName(path)
    }

    /// Returns the bytes of a regular file; throws EFBIG when there are more than `limit` of them, EINVAL when it is
    /// not a regular file.
    package func read(_ name: FileName, limit: Int) throws(SystemError) -> [UInt8] {
        CooperativePool.assertNotCurrent("DirectoryHandle.read")
        // A pipe in the file's place must not make this wait.
        let file = name.withPointer { openat(descriptor, $0, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY) }
        guard file >= 0 else { throw SystemError("open \(path)/\(name)") }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0 else { throw SystemError("stat \(path)/\(name)") }
        guard status.st_mode & S_IFMT == S_IFREG else { throw SystemError("read \(path)/\(name)", code: EINVAL) }
        guard status.st_size <= limit else { throw SystemError("read \(path)/\(name)", code: EFBIG) }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(Int(status.st_size) + 1)
        while true {
            var count = 0
            let room = max(Int(status.st_size) + 1 - bytes.count, 4096)
            let chunk = [UInt8](unsafeUninitializedCapacity: room) { buffer, initialized in
                count = Glibc.read(file, buffer.baseAddress, room)
                initialized = max(0, count)
            }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw SystemError("read \(path)/\(name)") }
            if count == 0 { return bytes }
            bytes += chunk
            if bytes.count > limit { throw SystemError("read \(path)/\(name)", code: EFBIG) }
        }
    }

    /// Writes a new file and brings it to the disk, which `isLasting` leaves to `flushAll` when it is false.
    /// EEXIST when there is one of that name.
    package func write(
        _ bytes: [UInt8], new name: FileName, mode: UInt32, isLasting: Bool = true
    ) throws(SystemError) {
        CooperativePool.assertNotCurrent("DirectoryHandle.write")
        let file = name.withPointer { openat(descriptor, $0, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode) }
        guard file >= 0 else { throw SystemError("open \(path)/\(name)") }
        defer { close(file) }
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw discarding(name, SystemError("write \(path)/\(name)")) }
            rest = rest.dropFirst(count)
        }
        // The process's umask must not take away what an existing file allowed.
        guard fchmod(file, mode) == 0, !isLasting || fsync(file) == 0 else {
            throw discarding(name, SystemError("write \(path)/\(name)"))
        }
    }

    private func discarding(_ name: FileName, _ error: SystemError) -> SystemError {
        _ = name.withPointer { unlinkat(descriptor, $0, 0) }
        return error
    }

    /// Puts a file in the place of another, which is gone then.
    package func rename(_ name: FileName, over other: FileName) throws(SystemError) {
        CooperativePool.assertNotCurrent("DirectoryHandle.rename")
        let result = name.withPointer { from in
            other.withPointer { renameat(descriptor, from, descriptor, $0) }
        }
        guard result == 0 else { throw SystemError("rename \(path)/\(name)") }
    }

    /// Gives a file a name that none has. False when one has it.
    package func rename(_ name: FileName, toNew other: FileName) throws(SystemError) -> Bool {
        CooperativePool.assertNotCurrent("DirectoryHandle.rename")
        let code = name.withPointer { from in
            other.withPointer { system_rename_to_new(descriptor, from, $0) }
        }
        if code == EEXIST { return false }
        guard code == 0 else { throw SystemError("rename \(path)/\(name)", code: code) }
        return true
    }

    /// Exchanges two files in one step. False where the file system cannot.
    package func exchange(_ name: FileName, _ other: FileName) throws(SystemError) -> Bool {
        CooperativePool.assertNotCurrent("DirectoryHandle.exchange")
        let code = name.withPointer { first in
            other.withPointer { system_exchange_files(descriptor, first, $0) }
        }
        if code == 0 { return true }
        if code == EINVAL || code == ENOSYS || code == EOPNOTSUPP { return false }
        throw SystemError("exchange \(path)/\(name)", code: code)
    }

    /// Takes a file away, or with `isFolder` an empty folder.
    package func remove(_ name: FileName, isFolder: Bool = false) throws(SystemError) {
        CooperativePool.assertNotCurrent("DirectoryHandle.remove")
        guard name.withPointer({ unlinkat(descriptor, $0, isFolder ? AT_REMOVEDIR : 0) }) == 0 else {
            throw SystemError("remove \(path)/\(name)")
        }
    }

    /// Makes a folder inside this one, for its owner alone.
    package func makeFolder(_ name: FileName) throws(SystemError) {
        guard name.withPointer({ mkdirat(descriptor, $0, 0o700) }) == 0 else {
            throw SystemError("mkdir \(path)/\(name)")
        }
    }

    /// Brings names that were given and taken to the disk. Some file systems have nothing to do for it and say so.
    package func flush() {
        CooperativePool.assertNotCurrent("DirectoryHandle.flush")
        fsync(descriptor)
    }

    /// Brings all that was written to its file system to the disk, at once: many files take hardly longer than one.
    package func flushAll() throws(SystemError) {
        CooperativePool.assertNotCurrent("DirectoryHandle.flushAll")
        guard system_sync_file_system(descriptor) == 0 else { throw SystemError("sync \(path)") }
    }

    /// Whether files can be made in it.
    package var isWritable: Bool { faccessat(descriptor, ".", W_OK, 0) == 0 }
}

/// A directory in the file system.
package enum Directory {
    /// Makes the folder at `path` and all that is missing above it, each for its owner alone; what is there stays.
    package static func make(_ path: String) throws(SystemError) {
        var made = path.hasPrefix("/") ? "" : "."
        for part in path.split(separator: "/") {
            made += "/" + part
            guard FileName.withPath(made, { mkdir($0, 0o700) }) != 0, errno != EEXIST else { continue }
            let reason = errno
            // A parent folder may exist without being writable.
            guard FileName.withPath(made, { access($0, F_OK) }) == 0 else {
                throw SystemError("mkdir \(made)", code: reason)
            }
        }
    }
}
