import Glibc

/// A private copy of a database that cannot be opened where it is, because its folder cannot be written and another
/// process keeps no shared-memory file there: SQLite can then neither read its log nor see a writer.
///
/// The copy holds the file and its log as they are at one moment. It is taken again when either changes meanwhile, so a
/// writer that the folder's permissions let in cannot leave half of a change in it.
struct DatabaseSnapshot {
    /// The folder of the copy, for its owner alone.
    private let folder: String
    /// The database file of the copy.
    var database: String { folder + "/hub.db" }

    /// The time for which the files must have been unchanged before a copy, because file times are only exact to some
    /// milliseconds.
    private static let quietTime = Duration.milliseconds(40)
    private static let attempts = 50
    private static let pause: UInt32 = 20_000

    /// The properties that change whenever a file changes; nil for a missing file.
    private struct FileState: Equatable {
        let device: UInt
        let inode: UInt
        let size: Int
        let modified: Duration

        init?(_ path: String) throws(SystemError) {
            var status = stat()
            guard stat(path, &status) == 0 else {
                if errno == ENOENT { return nil }
                throw SystemError("stat \(path)")
            }
            device = UInt(status.st_dev)
            inode = UInt(status.st_ino)
            size = Int(status.st_size)
            modified = .seconds(status.st_mtim.tv_sec) + .nanoseconds(status.st_mtim.tv_nsec)
        }
    }

    /// Copies the database at `path` and its log into a new folder below one of `parents`, the first that has room.
    static func take(
        of path: String, below parents: [String] = DatabaseSnapshot.temporaryFolders()
    ) throws -> DatabaseSnapshot {
        var failure = SystemError("mkdtemp", code: ENOENT)
        for parent in parents {
            var template = Array((parent + "/hub-XXXXXX").utf8CString)
            guard mkdtemp(&template) != nil else {
                failure = SystemError("mkdtemp \(parent)")
                continue
            }
            let snapshot = DatabaseSnapshot(
                folder: String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self))
            do {
                try snapshot.copy(path)
                return snapshot
            } catch let error as SystemError where error.forbidsWriting && access(path, R_OK) == 0 {
                snapshot.remove()
                failure = error
            } catch {
                snapshot.remove()
                throw error
            }
        }
        throw failure
    }

    /// Removes the files. What has them open can go on reading.
    func remove() {
        for suffix in ["", "-wal", "-shm", "-journal"] { unlink(database + suffix) }
        rmdir(folder)
    }

    /// Returns the folders for a private copy, best first.
    static func temporaryFolders() -> [String] {
        let named = [getenv("TMPDIR"), getenv("XDG_RUNTIME_DIR")].compactMap { value in
            value.map { String(cString: $0) }
        }
        return named.filter { $0.hasPrefix("/") } + ["/tmp", "/var/tmp", "/dev/shm"]
    }

    private func copy(_ path: String) throws {
        for _ in 0..<Self.attempts {
            let before = try [FileState(path), FileState(path + "-wal")]
            guard before[0] != nil else { throw SystemError("open \(path)", code: ENOENT) }
            if before.allSatisfy({ $0.map(Self.isQuiet) ?? true }) {
                for suffix in ["", "-wal"] { try Self.copyFile(path + suffix, to: database + suffix) }
                if try before == [FileState(path), FileState(path + "-wal")] { return }
            }
            usleep(Self.pause)
        }
        throw HubError(
            .busy, code: "store-busy", "the store is busy",
            details: ["it is read-only for you, and another process keeps changing it"], hint: "try again")
    }

    private static func isQuiet(_ state: FileState) -> Bool {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        let age = Duration.seconds(now.tv_sec) + .nanoseconds(now.tv_nsec) - state.modified
        // A time in the future does not say when the file was last written.
        return age >= quietTime || age < .zero
    }

    private static func copyFile(_ source: String, to target: String) throws(SystemError) {
        unlink(target)
        let input = open(source, O_RDONLY | O_CLOEXEC)
        guard input >= 0 else {
            // There need not be a log.
            if errno == ENOENT { return }
            throw SystemError("open \(source)")
        }
        defer { close(input) }
        let output = open(target, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard output >= 0 else { throw SystemError("open \(target)") }
        defer { close(output) }
        var buffer = [UInt8](repeating: 0, count: 1 << 20)
        while true {
            let count = read(input, &buffer, buffer.count)
            if count == 0 { return }
            guard count > 0 else {
                if errno == EINTR { continue }
                throw SystemError("read \(source)")
            }
            var written = 0
            while written < count {
                let part = buffer[written..<count].withUnsafeBytes { write(output, $0.baseAddress, $0.count) }
                guard part > 0 || errno == EINTR else { throw SystemError("write \(target)") }
                written += max(0, part)
            }
        }
    }
}
