extension AccountRegistry {
    /// Does `work` as the only process that talks to the account.
    ///
    /// When another process does so already, `waiting` is called with its name; afterwards `isDone` says whether that
    /// process did the work, and then it is not done again.
    package func withLock<Result>(
        at account: String, waiting: @Sendable (FileLock.Holder?) async -> Void,
        unless isDone: (_ holder: String) async throws -> Result?, work: () async throws -> Result
    ) async throws -> Result {
        let name = words.lock(account)
        if let lock = try locks.tryAcquire(name) {
            defer { withExtendedLifetime(lock) {} }
            return try await work()
        }
        let holder = try locks.holder(of: name)
        await waiting(holder)
        let lock = try await locks.acquire(name)
        defer { withExtendedLifetime(lock) {} }
        if let done = try await isDone(holder?.command ?? "another hub") { return done }
        return try await work()
    }
}
