import Glibc

/// The queue of processes that want to write next.
///
/// A busy writer would take the database's lock again before any waiting process checks it. So each writer takes this
/// lock first and releases it once it has the other: after one chunk of bulk work the waiting process is next. It is
/// advisory: a process that cannot take it in time continues without it.
final class WriterLock {
    private let descriptor: Int32
    private let clock: any Clock
    private static let pause = timespec(tv_sec: 0, tv_nsec: 500_000)
    /// The number of attempts, two per millisecond; limited, because a stopped process must not keep others from
    /// writing.
    private static let attempts = 500

    /// The queue whose lock is the file at `path`; nil when it cannot be opened.
    init?(_ path: String, clock: any Clock) {
        self.clock = clock
        descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        if descriptor < 0 { return nil }
    }

    deinit { close(descriptor) }

    /// Runs `begin`, which takes the database's lock, as the next in turn.
    func begin(_ begin: () throws -> Void) rethrows {
        var left = Self.attempts
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0, left > 0 {
            var pause = Self.pause
            nanosleep(&pause, nil)
            left -= 1
        }
        defer { flock(descriptor, LOCK_UN) }
        try begin()
        FileLockFile.sign(descriptor, start: clock.now)
    }
}
