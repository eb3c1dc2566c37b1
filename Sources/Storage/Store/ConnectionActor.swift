import Dispatch
import SQLite

/// Owns one connection and the thread it may be used on: the main one in a command, a queue's in the daemon.
actor ConnectionActor {
    nonisolated let unownedExecutor: UnownedSerialExecutor
    /// Kept alive for as long as the actor may run on it.
    private let executor: (any SerialExecutor)?
    private let open: @Sendable () throws -> StoreConnection
    private var opened: StoreConnection?

    /// `executor` nil means the main one. The connection is opened when it is first used.
    init(executor: (any SerialExecutor)?, open: @escaping @Sendable () throws -> StoreConnection) {
        self.executor = executor
        unownedExecutor = executor?.asUnownedSerialExecutor() ?? MainActor.sharedUnownedExecutor
        self.open = open
    }

    /// Runs `body` with the connection, opening it first where needed.
    func use<T: Sendable>(_ body: @Sendable (StoreConnection) throws -> T) throws -> T {
        try body(connection())
    }

    /// The connection; an attempt that failed is made again the next time.
    func connection() throws -> StoreConnection {
        if let opened { return opened }
        let connection = try withStoreErrors(open)
        opened = connection
        return connection
    }

    /// Whether there is a connection.
    var isOpen: Bool { opened != nil }

    /// Closes the connection, just before which it calls `prepare`; the next use opens a new one.
    func close(_ prepare: @Sendable () -> Void = {}) {
        prepare()
        opened = nil
    }
}

extension ConnectionActor {
    /// The maximum time that one group holds the write lock before it commits; the rest goes into the next group.
    private static let groupLimit = Duration.milliseconds(20)

    /// Does all that wait in `queue` in one transaction and commits it.
    ///
    /// Callers get their outcome after the commit. Each of several callers has a savepoint, so that a failing one
    /// rolls back only its own changes. A single caller has none, because a savepoint copies every page before it is
    /// changed.
    /// - Returns: the topics that have news, the first caller, which waits until they are told, and whether there is more to do.
    func commitWaiting(
        of queue: WriteQueue, locks: FileLocks?
    ) -> (topics: Set<Topic>, first: WriteQueue.Entry?, isMore: Bool) {
        let entries = queue.takeWaiting()
        let start = ContinuousClock.now
        var count = 0
        var topics: Set<Topic> = []
        var actions: [@Sendable () -> Void] = []
        var failure: (any Error)?
        do {
            let store = try connection()
            store.retryRollback(locks)
            try withStoreErrors {
                try store.setCommitsAreFinal(entries.contains(where: \.isFinal))
                try store.begin()
            }
            for entry in entries where failure == nil {
                let performed = entry.perform(store, entries.count == 1)
                count += 1
                topics.formUnion(performed.topics)
                actions += performed.actions
                if entries.count == 1, performed.failure != nil, store.connection.isInTransaction {
                    try store.connection.run("ROLLBACK")
                }
                // A full disk, say, rolls back the whole transaction: then nothing of this group was kept.
                if !store.connection.isInTransaction { failure = performed.failure }
                if ContinuousClock.now - start > Self.groupLimit { break }
            }
            if failure == nil { failure = store.commit() }
        } catch {
            failure = error
            count = entries.count
        }
        for entry in entries.prefix(count) { entry.finish(failure) }
        if failure == nil { for action in actions { action() } }
        for entry in entries.prefix(count).dropFirst() { entry.wake() }
        return (failure == nil ? topics : [], entries.first, queue.putBack(entries[count...]))
    }
}

/// Runs an actor on a serial queue of its own, so that waiting for the disk keeps no thread of the cooperative pool.
final class QueueExecutor: SerialExecutor {
    private let queue: DispatchQueue

    init(_ label: String) { queue = DispatchQueue(label: label) }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }

    func checkIsolated() { dispatchPrecondition(condition: .onQueue(queue)) }
}
