import ContactsDomain
package import HubKit
package import Sync

/// Syncs the books of one account. Only one process syncs an account at a time.
package struct SyncAccount: Sendable {
    let manager: AccountManager
    let sync: SyncBooks
    /// Returns a random number in 0..<1, for the time of the next sync.
    let jitter: @Sendable () -> Double

    /// Creates the use case; tests pass their own `jitter`.
    package init(_ manager: AccountManager, jitter: @escaping @Sendable () -> Double = { Double.random(in: 0..<1) }) {
        self.manager = manager
        sync = SyncBooks(manager.contacts, clock: manager.clock)
        self.jitter = jitter
    }

    /// Syncs `setup`; the report also contains errors. If another process is syncing the account, `waiting` is called
    /// with its holder, and the report of that sync is returned.
    package func callAsFunction(
        _ setup: ConfiguredAccount, options: SyncOptions, operation: Operation,
        waiting: @Sendable (FileLock.Holder?) async -> Void = { _ in },
        progress: @escaping @Sendable (SyncProgress) -> Void = { _ in }
    ) async throws -> AccountSyncReport {
        let before = try await lastRun(setup.name)
        return try await manager.register.withLock(at: setup.name, waiting: waiting) { holder in
            let after = try await lastRun(setup.name)
            guard let after, after != before, after.failures == 0, !options.isDryRun, !options.isForced else {
                return nil
            }
            var report = AccountSyncReport(after)
            report.doneBy = holder
            return report
        } work: {
            try await run(setup, options, operation, progress)
        }
    }

    /// Syncs `setup`; returns nil if another process is syncing it.
    func ifFree(_ setup: ConfiguredAccount, options: SyncOptions, operation: Operation) async throws
        -> AccountSyncReport?
    {
        guard let lock = try manager.register.locks.tryAcquire(AccountManager.words.lock(setup.name)) else {
            return nil
        }
        defer { withExtendedLifetime(lock) {} }
        return try await run(setup, options, operation) { _ in }
    }

    private func lastRun(_ account: String) async throws -> SyncLogEntry? {
        try await manager.contacts.read { try $0.accountRun(account) }
    }

    private func run(
        _ setup: ConfiguredAccount, _ options: SyncOptions, _ operation: Operation,
        _ progress: @escaping @Sendable (SyncProgress) -> Void
    ) async throws -> AccountSyncReport {
        let start = manager.clock.monotonicNow
        let before = try await lastRun(setup.name)
        var report = AccountSyncReport(SyncLogEntry(account: setup.name, finishedAt: 0, milliseconds: 0, nextAt: 0))
        var retryAfter: Int?
        do {
            try await syncBooks(setup, options, operation, progress, &report)
        } catch let error as RemoteError {
            report.failure = manager.register.fitting(error.hubError(setup.name), account: setup.name)
            retryAfter = error.retryAfter
        } catch let error as HubError where error.kind != .internal {
            report.failure = error
            retryAfter = (error.cause as? RemoteError)?.retryAfter
        }
        report.run.end(
            report.failure, at: manager.clock.now, after: manager.clock.monotonicNow - start, before: before,
            every: setup.account.every, retryAfter: retryAfter, jitter: jitter())
        if !options.isDryRun {
            let run = report.run
            try await manager.contacts.write(.accounts) { try $0.saveAccountRun(run) }
        }
        return report
    }

    private func syncBooks(
        _ setup: ConfiguredAccount, _ options: SyncOptions, _ operation: Operation,
        _ progress: @escaping @Sendable (SyncProgress) -> Void, _ report: inout AccountSyncReport
    ) async throws {
        if setup.account.isServer { try manager.register.requireNetwork() }
        let link = try await manager.link(to: setup)
        let targets = try await books(setup, link, &report).map { SyncBooks.Target($0, over: link.open($0.remote)) }
        let done = try await sync(targets, options: options, operation: operation, progress: progress)
        var failures: [HubError] = []
        for (target, outcome) in zip(targets, done.outcomes) {
            report.add(outcome.report, notices: target.link.notices())
            let failure = outcome.failure.map { bookFailure($0, outcome.book) }
            if let failure { failures.append(failure) }
            if !options.isDryRun { try await note(failure?.message, outcome.book) }
        }
        if let failure = done.failure { throw failure }
        // If a question could not be asked, the command fails like a wrong call, after the other books are done.
        if let unasked = failures.first(where: { $0.code == "confirmation-needed" }) { throw unasked }
        // If no book can be synced, the account has failed.
        if let first = failures.first, failures.count == targets.count { throw first }
        report.fail(failures)
    }

    /// Returns the error of one book with the book's name.
    private func bookFailure(_ error: any Error, _ book: Book) -> HubError {
        if case .notFound(let reason)? = error as? RemoteError {
            var gone = HubError(
                .notFound, code: "book-gone", "the address book \(book.fullName) no longer exists",
                details: [reason, "its contacts are kept here"],
                hint:
                    "hub contacts books rm \(ShellWords.quote(book.fullName)) forgets it here; if the account has moved: "
                    + "hub contacts accounts edit \(book.account) --url URL")
            gone.cause = error
            return gone
        }
        guard let error = error as? RemoteError else {
            return error as? HubError ?? HubError(.internal, code: "book-failed", "\(book.fullName): \(error)")
        }
        var failure = error.hubError(book.account)
        failure.message = "\(book.fullName): \(failure.message)"
        return failure
    }

    private func note(_ problem: String?, _ book: Book) async throws {
        try await manager.contacts.write(.accounts) { try $0.setSyncResult(of: book.id, problem: problem) }
    }

    /// Returns the books to sync. They are listed each time, since books are also created, renamed and removed in the
    /// account.
    private func books(
        _ setup: ConfiguredAccount, _ link: any AccountClient, _ report: inout AccountSyncReport
    ) async throws -> [Book] {
        let known = try await manager.contacts.read { try $0.books(of: setup.name) }
        let seen: [RemoteBook]
        do throws(RemoteError) {
            seen = try await link.books()
        } catch {
            // Some servers list nothing at the address of a single book.
            switch error {
            case .refused, .notFound, .malformed:
                if setup.account.isServer, !known.isEmpty { return known.filter { setup.account.wants($0.name) } }
            default: break
            }
            throw manager.register.fitting(error.hubError(setup.name), account: setup.name)
        }
        let account = try await FollowRenamedBooks(manager: manager)(seen, known, setup.account)
        let found = try await manager.keep(seen, of: account)
        if !known.isEmpty {
            let ids = Set(known.map(\.id))
            for new in found where !ids.contains(new.id) {
                report.news.append("new book \(new.name) in \(setup.name)")
            }
        }
        let lost = known.filter { book in
            account.wants(book.name) && !found.contains { $0.id == book.id }
                && !seen.contains { $0.href == book.remote.href }
        }
        guard setup.account.isServer else {
            for lost in lost {
                report.notices.append(
                    "the book \(lost.name) of \(setup.name) no longer exists; its contacts are kept here")
            }
            return found
        }
        // A server may list fewer books than it has; a missing book is reported by the request for it.
        return found + lost
    }
}
