import ContactsDomain
import HubKit
import HubKitTesting
import Storage
import Sync
import System
import TestSupport
import Testing

@testable import Contacts

/// A new card meets another item under its name. The server gets a second card of one `UID` in no case, unreadable items
/// are not overwritten, and all other contacts are synced.
struct SyncCreationTests {
    private let ada = vcard("ada", "FN:Ada", "N:;Ada;;;", "TEL;TYPE=CELL:+1")
    private let bob = vcard("bob", "FN:Bob", "N:;Bob;;;")
    private let place = "/book/ada.vcf"

    /// Adds Ada here and sends her card; its response is lost.
    private func loseCreation(_ side: SyncFixture) async throws -> String {
        side.there.put("/book/o.vcf", vcard("o", "FN:O", "N:;O;;;"))
        try await side.sync()
        let contact = try await side.add(ada)
        side.there.behave { $0.callsLeft = 1 }
        while side.there.items[place] == nil {
            _ = try? await side.sync()
            side.there.forgetCalls()
            if side.there.items[place] == nil { side.there.behave { $0.callsLeft = 2 } }
        }
        side.there.behave { $0.callsLeft = nil }
        return contact
    }

    @Test(arguments: [false, true])
    func `a created card that became unreadable before its response arrived is not sent again`(isRemoved: Bool)
        async throws
    {
        let side = try await SyncFixture()
        let contact = try await loseCreation(side)
        side.there.put(place, "half-saved")
        try await side.add(bob)
        let report = try await side.sync()
        #expect(report.sent.new == 1 && side.there.items.count == 3)
        #expect(report.problems.map(\.cause) == [SyncProblem(.unreadable, id: contact, href: place)])
        #expect(report.problems.first?.contact?.name == "Ada")
        try await side.edit(contact) { $0.title = "Dr" }
        let waiting = try await side.sync()
        #expect(waiting.sent.total == 0 && waiting.problems.isEmpty && waiting.standing >= 1)
        #expect(side.there.items.count == 3 && side.there.items[place]?.text == "half-saved")
        if isRemoved {
            side.there.take(place)
            #expect(try await side.sync().sent.new == 1)
        } else {
            side.there.put(place, ada.replacing("END:VCARD", with: "NOTE:fixed\r\nEND:VCARD"))
            try await side.sync()
            #expect(try await side.hub.contacts.read { try $0.contact(contact) }?.card.details.note == "fixed")
        }
        #expect(side.there.items[place]?.text.contains("TITLE:Dr") == true && side.there.items.count == 3)
        #expect(try await side.sync().standing == 0)
        #expect(side.there.blindRequests == [])
        try await side.expectEqual()
    }

    @Test(arguments: [false, true])
    func `a card under a name of the server's own that became unreadable is not sent again`(isRemoved: Bool)
        async throws
    {
        let side = try await SyncFixture()
        side.there.put("/book/o.vcf", vcard("o", "FN:O", "N:;O;;;"))
        try await side.sync()
        let contact = try await side.add(ada)
        side.there.behave { $0.renames = true }
        for calls in 1...10 where side.there.items.count == 1 {
            side.there.behave { $0.callsLeft = calls }
            _ = try? await side.sync()
        }
        side.there.behave { $0.callsLeft = nil }
        let own = try #require(side.there.items.keys.first { $0.contains("own") })
        side.there.put(own, "half-saved")
        try await side.add(bob)
        let report = try await side.sync()
        #expect(report.problems.map(\.cause) == [SyncProblem(.unreadable, id: contact, href: own)])
        #expect(report.sent.new == 1 && side.there.items.count == 3)
        let waiting = try await side.sync()
        #expect(waiting.sent.total == 0 && waiting.problems.isEmpty && waiting.standing >= 1)
        if isRemoved {
            side.there.take(own)
            #expect(try await side.sync().sent.new == 1)
        } else {
            side.there.put(own, ada.replacing("END:VCARD", with: "NOTE:fixed\r\nEND:VCARD"))
            #expect(try await side.sync().sent.total == 0)
        }
        #expect(side.there.items.count == 3)
        #expect(try await side.sync().standing == 0)
        try await side.expectEqual()
    }

