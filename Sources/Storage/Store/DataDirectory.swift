import CSystem
import Glibc
import Threading

/// The folder that holds the database file.
struct DataDirectory {
    let path: String

    /// The database file.
    var database: String { path + "/hub.db" }
    /// The folder of the copies that are made before a migration.
    var backups: String { path + "/backups" }
    /// The lock for the next writer.
    var writerLock: String { path + "/locks/writer" }

    /// Makes folder and file where they are missing, closed to others, and refuses a network file system.
    ///
    /// It also refuses a database without content beside a log: SQLite would take it for a new one and delete the log,
    /// which may hold all that is left. With `isReplaced` the file is about to be replaced, and this does not matter.
    func prepare(isReplaced: Bool = false) throws {
        try Directory.make(path)
        if let name = try networkFileSystem() {
            throw HubError(
                .config, code: "network-file-system", "the data folder \(path) is on a network file system (\(name))",
                details: ["SQLite's locks do not work there, and the store could be damaged"],
                hint: "choose a local folder: --data DIR, or HUB_DATA")
        }
        // A file that is there is not opened: closing it would drop the POSIX locks that SQLite has in this process.
        var status = stat()
        let isThere = stat(database, &status) == 0
        guard isThere || errno == ENOENT else { throw SystemError("stat \(database)") }
        if isThere, status.st_mode & S_IFMT == S_IFDIR { throw unusable("is a folder") }
        if !isThere || status.st_size == 0, logSize > 0, !isReplaced {
            throw HubError.damagedStore("\(database) \(isThere ? "is empty" : "is missing"), but its log is there")
        }
        if isThere { return }
        // A new store has no last writer.
        unlink(writerLock)
        let descriptor = open(database, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            guard errno == EEXIST else { throw SystemError("open \(database)") }
            // Another process was faster, or the name is that of a link.
            if stat(database, &status) != 0 { throw unusable("is a link to a file that is missing") }
            return
        }
        close(descriptor)
    }

    /// Returns the error for something else in the place of the database.
    private func unusable(_ why: String) -> HubError {
        HubError(
            .config, code: "store-unusable", "the store cannot be opened", details: ["\(database) \(why)"],
            hint: "move it away, and hub makes a new store; or choose another folder: --data DIR, or HUB_DATA")
    }

    /// Whether the file lost its content, which a process had written to. Only while no other process has the store open.
    var isEmptied: Bool { hasNoContent && access(writerLock, F_OK) == 0 }

    /// Whether the file is there and empty.
    var hasNoContent: Bool {
        var status = stat()
        return stat(database, &status) == 0 && status.st_size == 0
    }

    /// The size of the write-ahead log in bytes.
    var logSize: Int {
        var status = stat()
        return stat(database + "-wal", &status) == 0 ? Int(status.st_size) : 0
    }

    /// Returns the free bytes for a user on the file system of the folder; nil when they are unknown.
    static func freeSpace(_ path: String) -> Int? {
        var status = statvfs()
        guard statvfs(path, &status) == 0 else { return nil }
        let (bytes, isTooLarge) = Int(status.f_bavail).multipliedReportingOverflow(by: Int(status.f_frsize))
        return isTooLarge ? .max : bytes
    }

    /// Makes a rename or a new file in the folder last.
    func synchronize() throws {
        CooperativePool.assertNotCurrent("DataDirectory.synchronize")
        let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw SystemError("open \(path)") }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw SystemError("fsync \(path)") }
    }

    /// The name of the network file system that the folder is on; nil on a local one (magic numbers of statfs(2)).
    private func networkFileSystem() throws -> String? {
        let type = system_file_system_type(path)
        guard type >= 0 else { throw SystemError("statfs \(path)") }
        switch UInt32(truncatingIfNeeded: type) {
        case 0x6969: return "NFS"
        case 0x517B, 0xFF53_4D42, 0xFE53_4D42: return "SMB"
        case 0x0102_1997: return "9P"
        case 0x5346_414F, 0x6B41_4653: return "AFS"
        case 0x7375_7245: return "Coda"
        case 0x00C3_6400: return "Ceph"
        case 0x0116_1970, 0x7461_636F: return "cluster"
        default: return nil
        }
    }
}
