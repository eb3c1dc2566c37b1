package import ContactsDomain
import HubKit
import Links

/// Tests the connection to an account and lists its books; changes nothing.
package struct TestAccount: Sendable {
    let desk: AccountDesk

    package init(_ desk: AccountDesk) { self.desk = desk }

    /// The result of a test.
    package struct Result: Sendable {
        /// The books, including those that are not synced.
        package let books: [RemoteBook]
        /// The response time.
        package let duration: Duration
    }

    /// Returns the books of the account `name`. Throws the connection error.
    package func callAsFunction(_ name: String) async throws -> Result {
        let setup = try desk.account(name)
        if setup.account.isServer { try desk.register.requireNetwork() }
        let start = desk.clock.monotonicNow
        let found = try await desk.books(try await desk.link(to: setup, isBrief: true), of: setup.account)
        _ = try await desk.keep(found, of: setup.account)
        return Result(books: found, duration: desk.clock.monotonicNow - start)
    }
}
