import ContactsDomain
import DAVTestSupport
import HTTPClient
import HubKitTesting
import NetworkTestSupport
import Sync
import Testing

@testable import Contacts

/// The link against real servers.
@Suite(.timeLimit(.minutes(20)))
struct CardDAVPeerTests {
    enum Peer: CaseIterable {
        case radicale, xandikos

        func start() async throws -> PeerServer {
            switch self {
            case .radicale: try await RadicaleServer.start()
            case .xandikos: try await XandikosServer.start()
            }
        }
    }

    private func account(_ server: PeerServer) throws -> CardDAVAccount {
        try CardDAVFixture.account("http://127.0.0.1:\(server.port)")
    }

    @Test(arguments: Peer.allCases)
    func `a card's whole life`(peer: Peer) async throws {
        let server = try await peer.start()
        let account = try account(server)
        let made = try await account.createBook("Freunde & Co")
        #expect(made.name == "Freunde & Co" && !made.isReadOnly && made.versions.contains("3.0"))
        #expect(try await account.books().contains { $0.href == made.href })
        let book = account.open(made)

        let empty = try await book.changes(since: nil)
        #expect(empty.isComplete && empty.entries.isEmpty)
        let before = try #require(try await book.state())
        guard case .stored(let href, _) = try await book.create(CardDAVFixture.card("1"), name: "1") else {
            Issue.record("not stored\n\(server.log)")
            return
        }
        #expect(try await book.state() != before)
        let grown = try await book.changes(since: empty.token)
        #expect(!grown.isComplete && grown.entries.map(\.href) == [href] && grown.removed == [])
        let card = try #require(try await book.fetch([href]).first)
        #expect(card.etag == grown.entries[0].etag)
        #expect(String(decoding: card.bytes, as: UTF8.self).contains("\r\nFN:Ann\r\n"))

        #expect(try await book.create(CardDAVFixture.card("9"), name: "1") == .nameTaken(href: href))
        let changed = CardDAVFixture.card("1", name: "Ann", note: "tea")
        #expect(try await book.update(href, to: changed, ifMatch: "\"other\"") == .changedMeanwhile)
        guard case .stored(href, _) = try await book.update(href, to: changed, ifMatch: card.etag) else {
            Issue.record("the update was not taken")
            return
        }
        #expect(try await book.remove(href, ifMatch: card.etag) == .changedMeanwhile)
        let newer = try #require(try await book.fetch([href, href + "x.vcf"]).first)
        #expect(newer.etag != card.etag && String(decoding: newer.bytes, as: UTF8.self).contains("NOTE:tea"))
        #expect(try await book.changes(since: nil).entries == [RemoteEntry(href: href, etag: newer.etag)])
        #expect(try await book.everything() == [newer])

        #expect(try await book.remove(href, ifMatch: newer.etag) == .gone)
        #expect([.gone, .changedMeanwhile].contains(try await book.remove(href, ifMatch: newer.etag)))
        let after = try await book.changes(since: grown.token)
        #expect(after.entries == [] && after.removed == [href])
        try await account.removeBook(made.href)
        #expect(try await !account.books().contains { $0.href == made.href })
    }

    @Test(arguments: Peer.allCases)
    func `an old token expires and all can be listed again`(peer: Peer) async throws {
        let server = try await peer.start()
        let account = try account(server)
        let book = account.open(try await account.createBook("b"))
        for number in 0..<120 { _ = try await book.create(CardDAVFixture.card("u\(number)"), name: "u\(number)") }
        await #expect(throws: RemoteError.tokenExpired) {
            try await book.changes(since: "http://radicale.org/ns/sync/none")
        }
        let all = try await book.changes(since: nil)
        #expect(all.isComplete && all.entries.count == 120)
        let cards = try await book.fetch(all.entries.map(\.href))
        #expect(cards.map(\.etag) == all.entries.map(\.etag))
        try await server.restart()
        #expect(try await book.changes(since: all.token).entries == [])
    }

    @Test func `the servers differ in what they refuse`() async throws {
        let nameless = Array("BEGIN:VCARD\r\nVERSION:3.0\r\nUID:2\r\nEND:VCARD\r\n".utf8)
        let radicaleServer = try await RadicaleServer.start()
        let radicale = try account(radicaleServer)
        let strict = radicale.open(try await radicale.createBook("b"))
        _ = try await strict.create(CardDAVFixture.card("1"), name: "1")
        #expect(try await strict.create(CardDAVFixture.card("1"), name: "2") == .uidTaken(href: nil))
        let xandikosServer = try await XandikosServer.start()
        let xandikos = try account(xandikosServer)
        let lax = xandikos.open(try await xandikos.createBook("b"))
        for book in [strict, lax] {
            for card in [nameless, Array("no card".utf8)] {
                guard case .refused(.invalid) = try await book.create(card, name: "3") else {
                    Issue.record("taken")
                    return
                }
            }
        }
    }

    @Test func `a wrong password is denied, a wiped server has no book, a stopped one is unreachable`() async throws {
        let server = try await RadicaleServer.start()
        let account = try account(server)
        await #expect(throws: RemoteError.denied(reason: "127.0.0.1 rejected this user name and password")) {
            try await CardDAVFixture.account("http://127.0.0.1:\(server.port)", user: "eve").books()
        }
        let book = account.open(try await account.createBook("b"))
        try await server.wipe()
        let lost = await #expect(throws: RemoteError.self) { try await book.changes(since: nil) }
        guard case .notFound? = lost else {
            Issue.record("\(String(describing: lost))")
            return
        }
        try await server.stop()
        let away = await #expect(throws: RemoteError.self) { try await book.changes(since: nil) }
        guard case .unreachable? = away else {
            Issue.record("\(String(describing: away))")
            return
        }
    }
}
