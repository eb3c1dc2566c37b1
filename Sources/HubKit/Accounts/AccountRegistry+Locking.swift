import Hashing
import Storage
package import Sync

/// The right to talk to an account.
///
/// It consists of a lock of the store, whose sync state it protects, and of one for the account's address, which is the
/// same for every store: two data folders with one config file do not sync one server or device at once.
package struct AccountLock: Sendable {
    fileprivate let locks: [FileLock]
}

extension AccountRegistry {
    /// The name of the store's lock on an account.
    private func name(_ account: Account) -> String { "\(kind.plugin)/\(account.name)" }

    /// The name of the lock on the account's address; user and place identify what it leads to.
    private func sharedName(_ account: Account) -> String {
        let hash = FNV1a.hash(Array("\(account.place)\n\(account.user ?? "")".utf8))
        return "account/\(kind.plugin)/\(String(hash, radix: 16))"
    }

    /// Returns the lock on an account; nil while another process has it.
    package func tryLock(_ account: Account) async throws -> AccountLock? {
        guard let lock = try await locks.tryAcquire(name(account)) else { return nil }
        guard let sharedLocks else { return AccountLock(locks: [lock]) }
        do {
            return try await sharedLocks.tryAcquire(sharedName(account)).map { AccountLock(locks: [lock, $0]) }
        } catch is SystemError {
            return AccountLock(locks: [lock])
        }
    }

    /// Returns the lock on an account as soon as it is free; throws when the task is cancelled.
    package func lock(_ account: Account) async throws -> AccountLock {
        let lock = try await locks.acquire(name(account))
        let shared = try await acquireShared(sharedName(account))
        return AccountLock(locks: [lock] + (shared.map { [$0] } ?? []))
    }

    /// Returns the process that talks to an account; nil when there is none.
    func holder(of account: Account) throws -> FileLock.Holder? {
        try locks.holder(of: name(account)) ?? sharedLocks?.holder(of: sharedName(account))
    }

    /// Returns a lock that all stores share as soon as it is free; nil where the state folder cannot be written.
    func acquireShared(_ name: String) async throws -> FileLock? {
        do {
            return try await sharedLocks?.acquire(name)
        } catch is SystemError {
            return nil
        }
    }
}
