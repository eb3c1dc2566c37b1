import Glibc
import Synchronization

/// Lets writes that wait at the same time share one commit.
///
/// The first caller calls the writer, which takes all that wait when its turn comes. Who comes while it works on them calls it again, so that
/// it goes on at once when it is done.
final class WriteQueue: Sendable {
    /// The request of one caller.
    struct Entry: Sendable {
        /// Whether it must be on the disk before the caller goes on.
        let isFinal: Bool
        /// Does it, in a savepoint of its own unless it `isAlone` in the transaction, and keeps the result.
        let perform: @Sendable (StoreConnection, _ isAlone: Bool) -> Performed
        /// Makes the result final; an error when the commit failed.
        let finish: @Sendable (_ failure: (any Error)?) -> Void
        /// Wakes the caller, whose result is final.
        let wake: @Sendable () -> Void
    }

    /// The result before the commit.
    struct Performed {
        /// The error; nil for success.
        let failure: (any Error)?
        /// The topics that have news.
        let topics: Set<Topic>
        /// What is called after the commit.
        let actions: [@Sendable () -> Void]
    }

    private struct State {
        var waiting: [Entry] = []
        /// Whether the writer is going to take what waits.
        var isWriterCalled = false
    }

    private let state = Mutex(State())

    /// Joins the queue; true when the caller must call the writer.
    func join(_ entry: Entry) -> Bool {
        state.withLock { state in
            state.waiting.append(entry)
            defer { state.isWriterCalled = true }
            return !state.isWriterCalled
        }
    }

    /// Removes all waiting entries, in the order in which they came. Who comes from here on calls the writer again.
    func takeWaiting() -> [Entry] {
        state.withLock { state in
            defer { (state.waiting, state.isWriterCalled) = ([], false) }
            return state.waiting
        }
    }

    /// Puts back what did not fit into a group, before what came later; true when the writer has to be called again.
    func putBack(_ left: ArraySlice<Entry>) -> Bool {
        guard !left.isEmpty else { return false }
        return state.withLock { state in
            state.waiting.insert(contentsOf: left, at: 0)
            defer { state.isWriterCalled = true }
            return !state.isWriterCalled
        }
    }
}

/// The queue of processes that want to write next.
///
/// A busy writer would take the database's lock again before any waiting process checks it. So each writer takes this
/// lock first and releases it once it has the other: after one chunk of bulk work the waiting process is next. It is
/// advisory: a process that cannot take it in time continues without it.
final class WriterLock {
    private let descriptor: Int32
    /// When this process began to wait for its turns: what it writes into the file stays the same.
    private let start: Instant
    private static let pause = timespec(tv_sec: 0, tv_nsec: 500_000)
    /// The number of attempts, two per millisecond; limited, because a stopped process must not keep others from
    /// writing.
    private static let attempts = 500

    /// The queue whose lock is the file at `path`; nil when it cannot be opened.
    init?(_ path: String, clock: any Clock) {
        start = clock.now
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
        FileLockFile.sign(descriptor, start: start)
    }
}
