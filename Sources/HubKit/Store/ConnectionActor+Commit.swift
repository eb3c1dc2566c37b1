import SQLite

extension ConnectionActor {
    /// The maximum time that one group holds the write lock before it commits; the rest goes into the next group.
    private static let groupLimit = Duration.milliseconds(20)

    /// Does all that wait in `queue` in one transaction and commits it.
    ///
    /// Callers get their outcome after the commit. Each of several callers has a savepoint, so that a failing one
    /// rolls back only its own changes. A single caller has none, because a savepoint copies every page before it is
    /// changed.
    /// - Returns: the topics that have news.
    func commitWaiting(of queue: WriteQueue, locks: FileLocks?) -> Set<Topic> {
        let entries = queue.takeWaiting()
        let start = ContinuousClock.now
        var count = 0
        var topics: Set<Topic> = []
        var failure: (any Error)?
        do {
            let store = try connection()
            store.retryRollback(locks)
            try store.setCommitsAreFinal(entries.contains(where: \.isFinal))
            try withStoreErrors { try store.begin() }
            for entry in entries where failure == nil {
                let performed = entry.perform(store, entries.count == 1)
                count += 1
                topics.formUnion(performed.topics)
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
        // The leader is the first and awake.
        for entry in entries.prefix(count).dropFirst() { entry.wake(false) }
        queue.handOver(entries[count...])
        return failure == nil ? topics : []
    }
}
