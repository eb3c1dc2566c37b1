import ContactsDomain
import DAVTestSupport
import FoundationEssentials
import HubKit
import HubKitTesting
import NetworkTestSupport
import Storage
import Sync
import System
import TestSupport
import Testing

@testable import Contacts

/// Two hubs and vdirsyncer on the same book of a real server: all end equal, and nothing is lost.
@Suite(.timeLimit(.minutes(20)), .serialized)
struct SyncPeerTests {
    @Test(.seeded, arguments: CardDAVPeerTests.Peer.allCases)
    func `all who share a book end equal, whatever breaks in between`(peer: CardDAVPeerTests.Peer) async throws {
        var random = SeededGenerator()
        let shared = try await SharedBook(peer)
        for number in 0..<12 { try await shared.hubs[0].add(SharedBook.card(number)) }
        try await shared.settle()
        #expect(try await shared.hubs[1].here().count == 12)
        var facts: [String: Set<String>] = [:]
        var removed: Set<String> = []
        for round in 0..<4 {
            for (index, hub) in shared.hubs.enumerated() {
                for contact in try await hub.here().shuffled(using: &random).prefix(4) {
                    let address = "\(round)-\(index)-\(contact.id.prefix(6))@example.org"
                    try await hub.edit(contact.id) { $0.emails.append(LabeledValue(address)) }
                    facts[contact.card.details.uidText ?? "", default: []].insert(address)
                }
                try await hub.add(SharedBook.card(100 + round * 10 + index))
                if let last = try await hub.here().last, round == index {
                    removed.insert(last.card.details.uidText ?? "")
                    try await hub.remove(last.id)
                }
            }
            // The third program works on a card of its own, for it knows no merge.
            try shared.folder.add(SharedBook.card(200 + round), named: "v\(round).vcf")
            facts["u\(200 + round)"] = ["\(200 + round)@example.org"]
            switch round {
            case 0: try await shared.hubs[0].interrupted(after: Int.random(in: 1...9, using: &random))
            case 1: try await shared.server.restart()
            case 2: try await shared.hubs[1].forgetToken()
            default: try await shared.hubs[1].interrupted(after: Int.random(in: 1...9, using: &random))
            }
            try await shared.settle()
        }
        let books = try await shared.books()
        #expect(books[0] == books[1] && books[0] == books[2] && books[0] == books[3])
        for (uid, addresses) in facts where !removed.contains(uid) {
            #expect(addresses.subtracting(books[0][uid] ?? []) == [], "\(uid)")
        }
        for (_, card) in try await shared.hubs[0].here() where card.text.contains("X-Mine") {
            #expect(card.text.contains("X-Mine;p=1:  keep\\, this\r\n"), "\(card.text)")
        }
        for hub in shared.hubs { #expect(try await hub.sync().isUpToDate) }
    }

    @Test(arguments: CardDAVPeerTests.Peer.allCases)
    func `clashing edits are kept until somebody decides, then all are equal`(
        peer: CardDAVPeerTests.Peer
    ) async throws {
        let shared = try await SharedBook(peer)
        let (one, two) = (shared.hubs[0], shared.hubs[1])
        try await one.add(SharedBook.card(1))
        try await one.add(SharedBook.card(2))
        try await shared.settle()
        for (hub, number) in [(one, "+49 1"), (two, "+49 2")] {
            let id = try #require(try await hub.here().first { $0.card.details.uidText == "u1" }).id
            try await hub.edit(id) { $0.phones = [LabeledValue(number, label: "mobile")] }
        }
        try await one.sync()
        let report = try await two.sync()
        #expect(report.conflicts.map(\.fields) == [["phone mobile"]])
        let conflict = try #require(try await two.hub.plugin.conflicts().first)
        _ = try await two.hub.plugin.resolveConflict(
            conflict.contact.id, taking: .both, operation: two.hub.operation())
        try await shared.settle()
        let numbers = try await one.here().first { $0.card.details.uidText == "u1" }?.card.details.phones.map(\.value)
        #expect(Set(numbers ?? []) == ["+49 1", "+49 2"])
        let books = try await shared.books()
        #expect(books[0] == books[1] && books[0] == books[2])
    }

    @Test(arguments: CardDAVPeerTests.Peer.allCases)
    func `invalid lines reach others whole and stay as they were written here`(
        peer: CardDAVPeerTests.Peer
    ) async throws {
        let shared = try await SharedBook(peer)
        let (one, two) = (shared.hubs[0], shared.hubs[1])
        let lines = [
            "FN:Mustermann, Heiko", "TEL;HOME:+49 1", "NOTE:neu; mit, Komma", "ORG:Acme, Inc;R, D", "no property",
        ]
        try await one.add(vcard("m", lines.joined(separator: "\r\n")))
        let report = try await one.sync()
        #expect(report.sent.new == 1 && report.problems.isEmpty && report.losses.isEmpty)
        #expect(try await one.sync().isUpToDate)
        try await two.sync()
        let received = try #require(try await two.here().first)
        let details = received.card.details
        #expect(details.formattedName == "Mustermann, Heiko" && details.note == "neu; mit, Komma")
        #expect(details.phones == [LabeledValue("+49 1", label: "home")])
        try await two.edit(received.id) { $0.emails = [LabeledValue("m@example.org")] }
        try await shared.settle()
        let ours = try #require(try await one.here().first).card.text
        for line in lines { #expect(ours.contains("\(line)\r\n")) }
        #expect(ours.contains("m@example.org"))
        for hub in shared.hubs { #expect(try await hub.sync().isUpToDate) }
    }

    @Test(arguments: CardDAVPeerTests.Peer.allCases)
    func `a server that lost all its data empties nobody`(peer: CardDAVPeerTests.Peer) async throws {
        let shared = try await SharedBook(peer)
        for number in 0..<3 { try await shared.hubs[0].add(SharedBook.card(number)) }
        try await shared.settle()
        try await shared.server.wipe()
        try await shared.makeBook()
        for hub in shared.hubs {
            await #expect(throws: HubError.self) { try await hub.sync() }
            #expect(try await hub.here().count == 3)
        }
    }
}

/// A book on a server, two hubs and vdirsyncer that share it.
private final class SharedBook: Sendable {
    let server: PeerServer
    let hubs: [LinkedHub]
    let folder: SyncedFolder
    private let peer: CardDAVPeerTests.Peer

    init(_ peer: CardDAVPeerTests.Peer) async throws {
        self.peer = peer
        server = try await peer.start()
        let account = try CardDAVFixture.account("http://127.0.0.1:\(server.port)")
        let book = try await SharedBook.book(of: account, peer)
        hubs = [try await LinkedHub(account, book), try await LinkedHub(account, book)]
        folder = try SyncedFolder(url: book.href)
        try await folder.discover()
    }

    /// Makes the book again on a server that has lost it.
    func makeBook() async throws {
        _ = try await SharedBook.book(of: try CardDAVFixture.account("http://127.0.0.1:\(server.port)"), peer)
    }

    private static func book(
        of account: CardDAVAccount, _ peer: CardDAVPeerTests.Peer
    ) async throws -> RemoteBook {
        if peer == .radicale { return try await account.createBook("shared") }
        return try #require(try await account.books().first)
    }

    /// Lets everybody sync until all have seen all.
    func settle() async throws {
        for _ in 0..<2 {
            for hub in hubs { try await hub.sync() }
            try await folder.sync()
        }
        for hub in hubs { try await hub.sync() }
    }

    /// The e-mail addresses of everybody, by UID: of both hubs, of the folder and of the server.
    func books() async throws -> [[String: Set<String>]] {
        func book(_ cards: [Card]) -> [String: Set<String>] {
            Dictionary(cards.map { ($0.details.uidText ?? "", Set($0.details.emails.map(\.value))) }) { $0.union($1) }
        }
        let link = hubs[0].link
        let places = try await link.changes(since: nil).entries.map(\.href)
        return [
            book(try await hubs[0].here().map(\.card)), book(try await hubs[1].here().map(\.card)),
            book(try folder.cards()), book(try await link.fetch(places).map { Card($0.bytes) }),
        ]
    }

    static func card(_ number: Int) -> String {
        vcard(
            "u\(number)", "FN:Person \(number)", "N:;Person \(number);;;", "EMAIL:\(number)@example.org",
            "TEL;TYPE=CELL:+49 0",
            "X-Mine;p=1:  keep\\, this")
    }
}

/// A hub whose book is on a server.
private final class LinkedHub: Sendable {
    let hub: ContactsFixture
    let book: Book
    let link: any CollectionClient

    init(_ account: CardDAVAccount, _ remote: RemoteBook) async throws {
        hub = try ContactsFixture(.file)
        link = account.open(remote)
        book = try await hub.contacts.store.write(System.Operation("contacts accounts add", kind: .cache)) {
            try $0.saveBook(remote, account: "posteo")
        }
    }

    @discardableResult
    func sync(over link: (any CollectionClient)? = nil) async throws -> BookSyncReport {
        hub.clock.advance(by: .seconds(1))
        return try await SyncBooks(hub.contacts, clock: hub.clock).sync(
            book, over: link ?? self.link, options: SyncOptions { _ in true },
            operation: System.Operation("contacts sync"))
    }

    /// A sync whose connection breaks: the last request is executed, but its response is lost.
    func interrupted(after calls: Int) async throws {
        do {
            try await sync(over: BreakingLink(link, after: calls))
        } catch is RemoteError {}
    }

    /// The server will not know the token that this one comes with.
    func forgetToken() async throws {
        let id = book.id
        try await hub.contacts.store.write(System.Operation("test", kind: .cache)) {
            try $0.setSyncPosition(
                of: id, SyncPosition(token: "http://radicale.org/ns/sync/0123456789abcdef", state: nil))
        }
    }

    func add(_ text: String) async throws {
        let (card, rules, book) = (Card(text), hub.contacts.rules, book.id)
        try await hub.contacts.write(hub.operation()) { transaction in
            let source = CardSource.key(uid: card.details.uid, contentHash: 0)
            let row = try transaction.insertContact(Identifier.make(), card, source: source, origin: nil, book: book)
            try transaction.reindexContacts([row.id], rules)
        }
    }

    func edit(_ id: String, _ change: @escaping @Sendable (inout ContactDetails) throws -> Void) async throws {
        hub.clock.advance(by: .seconds(1))
        _ = try await hub.plugin.update(id, operation: hub.operation(), change: change)
    }

    func remove(_ id: String) async throws { try await hub.plugin.entities.delete([id], operation: hub.operation()) }

    func here() async throws -> [(id: String, card: Card)] {
        let rows = try await hub.plugin.filter(ContactFilter())
        return try await hub.contacts.read { transaction in
            try rows.compactMap { row in try transaction.contact(row.id).map { ($0.id, $0.card) } }
        }
    }
}

/// A folder of cards that vdirsyncer keeps in step with the server.
private struct SyncedFolder: Sendable {
    private let folder: TemporaryFolder
    private var cardFolder: String { folder.path + "/cards" }

    init(url: String) throws {
        folder = try TemporaryFolder()
        try FileManager.default.createDirectory(atPath: folder.path + "/cards", withIntermediateDirectories: true)
        try folder.write(
            """
            [general]
            status_path = "\(folder.path)/status"
            [pair shared]
            a = "folder"
            b = "server"
            collections = null
            conflict_resolution = "b wins"
            [storage folder]
            type = "filesystem"
            path = "\(folder.path)/cards"
            fileext = ".vcf"
            [storage server]
            type = "carddav"
            url = "\(url)"
            username = "ann"
            password = "secret"
            """, to: "config")
    }

    private func run(_ words: String..., input: String = "") async throws {
        let root = "/" + #filePath.split(separator: "/").dropLast(4).joined(separator: "/")
        let process = Subprocess(
            "\(root)/.build/peers/bin/vdirsyncer", ["-c", "\(folder.path)/config"] + words,
            environment: ["HOME": folder.path, "PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"], directory: folder.path)
        let finished = try await process.run(
            input: Array(input.utf8), outputLimit: 1 << 20, timeout: .seconds(3600))
        #expect(finished.status == .exited(0), "\(String(decoding: finished.errorOutput, as: UTF8.self))")
    }

    func discover() async throws { try await run("discover", input: "y\ny\n") }

    func sync() async throws { try await run("sync") }

    func add(_ text: String, named name: String) throws {
        try Data(text.utf8).write(to: URL(filePath: "\(cardFolder)/\(name)"))
    }

    func cards() throws -> [Card] {
        try FileManager.default.contentsOfDirectory(atPath: cardFolder).filter { $0.hasSuffix(".vcf") }.map {
            Card(Array(try Data(contentsOf: URL(filePath: "\(cardFolder)/\($0)"))))
        }
    }
}
