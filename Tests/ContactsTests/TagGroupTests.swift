import ContactsDomain
import DAVTestSupport
import HubKitTesting
import NetworkTestSupport
import Storage
import Sync
import System
import Testing

@testable import Contacts

/// Tags that are also groups of a book.
struct TagGroupTests {
    private let ann = vcard("ann", "FN:Ann", "N:;Ann;;;")
    private let bob = vcard("bob", "FN:Bob", "N:;Bob;;;", "CATEGORIES:old")

    /// The members of the groups there, by the name of the group.
    private func groups(_ book: ScriptedBook) -> [String: Set<String>] {
        var groups: [String: Set<String>] = [:]
        for card in book.items.values.map({ Card($0.bytes).details }) where card.kind == .group {
            groups[card.formattedName, default: []].formUnion(
                card.members.map { String($0.dropFirst("urn:uuid:".count)) })
        }
        return groups
    }

    private func tags(_ side: SyncFixture) async throws -> [String: [String]] {
        let people = try await side.here().map(\.card.details).filter { $0.kind != .group }
        return Dictionary(uniqueKeysWithValues: people.map { ($0.formattedName, $0.tags) })
    }

    private func edit(_ side: SyncFixture, group: String, _ change: (String) -> String) throws {
        let (href, item) = try #require(
            side.there.items.first { Card($0.value.bytes).details.formattedName == group })
        side.there.put(href, change(item.text))
    }

    private let member = "X-ADDRESSBOOKSERVER-MEMBER:urn:uuid:"

    @Test func `a tag becomes a membership there, a membership becomes a tag here, and nothing flips`() async throws {
        let side = try await SyncFixture()
        let id = try await side.add(ann)
        try await side.add(bob)
        try await side.edit(id) { $0.tags = ["Chess"] }
        let planned = try await side.sync(isDryRun: true, tags: .groups)
        #expect(planned.plannedTags == 2 && side.there.items.isEmpty)
        try await side.sync(tags: .groups)
        #expect(groups(side.there) == ["Chess": ["ann"], "old": ["bob"]])
        for _ in 0..<3 {
            let versions = side.there.items.mapValues(\.version)
            #expect(try await side.sync(tags: .groups).isUpToDate)
            #expect(side.there.items.mapValues(\.version) == versions)
        }
        // A device adds a member, and the tag is sent with the card in the same sync.
        try edit(side, group: "Chess") { $0.replacing("END:VCARD", with: "\(member)bob\r\nEND:VCARD") }
        let report = try await side.sync(tags: .groups)
        #expect(report.received.changed == 1 && report.sent.changed == 1)
        #expect(try await tags(side) == ["Ann": ["Chess"], "Bob": ["old", "Chess"]])
        #expect(side.there.items.values.contains { $0.text.contains("CATEGORIES:old,Chess") })
        // A device removes a member while the tag of another person is removed here.
        try await side.edit(id) { $0.tags = [] }
        try edit(side, group: "Chess") { $0.replacing("\(member)bob\r\n", with: "") }
        try await side.sync(tags: .groups)
        #expect(try await tags(side) == ["Ann": [], "Bob": ["old"]])
        #expect(groups(side.there) == ["Chess": [], "old": ["bob"]])
        for _ in 0..<3 { #expect(try await side.sync(tags: .groups).isUpToDate) }
    }

    @Test func `a renamed and a deleted group change the tags of their members; undo is sent`() async throws {
        let side = try await SyncFixture()
        let id = try await side.add(ann)
        try await side.edit(id) { $0.tags = ["Chess", "Choir"] }
        try await side.sync(tags: .groups)
        try edit(side, group: "Chess") { $0.replacing("Chess", with: "Chess Club") }
        try await side.sync(tags: .groups)
        #expect(try await tags(side) == ["Ann": ["Choir", "Chess Club"]])
        let (href, _) = try #require(side.there.items.first { Card($0.value.bytes).details.formattedName == "Choir" })
        side.there.take(href)
        try await side.sync(tags: .groups)
        #expect(try await tags(side) == ["Ann": ["Chess Club"]])
        try await side.edit(id) { $0.tags = [] }
        try await side.sync(tags: .groups)
        #expect(groups(side.there) == ["Chess Club": []])
        let edit = try #require(
            try await side.hub.database.history.operations(limit: 10).first { $0.name == "contacts set" })
        try await side.undo(edit.id)
        try await side.sync(tags: .groups)
        #expect(groups(side.there) == ["Chess Club": ["ann"]])
        #expect(try await side.sync(tags: .groups).isUpToDate)
    }

    @Test func `switching the setting loses nothing`() async throws {
        let side = try await SyncFixture()
        let id = try await side.add(ann)
        let other = try await side.add(bob)
        try await side.edit(id) { $0.tags = ["Chess"] }
        try await side.sync(tags: .groups)
        try await side.sync()
        // Meanwhile tags and groups are changed apart from each other.
        try await side.edit(other) { $0.tags.append("Chess") }
        let old = try #require(try await side.here().first { $0.card.details.formattedName == "old" }).id
        try await side.remove(old)
        try await side.sync()
        #expect(groups(side.there) == ["Chess": ["ann"]])
        try await side.sync(tags: .groups)
        #expect(groups(side.there) == ["Chess": ["ann", "bob"], "old": ["bob"]])
        #expect(try await tags(side) == ["Ann": ["Chess"], "Bob": ["old", "Chess"]])
        for _ in 0..<3 { #expect(try await side.sync(tags: .groups).isUpToDate) }
    }

    @Test func `a new group has the form of the others of its book`() async throws {
        let side = try await SyncFixture(versions: ["4.0"])
        side.there.put(
            "/book/g.vcf", vcard("g", "FN:Choir", "N:;;;;", "KIND:group", "MEMBER:urn:uuid:ann", version: "4.0"))
        let id = try await side.add(vcard("ann", "FN:Ann", "N:;Ann;;;", version: "4.0"))
        try await side.edit(id) { $0.tags = ["Chess"] }
        try await side.sync(tags: .groups)
        try await side.sync(tags: .groups)
        #expect(groups(side.there) == ["Chess": ["ann"], "Choir": ["ann"]])
        #expect(try await tags(side) == ["Ann": ["Chess", "Choir"]])
        let chess = try #require(side.there.items.values.first { $0.text.contains("FN:Chess") })
        #expect(chess.text.contains("KIND:group\r\nMEMBER:urn:uuid:ann") && !chess.text.contains("X-ADDRESSBOOK"))
    }

    @Test func `two hubs and a real server agree, in one of them as tags`() async throws {
        let server = try await RadicaleServer.start()
        let remote = try await CardDAVFixture.account("http://127.0.0.1:\(server.port)").createBook("shared")
        let hubs = [try await RemoteHub(server, remote, .groups), try await RemoteHub(server, remote, .categories)]
        try await hubs[0].hub.importing(ann + bob, into: hubs[0].book)
        try await hubs[0].tag("Ann", ["Chess"])
        for hub in hubs { try await hub.sync() }
        // The second hub sees the group as Apple's devices do, and changes it.
        let group = try #require(try await hubs[1].hub.plugin.groups(named: "Chess").first)
        let bobThere = try await hubs[1].id("Bob")
        _ = try await hubs[1].hub.plugin.addMembers([bobThere], to: group.id, operation: hubs[1].hub.operation())
        for _ in 0..<2 { for hub in hubs { try await hub.sync() } }
        #expect(try await hubs[0].tags() == ["Ann": ["Chess"], "Bob": ["old", "Chess"]])
        #expect(try await hubs[1].tags() == ["Ann": ["Chess"], "Bob": ["old", "Chess"]])
        for _ in 0..<3 { for hub in hubs { #expect(try await hub.sync().isUpToDate) } }
        try await hubs[0].tag("Ann", [])
        for hub in hubs { try await hub.sync() }
        #expect(try await hubs[1].hub.plugin.groups().map { $0.members.map(\.name) } == [["Bob"], ["Bob"]])
        for hub in hubs { #expect(try await hub.sync().isUpToDate) }
    }
}

/// A hub whose book is on a server.
private struct RemoteHub {
    let hub: ContactsFixture
    let book: Book
    let tagForm: TagForm
    private let link: any CollectionClient

    init(_ server: PeerServer, _ remote: RemoteBook, _ tagForm: TagForm) async throws {
        hub = try ContactsFixture()
        self.tagForm = tagForm
        link = try CardDAVFixture.account("http://127.0.0.1:\(server.port)").open(remote)
        book = try await hub.contacts.store.write(System.Operation("contacts accounts add", kind: .cache)) {
            try $0.saveBook(remote, account: "posteo")
        }
    }

    @discardableResult
    func sync() async throws -> BookSyncReport {
        hub.clock.advance(by: .seconds(1))
        return try await SyncBooks(hub.contacts, clock: hub.clock, tags: tagForm).sync(
            book, over: link, options: SyncOptions { _ in true }, operation: System.Operation("contacts sync"))
    }

    func id(_ name: String) async throws -> String {
        try #require(try await hub.plugin.filter(ContactFilter()).first { $0.name == name }).id
    }

    func tag(_ name: String, _ tags: [String]) async throws {
        hub.clock.advance(by: .seconds(1))
        _ = try await hub.plugin.update(try await id(name), operation: hub.operation()) { $0.tags = tags }
    }

    func tags() async throws -> [String: [String]] {
        let people = try await hub.plugin.filter(ContactFilter()).filter { !$0.isGroup }
        return Dictionary(uniqueKeysWithValues: people.map { ($0.name, $0.tags) })
    }
}

extension ContactsFixture {
    /// Imports the text of some cards into a book.
    fileprivate func importing(_ text: String, into book: Book) async throws {
        try await importing(text)
        let ids = try await plugin.filter(ContactFilter()).map(\.id)
        try await contacts.write(operation()) { transaction in
            for id in ids { try transaction.setBook(id, book.id) }
        }
    }
}