    @Test func `a created card that cannot be fetched is not sent again`() async throws {
        let side = try await SyncFixture()
        let contact = try await loseCreation(side)
        side.there.behave { $0.givesNot = { $0.contains("UID:ada") } }
        for _ in 0..<2 {
            let report = try await side.sync()
            #expect(
                report.sent.total == 0 && side.there.items.count == 2 && report.standing + report.problems.count >= 1)
        }
        #expect(try await side.hub.contacts.read { try $0.contact(contact) }?.deletedAt == nil)
        side.there.behave { $0.givesNot = { _ in false } }
        #expect(try await side.sync().sent.total == 0)
        try await side.expectEqual()
    }

    @Test func `a created card that was unreadable for a while is known by its content after edits here`() async throws
    {
        let side = try await SyncFixture()
        let contact = try await loseCreation(side)
        let sent = try #require(side.there.items[place]).text
        side.there.put(place, "half-saved")
        try await side.sync()
        for phone in ["+2", "+3"] {
            try await side.edit(contact) { $0.phones = [LabeledValue(phone, label: "mobile")] }
            try await side.sync()
        }
        side.there.put(place, sent)
        let report = try await side.sync()
        #expect(report.conflicts.isEmpty && report.sent.changed == 1)
        #expect(Card(try #require(side.there.items[place]).bytes).details.phones.map(\.value) == ["+3"])
        try await side.expectEqual()
    }

    @Test(arguments: [false, true])
    func `a card that another program creates under the name right before is joined or avoided`(isSame: Bool)
        async throws
    {
        let side = try await SyncFixture()
        try await side.add(ada)
        let text = vcard(isSame ? "ada" : "eve", "FN:Ada", "N:;Ada;;;", "NOTE:theirs")
        let place = place
        side.there.behave {
            $0.interruption = { $0[place] = ScriptedBook.Item(bytes: Array(text.utf8), version: 0) }
        }
        let report = try await side.sync()
        #expect(report.problems.isEmpty && side.there.items.count == (isSame ? 1 : 2))
        let uids = side.there.items.values.compactMap { Card($0.bytes).details.uidText }
        #expect(Set(uids) == (isSame ? ["ada"] : ["ada", "eve"]))
        #expect(side.there.items[place]?.text.contains("NOTE:theirs") == true)
        try await side.expectEqual()
    }

    @Test func `a contact that replaces a removed one of the same UID waits for the removal`() async throws {
        let side = try await SyncFixture()
        let old = try await side.add(ada)
        try await side.add(bob)
        try await side.sync()
        try await side.remove(old)
        try await side.add(ada.replacing("+1", with: "+2"))
        let report = try await side.sync()
        #expect(report.sent.removed == 1 && report.sent.new == 1 && report.problems.isEmpty)
        #expect(side.there.items.keys.sorted() == [place, "/book/bob.vcf"])
        #expect(side.there.items[place]?.text.contains("+2") == true)
        try await side.expectEqual()
    }

    @Test func `a card that another program moves while it is updated is followed`() async throws {
        let side = try await SyncFixture()
        side.there.put("/book/a.vcf", ada)
        try await side.sync()
        try await side.edit(try await side.only().id) { $0.title = "Dr" }
        let place = place
        side.there.behave { $0.interruption = { $0[place] = $0.removeValue(forKey: "/book/a.vcf") } }
        try await side.sync()
        #expect(side.there.items.keys.sorted() == [place])
        #expect(side.there.items[place]?.text.contains("TITLE:Dr") == true)
        try await side.expectEqual()
    }

    // MARK: Folders

    @Test(arguments: [false, true])
    func `a file that became unreadable before its link was stored is not written again`(isRemoved: Bool) async throws {
        let hub = try ContactsFixture()
        let folder = try TemporaryFolder()
        let link = VdirBook(path: folder.path) { SystemClock().now }
        let book = try await hub.contacts.store.write(System.Operation("contacts accounts add", kind: .cache)) {
            try $0.saveBook(RemoteBook(href: ".", name: "Home"), account: "home")
        }
        func sync(over link: any CollectionClient) async throws -> BookSyncReport {
            hub.clock.advance(by: .seconds(1))
            return try await SyncBooks(hub.contacts, clock: hub.clock).sync(
                book, over: link, options: SyncOptions(isForced: true) { _ in true },
                operation: System.Operation("contacts sync"))
        }
        let (card, rules) = (Card(ada), hub.contacts.rules)
        try await hub.contacts.write(hub.operation("contacts new")) { transaction in
            _ = try transaction.insertContact(
                "ada1", card, source: CardSource.key(uid: "ada", contentHash: card.syncHash), origin: nil, book: book.id
            )
            try transaction.reindexContacts(["ada1"], rules)
        }
        for calls in 1...10 where folder.names().isEmpty { _ = try? await sync(over: BreakingLink(link, after: calls)) }
        #expect(folder.names() == ["ada.vcf"])
        try folder.write("half-saved", to: "ada.vcf")
        for _ in 0..<2 {
            let report = try await sync(over: link)
            #expect(report.sent.total == 0 && report.standing + report.problems.count >= 1)
            #expect(folder.names() == ["ada.vcf"] && folder.read("ada.vcf") == "half-saved")
        }
        if isRemoved { try folder.remove("ada.vcf") } else { try folder.write(ada, to: "ada.vcf") }
        #expect(try await sync(over: link).sent.new == (isRemoved ? 1 : 0))
        #expect(folder.names() == ["ada.vcf"] && Card(folder.read("ada.vcf") ?? "").details.uidText == "ada")
        let last = try await sync(over: link)
        #expect(last.isUpToDate && last.standing == 0)
    }
}
