import ContactsDomain
import DAVTestSupport
import HTTPClient
import HubKit
import HubKitTesting
import Storage
import Sync
import System
import TestSupport
import Testing
import WebDAV

@testable import Contacts

/// Servers that give cards `UID`s of their own: groups and relatives name the `UID`s that the server knows, and ours here.
struct ForeignUIDTests {
    private func person(_ uid: String, _ lines: String...) -> String {
        vcard(uid, ["FN:\(uid)", "N:;\(uid);;;"].joined(separator: "\r\n"), lines.joined(separator: "\r\n"))
    }

    private func group(_ uid: String, _ members: String...) -> String {
        let members = members.map { "X-ADDRESSBOOKSERVER-MEMBER:urn:uuid:\($0)" }.joined(separator: "\r\n")
        return vcard(uid, "FN:\(uid)", "N:\(uid);;;;", "X-ADDRESSBOOKSERVER-KIND:group", members)
    }

    private func server() -> ScriptedBook {
        let there = ScriptedBook()
        there.behave { ($0.ownUIDs, $0.renames) = (true, true) }
        return there
    }

    /// The card called `name` there: its path, its `UID`, and the members that it names.
    private func there(_ side: SyncFixture, _ name: String) throws -> (href: String, uid: String, members: [String]) {
        let found = side.there.items.first { Card($0.value.bytes).details.formattedName == name }
        let (href, item) = try #require(found)
        let details = Card(item.bytes).details
        return (href, details.uid?.repairedText ?? "", details.references.map(\.repairedText))
    }

    private func here(_ side: SyncFixture, _ name: String) async throws -> (id: String, members: [String]) {
        let found = try await side.here().first { $0.card.details.formattedName == name }
        let contact = try #require(found)
        return (contact.id, contact.card.details.references.map(\.repairedText))
    }

    @Test func `a group sent with its members names them as the server does, at once`() async throws {
        let side = try await SyncFixture(server())
        for name in ["ann", "bob"] { try await side.add(person(name)) }
        try await side.add(group("choir", "ann", "bob", "nobody"))
        try await side.sync()
        let (ann, bob) = (try there(side, "ann").uid, try there(side, "bob").uid)
        #expect(ann.hasPrefix("own") && bob.hasPrefix("own"))
        #expect(try there(side, "choir").members == [ann, bob, "nobody"])
        #expect(try await here(side, "choir").members == ["ann", "bob", "nobody"])
        #expect(try await side.sync().isUpToDate)
        side.there.forgetCalls()
        _ = try await side.sync()
        #expect(!side.there.calls.contains("update"))
    }

    @Test func `relatives who name each other end with the server's names`() async throws {
        let side = try await SyncFixture(server(), versions: ["4.0"])
        try await side.add(vcard("a", "FN:Ada", "RELATED;TYPE=spouse:urn:uuid:b", version: "4.0"))
        try await side.add(vcard("b", "FN:Bob", "RELATED;TYPE=spouse:urn:uuid:a", version: "4.0"))
        try await side.sync()
        let (ada, bob) = (try there(side, "Ada"), try there(side, "Bob"))
        #expect(ada.members == [bob.uid] && bob.members == [ada.uid])
        #expect(try await here(side, "Ada").members == ["b"])
        #expect(try await side.sync().isUpToDate)
    }

    @Test func `what another program does to the group there is translated back`() async throws {
        let side = try await SyncFixture(server())
        for name in ["ann", "bob"] { try await side.add(person(name)) }
        try await side.add(group("choir", "ann"))
        try await side.sync()
        let (choir, bob) = (try there(side, "choir"), try there(side, "bob"))
        side.there.put("/book/zoe.vcf", person("zoe"))
        let text = try #require(side.there.items[choir.href]?.text)
        side.there.put(
            choir.href,
            text.replacing(
                "END:VCARD",
                with: [
                    "X-ADDRESSBOOKSERVER-MEMBER:urn:uuid:\(bob.uid)", "X-ADDRESSBOOKSERVER-MEMBER:urn:uuid:zoe",
                    "END:VCARD",
                ]
                .joined(separator: "\r\n")))
        try await side.sync()
        #expect(try await here(side, "choir").members == ["ann", "bob", "zoe"])
        // A group that was made there names people as the server knows them.
        side.there.put("/book/new.vcf", group("new", bob.uid, "zoe"))
        try await side.sync()
        #expect(try await here(side, "new").members == ["bob", "zoe"])
        #expect(try await side.sync().isUpToDate)
        // A change here goes back under the names of the server.
        try await side.edit(try await here(side, "new").id) { $0.note = "changed" }
        try await side.sync()
        #expect(try there(side, "new").members == [bob.uid, "zoe"])
        #expect(try await side.sync().isUpToDate)
    }

