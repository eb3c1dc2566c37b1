import ContactsDomain
import HubKit
import HubKitTesting
import Sync
import TestSupport
import Testing

@testable import Contacts

/// Several books of one account: one that cannot be synced stops no other, and a card that moves stays its contact.
struct BookSyncTests {
    private let fixture: AccountFixture

    init() throws { fixture = try AccountFixture() }

    private func card(_ name: String) -> String { vcard("uid-\(name)", "FN:\(name)", "N:\(name);;;;") }

    /// An account with the books `one` and `two`, a card in each.
    private func account() async throws -> ConfiguredAccount {
        try fixture.folder.write(card("Ada"), to: "x/one/ada.vcf")
        try fixture.folder.write(card("Bob"), to: "x/two/bob.vcf")
        let setup = try await fixture.addFolder("x")
        try await fixture.syncing(setup)
        return setup
    }

    private func contact(_ name: String) async throws -> Contact {
        let found = try await fixture.hub.plugin.filter(ContactFilter()).filter { $0.name == name }
        #expect(found.count == 1)
        return try await fixture.hub.plugin.entities.get(try #require(found.first).id)
    }

    private func book(of name: String) async throws -> String? {
        let id = try await contact(name).id
        return try await fixture.hub.contacts.read { transaction in
            try transaction.contact(id)?.book.flatMap { try transaction.book($0)?.name }
        }
    }

    @Test(arguments: ["one", "two"])
    func `a card that moves to another book stays the same contact`(from: String) async throws {
        let setup = try await account()
        let name = from == "one" ? "Ada" : "Bob"
        let target = from == "one" ? "two" : "one"
        let before = try await contact(name)
        _ = try await fixture.hub.plugin.update(before.id, operation: fixture.hub.operation("set")) {
            $0.note = "changed here meanwhile"
        }
        try fixture.folder.remove("x/\(from)/\(name.lowercased()).vcf")
        let moved = card(name).replacing("END:VCARD", with: "TITLE:Dr\r\nEND:VCARD")
        try fixture.folder.write(moved, to: "x/\(target)/moved.vcf")
        let report = try await fixture.syncing(setup)
        #expect(report.failure == nil && report.bookFailures.isEmpty && report.run.received.removed == 0)
        let after = try await contact(name)
        #expect(after.id == before.id && after.details.title == "Dr")
        #expect(try await book(of: name) == target)
        #expect(fixture.folder.names(in: "x/\(from)").isEmpty)
        #expect(fixture.folder.read("x/\(target)/moved.vcf")?.contains("changed here meanwhile") == true)
        #expect(try await fixture.syncing(setup).run.words() == "up to date")
    }

    @Test func `two cards that change places stay the same contacts`() async throws {
        let setup = try await account()
        let (ada, bob) = (try await contact("Ada").id, try await contact("Bob").id)
        for path in ["x/one/ada.vcf", "x/two/bob.vcf"] { try fixture.folder.remove(path) }
        try fixture.folder.write(card("Ada"), to: "x/two/ada.vcf")
        try fixture.folder.write(card("Bob"), to: "x/one/bob.vcf")
        let report = try await fixture.syncing(setup)
        #expect(report.failure == nil && report.run.received.removed == 0)
        #expect(try await contact("Ada").id == ada)
        #expect(try await contact("Bob").id == bob)
        #expect(try await book(of: "Ada") == "two")
        #expect(try await book(of: "Bob") == "one")
    }

    @Test func `the only card of a book may be removed while another book has cards`() async throws {
        let setup = try await account()
        try fixture.folder.remove("x/one/ada.vcf")
        let report = try await fixture.syncing(setup)
        #expect(report.failure == nil && report.run.received.removed == 1)
        #expect(try await fixture.names() == ["Bob"])
    }

    @Test func `a large book that is suddenly empty is named and stops no other`() async throws {
        for number in 0..<12 { try fixture.folder.write(card("P\(number)"), to: "x/one/\(number).vcf") }
        let setup = try await account()
        for name in fixture.folder.names(in: "x/one") { try fixture.folder.remove("x/one/\(name)") }
        try fixture.folder.write(card("Cy"), to: "x/two/cy.vcf")
        let report = try await fixture.syncing(setup)
        #expect(report.failure == nil && report.bookFailures.map(\.code) == ["book-emptied"])
        #expect(report.bookFailures.first?.message.contains("one") == true)
        #expect(report.run.received.new == 1 && report.run.failures == 0 && report.run.problems == 1)
        #expect(try await fixture.names().count == 15)
        let problem = try await fixture.hub.contacts.read { try $0.books().first { $0.name == "one" }?.problem }
        #expect(problem != nil)
    }

    @Test func `books of a server fail each for itself`() async throws {
        let servers = TwoServers()
        let books = AddressBooks(fixture.hub.contacts, registry: fixture.books.registry, links: servers)
        let accounts = fixture.accounts(books)
        let account = Account(name: "acc", address: .server("https://dav.example.org"), user: "ada")
        try await accounts.add(account, password: .typed("secret"))
        let setup = try fixture.account("acc")
        for (book, name) in [(servers.friends, "Ada"), (servers.work, "Bob")] { book.put("/\(name).vcf", card(name)) }
        func run() async throws -> SyncReport<AccountSyncDetails> {
            fixture.hub.clock.advance(by: .seconds(1))
            return try await accounts.sync(setup, SyncRequest(fixture.hub.operation("contacts sync")))
        }
        #expect(try await run().run.received.new == 2)
        servers.lose(.notFound(reason: "status 404"))
        servers.work.put("/Cy.vcf", card("Cy"))
        let lost = try await run()
        #expect(lost.failure == nil && lost.run.received.new == 1 && lost.run.failures == 0)
        let gone = try #require(lost.bookFailures.first)
        #expect(gone.code == "book-gone" && gone.message.contains("acc/Friends"))
        #expect(gone.hint?.contains("hub contacts books rm acc/Friends") == true)
        // The suggested command forgets it here and deletes nothing.
        let friends = try #require(
            try await fixture.hub.contacts.read { try $0.books().first { $0.name == "Friends" } })
        #expect(try await books.isGone(friends))
        try await books.forget(friends)
        #expect(try await run().bookFailures.isEmpty)
        #expect(try await fixture.names() == ["Ada", "Bob", "Cy"])
        // A server that is away fails the account.
        servers.work.behave { $0.callsLeft = 0 }
        #expect(try await run().failure?.code == "account-unreachable")
    }
}

/// A server with two books, of which one can be lost.
private final class TwoServers: AccountClients {
    let friends = ScriptedBook()
    let work = ScriptedBook()
    private let loss = Loss()

    func lose(_ error: RemoteError?) { loss.set(error) }

    func link(to account: Account, password: String?, isBrief: Bool) throws(RemoteError) -> any AccountClient {
        Way(servers: self)
    }

    private struct Way: AccountClient {
        let servers: TwoServers

        func books() async throws(RemoteError) -> [RemoteBook] {
            let work = RemoteBook(href: "/office/", name: "Work")
            return servers.loss.isSet ? [work] : [RemoteBook(href: "/friends/", name: "Friends"), work]
        }
        func createBook(_ name: String) async throws(RemoteError) -> RemoteBook { throw .refused(reason: "403") }
        func removeBook(_ href: String) async throws(RemoteError) { throw .notFound(reason: "404") }
        func open(_ book: RemoteBook) -> any CollectionClient {
            book.href == "/office/" ? servers.work : LosableBook(servers.friends, servers.loss)
        }
    }
}
