extension AccountRegister {
    /// Does `work` as the only process that talks to the account.
    ///
    /// When another process does so already, `waiting` is called with its name; afterwards `isDone` says whether that
    /// process did the work, and then it is not done again.
    package func inTurn<Result>(
        at account: String, waiting: @Sendable (Lease.Holder?) async -> Void,
        unless isDone: (_ holder: String) async throws -> Result?, work: () async throws -> Result
    ) async throws -> Result {
        let name = words.lease(account)
        if let lease = try leases.tryAcquire(name) {
            defer { withExtendedLifetime(lease) {} }
            return try await work()
        }
        let holder = try leases.holder(of: name)
        await waiting(holder)
        let lease = try await leases.acquire(name)
        defer { withExtendedLifetime(lease) {} }
        if let done = try await isDone(holder?.command ?? "another hub") { return done }
        return try await work()
    }
}
