import Glibc

/// The right to one outer resource, across processes, until it is released or the process ends.
package final class FileLock: Sendable {
    /// The mode of a lease.
    package enum Mode: Sendable {
        /// No other process may hold it.
        case exclusive
        /// Others may share it.
        case shared
    }

    /// The holder of an exclusive lease.
    package struct Holder: Hashable, Sendable {
        /// The process id.
        package let process: Int32
        /// The words of the command, such as `hub contacts import`, without what was given to it.
        package let command: String
        /// Since when it holds the lease.
        package let start: Instant
    }

    private let descriptor: Int32

    private init(_ descriptor: Int32) { self.descriptor = descriptor }

    deinit { close(descriptor) }

    /// Takes the lock on the file at `path`; nil when another holds it. `start` is written into the file of an
    /// exclusive lease, beside process and command.
    static func take(_ path: String, _ mode: Mode, start: Instant?) throws -> FileLock? {
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
