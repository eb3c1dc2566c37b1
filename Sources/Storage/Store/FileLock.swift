import Glibc
import Threading

/// The right to one outer resource, across processes, until it is released or the process ends.
package final class FileLock: Sendable {
    /// The mode of a lock.
    package enum Mode: Sendable {
        /// No other process may hold it.
        case exclusive
        /// Others may share it.
        case shared
    }

    /// The holder of an exclusive lock.
    package struct Holder: Hashable, Sendable {
        /// The process id.
        package let process: Int32
        /// The words of the command, such as `hub contacts import`, without what was given to it.
        package let command: String
        /// Since when it holds the lock.
        package let start: Instant
    }

    private let descriptor: Int32

    private init(_ descriptor: Int32) { self.descriptor = descriptor }

    deinit {
        // A process that is being started has a copy of the descriptor until it becomes another program: closing alone would
        // leave the lock to it for that time.
        FileLockFile.unmark(descriptor)
        _ = flock(descriptor, LOCK_UN)
        close(descriptor)
    }

    /// Takes the lock on the file at `path`; nil when another holds it. `start` is written into the file of an
    /// exclusive lock, beside process and command.
    static func take(_ path: String, _ mode: Mode, start: Instant?) throws -> FileLock? {
        CooperativePool.assertNotCurrent("FileLock.take")
        while true {
            var descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
            if descriptor < 0, mode == .shared, errno == EACCES || errno == EROFS {
                // A share can be had of a file that cannot be written.
                descriptor = open(path, O_RDONLY | O_CLOEXEC)
            }
            guard descriptor >= 0 else { throw SystemError("open \(path)") }
            let lock = FileLock(descriptor)
            guard flock(descriptor, (mode == .exclusive ? LOCK_EX : LOCK_SH) | LOCK_NB) == 0 else {
                if errno == EWOULDBLOCK { return nil }
                throw SystemError("flock \(path)")
            }
            // The last holder may have removed the file between our two calls: then this lock is worth nothing.
            guard FileLockFile.isSame(descriptor, path) else { continue }
            if mode == .exclusive {
                FileLockFile.mark(descriptor)
                if let start { FileLockFile.sign(descriptor, start: start) }
            }
            return lock
        }
    }
}

extension FileLock.Holder {
    /// Reads what a holder has written: process, start in milliseconds and command, one a line.
    init?(text: String) {
        let lines = text.split(separator: "\n", maxSplits: 2, omittingEmptySubsequences: false)
        guard lines.count == 3, let process = Int32(lines[0]), let start = Int64(lines[1]) else { return nil }
        self.process = process
        self.start = Instant(milliseconds: start)
        command = String(lines[2])
    }
}

/// The content of a lock's file.
enum FileLockFile {
    private static let limit = 4096
    /// `F_OFD_GETLK` and `F_OFD_SETLK` of <fcntl.h>, which the Glibc module does not show.
    private static let (getLock, setLock): (Int32, Int32) = (36, 37)

    /// Locks the file once more, in the way that others can ask about without taking it (F_OFD_GETLK in fcntl(2)).
    static func mark(_ descriptor: Int32) {
        var lock = wholeFile(F_WRLCK)
        _ = fcntl(descriptor, setLock, &lock)
    }

    /// Takes the mark off.
    static func unmark(_ descriptor: Int32) {
        var lock = wholeFile(F_UNLCK)
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

    /// Writes the holder of the lock. It is only informative, so a failure is ignored.
    static func sign(_ descriptor: Int32, start: Instant) {
        let text = Array("\(getpid())\n\(start.milliseconds)\n\(CommandName.current)".utf8.prefix(limit))
        // Mostly the last one that signed has not changed.
        if content(of: descriptor) == text { return }
        guard ftruncate(descriptor, 0) == 0 else { return }
        _ = text.withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, 0) }
    }

    /// Returns the content of the file at `path`; nil when there is none.
    static func text(of path: String) -> String? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        return String(decoding: content(of: descriptor), as: UTF8.self)
    }

    private static func content(of descriptor: Int32) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
            count = max(0, pread(descriptor, buffer.baseAddress, limit, 0))
        }
    }

    /// Whether the open file is still the one at `path`.
    static func isSame(_ descriptor: Int32, _ path: String) -> Bool {
        var mine = stat()
        var theirs = stat()
        return fstat(descriptor, &mine) == 0 && stat(path, &theirs) == 0 && mine.st_ino == theirs.st_ino
            && mine.st_dev == theirs.st_dev
    }
}
