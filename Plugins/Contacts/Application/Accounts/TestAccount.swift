package import ContactsDomain
import HubKit
import Links

/// Talks to an account and looks what books it has, as a test; it changes nothing there.
package struct TestAccount: Sendable {
    let desk: AccountDesk

    package init(_ desk: AccountDesk) { self.desk = desk }

    /// What a test found.
    package struct Result: Sendable {
        /// The books, those that are not synced too.
        package let books: [RemoteBook]
        /// How long the answer took.
        package let duration: Duration
    }

    /// The books of the account `name` as its keeper has them now; throws why it cannot be talked to.
    package func callAsFunction(_ name: String) async throws -> Result {
        let setup = try desk.account(name)
        if setup.account.isServer { try desk.register.requireNetwork() }
        let start = desk.clock.monotonicNow
        let found = try await desk.books(try await desk.link(to: setup, isBrief: true), of: setup.account)
        _ = try await desk.keep(found, of: setup.account)
        return Result(books: found, duration: desk.clock.monotonicNow - start)
    }
}