    @Test func `a merge is followed there, under the name of the remaining card`() async throws {
        let side = try await SyncFixture(server())
        var ids: [String] = []
        for name in ["ann", "anna"] { ids.append(try await side.add(person(name))) }
        try await side.add(group("choir", "ann", "anna"))
        try await side.add(group("others", "anna"))
        try await side.sync()
        _ = try await side.hub.plugin.merge(keep: ids[0], drop: [ids[1]], operation: side.hub.operation("merge"))
        try await side.sync(consent: true)
        let ann = try there(side, "ann").uid
        #expect(try there(side, "choir").members == [ann] && there(side, "others").members == [ann])
        #expect(try await here(side, "others").members == ["ann"])
        #expect(try await side.sync().isUpToDate)
    }

    @Test func `a member that is created again there is named by its new name`() async throws {
        let side = try await SyncFixture(server())
        let ann = try await side.add(person("ann"))
        try await side.add(group("choir", "ann"))
        try await side.sync()
        let first = try there(side, "ann").uid
        try await side.remove(ann)
        try await side.sync()
        // As long as the member is gone, the group stays as it is.
        #expect(try there(side, "choir").members == [first])
        try await side.undo()
        try await side.sync()
        let second = try there(side, "ann").uid
        #expect(second != first)
        #expect(try there(side, "choir").members == [second])
        #expect(try await here(side, "choir").members == ["ann"])
        #expect(try await side.sync().isUpToDate)
    }

