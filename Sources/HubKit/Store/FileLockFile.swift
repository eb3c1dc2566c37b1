import Glibc

/// The content of a lease's file.
enum FileLockFile {
    private static let limit = 4096
    /// `F_OFD_GETLK` and `F_OFD_SETLK` of <fcntl.h>, which the Glibc module does not show.
    private static let (getLock, setLock): (Int32, Int32) = (36, 37)

    /// Locks the file once more, in the way that others can ask about without taking it (F_OFD_GETLK in fcntl(2)).
    static func mark(_ descriptor: Int32) {
        var lock = wholeFile(F_WRLCK)
        _ = fcntl(descriptor, setLock, &lock)
    }

    /// Whether a process has marked the file at `path` as its own alone. Nothing is locked by looking.
    static func isMarked(_ path: String) -> Bool {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        var lock = wholeFile(F_RDLCK)
        return fcntl(descriptor, getLock, &lock) == 0 && lock.l_type != Int16(F_UNLCK)
    }

    private static func wholeFile(_ kind: Int32) -> flock {
        flock(l_type: Int16(kind), l_whence: Int16(SEEK_SET), l_start: 0, l_len: 0, l_pid: 0)
    }

    /// Writes the holder of the lease. It is only informative, so a failure is ignored.
    static func sign(_ descriptor: Int32, start: Instant) {
        let text = Array("\(getpid())\n\(start.milliseconds)\n\(CommandName.current)".utf8.prefix(limit))
        guard ftruncate(descriptor, 0) == 0 else { return }
        _ = text.withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, 0) }
    }

    /// Returns the content of the file at `path`; nil when there is none.
    static func text(of path: String) -> String? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        let bytes = [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
            count = max(0, pread(descriptor, buffer.baseAddress, limit, 0))
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Whether the open file is still the one at `path`.
    static func isSame(_ descriptor: Int32, _ path: String) -> Bool {
        var mine = stat()
        var theirs = stat()
        return fstat(descriptor, &mine) == 0 && stat(path, &theirs) == 0 && mine.st_ino == theirs.st_ino
            && mine.st_dev == theirs.st_dev
    }
}
