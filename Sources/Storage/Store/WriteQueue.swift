import Glibc
import Synchronization

/// Lets writes that wait at the same time share one commit.
///
/// The first caller leads: it passes all callers that wait by then to the writer. Later callers form the next group,
/// led by the first of them.
final class WriteQueue: Sendable {
    /// The request of one caller.
    struct Entry: Sendable {
        /// Whether it must be on the disk before the caller goes on.
        let isFinal: Bool
        /// Does it, in a savepoint of its own unless it `isAlone` in the transaction, and keeps the result.
        let perform: @Sendable (StoreConnection, _ isAlone: Bool) -> Performed
        /// Makes the result final; an error when the commit failed.
        let finish: @Sendable (_ failure: (any Error)?) -> Void
        /// Wakes the caller: true asks it to lead the next group, false says that its outcome is final.
        let wake: @Sendable (_ leads: Bool) -> Void
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
        var hasLeader = false
    }

    private let state = Mutex(State())

    /// Joins the queue; true when the caller must lead.
    func join(_ entry: Entry) -> Bool {
        state.withLock { state in
            state.waiting.append(entry)
            defer { state.hasLeader = true }
            return !state.hasLeader
        }
    }

    /// Removes all waiting entries, the leader first.
    func takeWaiting() -> [Entry] {
        state.withLock { state in
            defer { state.waiting = [] }
            return state.waiting
        }
    }

    /// Puts back what did not fit into the leader's group, and lets the next one lead.
    func handOver(_ left: ArraySlice<Entry>) {
        let next = state.withLock { state -> Entry? in
            state.waiting.insert(contentsOf: left, at: 0)
            state.hasLeader = !state.waiting.isEmpty
            return state.waiting.first
        }
        next?.wake(true)
    }
}

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