    @Test(arguments: 1...9)
    func `whatever call is the last, the next sync finds the cards again`(calls: Int) async throws {
        let side = try await SyncFixture(server())
        for name in ["ann", "bob"] { try await side.add(person(name, "X-LOST:1")) }
        try await side.add(group("choir", "ann", "bob"))
        side.there.behave { ($0.callsLeft, $0.rewrites) = (calls, true) }
        _ = try? await side.sync()
        side.there.behave { $0.callsLeft = nil }
        try await side.sync()
        #expect(side.there.items.count == 3)
        #expect(try await side.here().count == 3)
        #expect(
            try there(side, "choir").members.sorted()
                == [try there(side, "ann").uid, try there(side, "bob").uid].sorted())
        #expect(try await here(side, "choir").members.sorted() == ["ann", "bob"])
        #expect(try await side.sync().isUpToDate)
    }

    @Test func `a book that is connected again, and one that starts from zero, know the cards`() async throws {
        let side = try await SyncFixture(server())
        for name in ["ann", "bob"] { try await side.add(person(name)) }
        try await side.add(group("choir", "ann"))
        try await side.sync()
        side.there.edit { ($0.oldestToken, $0.manner.hasTokens) = (1000, false) }
        #expect(try await side.sync().isUpToDate)
        let old = side.book
        let book = try await side.hub.contacts.store.write(System.Operation("accounts", kind: .cache)) { transaction in
            try transaction.removeBook(old.id)
            return try transaction.saveBook(old.remote, account: "again")
        }
        side.hub.clock.advance(by: .seconds(1))
        let report = try await SyncBooks(side.hub.contacts, clock: side.hub.clock).sync(
            book, over: side.there, operation: System.Operation("contacts sync"))
        #expect(report.sent.total == 0 && side.there.items.count == 3)
        let ids = try await side.hub.contacts.read { try $0.contactIDs(after: "", limit: 100) }
        #expect(ids.count == 3)
        let choir = try await side.hub.contacts.read { transaction in
            try ids.compactMap { try transaction.contact($0) }.first { $0.details.formattedName == "choir" }
        }
        #expect(choir?.book == book.id && choir?.details.references == ["ann"])
    }

    @Test func `references of a store that was synced before are put right`() async throws {
        let side = try await SyncFixture(server())
        try await side.add(person("ann"))
        try await side.sync()
        let ann = try there(side, "ann").uid
        side.there.put("/book/choir.vcf", group("choir", ann))
        let book = side.book.id
        // As an earlier version left it: the map is unknown, and the group names the server's UID.
        try await side.hub.contacts.store.write(System.Operation("test", kind: .cache)) { transaction in
            try transaction.run("DELETE FROM contacts_uid")
            try transaction.run("UPDATE contacts_book SET knows_uids = 1")
        }
        try await side.sync()
        #expect(try await here(side, "choir").members == [ann])
        try await side.hub.contacts.store.write(System.Operation("test", kind: .cache)) { transaction in
            try transaction.run("UPDATE contacts_book SET knows_uids = NULL WHERE id = ?", book)
        }
        side.there.put("/book/other.vcf", person("other"))
        try await side.sync()
        #expect(try await here(side, "choir").members == ["ann"])
        #expect(try there(side, "choir").members == [ann])
        _ = try await side.sync()
        #expect(try await side.sync().isUpToDate)
    }

    @Test func `UIDs in two Unicode forms of one text are two`() async throws {
        let side = try await SyncFixture()
        side.there.put("/book/1.vcf", person("caf\u{E9}"))
        side.there.put("/book/2.vcf", person("cafe\u{301}"))
        side.there.put("/book/3.vcf", group("choir", "cafe\u{301}"))
        #expect(try await side.sync().received.new == 3)
        let ids = try await side.here().filter { $0.card.details.kind == .individual }.map(\.id)
        let other = try await side.hub.contacts.read { try $0.referringContacts(to: [ByteString("caf\u{E9}")]) }
        #expect(other.isEmpty && ids.count == 2)
        try await side.expectEqual()
        // The group names the other one.
        side.there.put("/book/4.vcf", person("zoe"))
        try await side.sync()
        let all = try await side.here()
        let zoe = try #require(all.first { $0.card.details.formattedName == "zoe" }).id
        let composed = try #require(all.first { $0.card.details.uid == ByteString("caf\u{E9}") }).id
        _ = try await side.hub.plugin.merge(keep: zoe, drop: [composed], operation: side.hub.operation("merge"))
        #expect(try await side.here().first { $0.card.details.kind == .group }?.card.text.contains("zoe") == false)
    }

    @Test func `over HTTP, with a server that plays Google's`() async throws {
        let server = try RenamingServer()
        let hub = try ContactsFixture()
        let origin = "http://127.0.0.1:\(server.port)"
        let remote = RemoteBook(
            href: origin + RenamingServer.path, name: "Contacts", isReadOnly: false, versions: ["3.0"])
        let book = try await hub.contacts.store.write(System.Operation("accounts", kind: .cache)) {
            try $0.saveBook(remote, account: "google")
        }
        let client = try CardDAVFixture.account(origin).open(remote)
        let (rules, ann, choir) = (
            hub.contacts.rules, person("ann", "TEL;TYPE=cell:+1"), group("choir", "ann")
        )
        try await hub.contacts.write(hub.operation("contacts new")) { transaction in
            for text in [ann, choir] {
                let (id, card) = (Identifier.make(), Card(text))
                _ = try transaction.insertContact(
                    id, card, source: CardSource.key(uid: card.details.uid, contentHash: 0), origin: nil, book: book.id)
                try transaction.reindexContacts([id], rules)
            }
        }
        func sync() async throws -> BookSyncReport {
            hub.clock.advance(by: .seconds(1))
            return try await SyncBooks(hub.contacts, clock: hub.clock).sync(
                book, over: client, operation: System.Operation("contacts sync"))
        }
        #expect(try await sync().sent.total > 0)
        #expect(server.cards.count == 2)
        let (path, stored) = try #require(server.cards.first { $0.value.contains("FN:ann") })
        let uid = try #require(Card(stored).details.uid)
        let group = try #require(server.cards.first { $0.value.contains("FN:choir") })
        #expect(Card(group.value).details.references == [uid])
        #expect(try await sync().isUpToDate)
        server.edit(path) { $0 = $0.replacing(":+1", with: ":+2") }
        #expect(try await sync().received.changed == 1)
        server.edit(group.key) { $0 = $0.replacing("FN:choir", with: "FN:Choir") }
        #expect(try await sync().received.changed == 1)
        let names = try await hub.contacts.read { transaction in
            try transaction.contactIDs(after: "", limit: 10).compactMap { try transaction.contact($0)?.details }
        }
        #expect(Set(names.map(\.formattedName)) == ["ann", "Choir"])
        #expect(names.first { $0.formattedName == "Choir" }?.references == ["ann"])
        #expect(try await sync().isUpToDate)
    }
}
