package import ContactsDomain
import HubKit
import Sync

/// Tests the connection to an account and lists its books; changes nothing.
package struct TestAccount: Sendable {
    let manager: AccountManager

    package init(_ manager: AccountManager) { self.manager = manager }

    /// The result of a test.
    package struct Result: Sendable {
        /// The books, including those that are not synced.
        package let books: [RemoteBook]
        /// The response time.
        package let duration: Duration
    }

    /// Returns the books of the account `name`. Throws the connection error.
    package func callAsFunction(_ name: String) async throws -> Result {
        let setup = try manager.account(name)
        if setup.account.isServer { try manager.register.requireNetwork() }
        let start = manager.clock.monotonicNow
        let found = try await manager.books(try await manager.link(to: setup, isBrief: true), of: setup.account)
        _ = try await manager.keep(found, of: setup.account)
        return Result(books: found, duration: manager.clock.monotonicNow - start)
    }
}
