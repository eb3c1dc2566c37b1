import Glibc

/// The queue of processes that want to write next.
///
/// Who writes all the time would take the database's lock again before anybody who waits for it looks. So each takes this
/// lock first and gives it back once it has the other: behind one chunk of bulk work comes whoever has waited for it.
/// It is a courtesy: who cannot take it in time goes on without. The file names the process that wrote last, for
/// `DatabaseWriter`.
final class WriteTurn {
    private let descriptor: Int32
    private let clock: any Clock
    private static let pause = timespec(tv_sec: 0, tv_nsec: 500_000)
    /// How often to look, twice a millisecond: a process that was stopped must not keep others from writing.
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
        LeaseFile.sign(descriptor, start: clock.now)
    }
}
