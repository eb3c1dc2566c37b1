import ContactsDomain
import HubKit
import HubKitTesting
import Sync
import System
import Testing

@testable import Contacts

/// Failures caused by other programs and servers: each is reported, nothing is overwritten or given away, and
/// all others are synced.
struct SyncHazardTests {
    private let ada = vcard("ada", "FN:Ada", "N:;Ada;;;", "TEL;TYPE=CELL:+1")
    private let bob = vcard("bob", "FN:Bob", "N:;Bob;;;")

    private func id(_ side: SyncFixture, _ uid: String) async throws -> String {
        try #require(try await side.here().first { $0.card.details.uidText == uid }).id
    }

    // MARK: What cannot be read

    @Test func `a card that became unreadable is never overwritten, and syncs again once it is fixed`() async throws {
        let side = try await SyncFixture()
        side.there.put("/book/a.vcf", ada)
        side.there.put("/book/b.vcf", bob)
        try await side.sync()
        side.there.put("/book/a.vcf", "my half-saved text")
        let found = try await side.sync()
        #expect(found.problems.map(\.cause.reason) == [.unreadable])
        #expect(found.problems.first?.contact?.name == "Ada")
        let contact = try await id(side, "ada")
        try await side.edit(contact) { $0.title = "Dr" }
        try await side.edit(try await id(side, "bob")) { $0.title = "Sir" }
        let waiting = try await side.sync()
        #expect(waiting.sent.changed == 1 && waiting.standing == 1 && waiting.problems.isEmpty)
        #expect(side.there.items["/book/a.vcf"]?.text == "my half-saved text")
        #expect(side.there.items["/book/b.vcf"]?.text.contains("Sir") == true)
        // Fixed by the other program, with a change of its own: both changes are merged.
        side.there.put("/book/a.vcf", ada.replacing("END:VCARD", with: "NOTE:mended\r\nEND:VCARD"))
        let done = try await side.sync()
        #expect(done.merged == 1 && done.standing == 0 && done.conflicts.isEmpty)
        let text = try #require(side.there.items["/book/a.vcf"]).text
        #expect(text.contains("NOTE:mended") && text.contains("TITLE:Dr"))
        #expect(side.there.blindRequests == [])
        try await side.expectEqual()
    }

    @Test func `what was removed here stays there while it cannot be read`() async throws {
        let side = try await SyncFixture()
        side.there.put("/book/a.vcf", ada)
        side.there.put("/book/b.vcf", bob)
        try await side.sync()
        let contact = try await id(side, "ada")
        side.there.put("/book/a.vcf", "my half-saved text")
        try await side.remove(contact)
        #expect(try await side.sync().sent.removed == 0)
        #expect(try await side.sync().sent.removed == 0)
        #expect(side.there.items["/book/a.vcf"]?.text == "my half-saved text")
        side.there.put("/book/a.vcf", ada)
        // The same text as before: it was not changed, so our removal counts.
        #expect(try await side.sync().sent.removed == 1)
        #expect(side.there.blindRequests == [])
    }

    @Test func `a card that is not given stops no other, and is asked for again`() async throws {
        let side = try await SyncFixture()
        for (place, text) in [("/book/a.vcf", ada), ("/book/b.vcf", bob)] { side.there.put(place, text) }
        side.there.behave { $0.givesNot = { $0.contains("UID:ada") } }
        let first = try await side.sync()
        #expect(first.received.new == 1 && first.problems.map(\.cause.reason) == [.unfetchable("status 500")])
        #expect(try await side.sync().standing == 1)
        side.there.behave { $0.givesNot = { _ in false } }
        #expect(try await side.sync().received.new == 1)
        try await side.expectEqual()
    }

    @Test func `a remote change right after a write is received`() async throws {
        let side = try await SyncFixture()
        side.there.put("/book/a.vcf", ada)
        try await side.sync()
        let contact = try await id(side, "ada")
        try await side.edit(contact) { $0.title = "Dr" }
        side.there.behave {
            $0.echo = { items in
                let text = items["/book/a.vcf"]?.text ?? ""
                items["/book/a.vcf"]?.bytes = Array(text.replacing("END:VCARD", with: "NOTE:quick\r\nEND:VCARD").utf8)
            }
        }
        try await side.sync()
        #expect(try await side.only().card.details.note == "quick")
        try await side.expectEqual()
    }

    @Test(arguments: [false, true])
    func `a value added right after a write is received from a server without tags`(rewrites: Bool) async throws {
        let side = try await SyncFixture()
        side.there.behave { ($0.tellsTags, $0.rewrites) = (false, rewrites) }
        let contact = try await side.add(ada.replacing("END:VCARD", with: "X-LOST:kept here\r\nEND:VCARD"))
        side.there.behave {
            $0.echo = { items in
                let text = items["/book/ada.vcf"]?.text ?? ""
                items["/book/ada.vcf"]?.bytes = Array(text.replacing("END:VCARD", with: "EMAIL:q@x\r\nEND:VCARD").utf8)
            }
        }
        try await side.sync()
        try await side.sync()
        let card = try await side.only().card
        #expect(card.details.emails.map(\.value) == ["q@x"] && card.text.contains("X-LOST:kept here"))
        #expect(side.there.items["/book/ada.vcf"]?.text.contains("EMAIL:q@x") == true)
        #expect(try await side.sync().isUpToDate && side.there.blindRequests == [])
        #expect(try await side.hub.contacts.read { try $0.contact(contact) } != nil)
        if !rewrites { try await side.expectEqual() }
    }

    // MARK: What a server does not take

    @Test func `an error of the server with one card stops no other`() async throws {
        let side = try await SyncFixture()
        try await side.add(ada)
        for number in 0..<8 { try await side.add(vcard("n\(number)", "FN:\(number)", "N:;\(number);;;")) }
        side.there.behave {
            $0.refuses = { $0.contains("UID:ada") ? .serverError(reason: "status 500") : nil }
        }
        let report = try await side.sync()
        #expect(report.sent.new == 8 && report.problems.map(\.contact?.name) == ["Ada"])
        #expect(report.problems.first?.text.contains("status 500") == true)
        let again = try await side.sync()
        #expect(again.problems.isEmpty && again.standing == 1, "told once, then counted")
        side.there.behave { $0.refuses = { _ in nil } }
        #expect(try await side.sync().standing == 0)
        try await side.expectEqual()
    }

    @Test func `a server that fails with everything is left alone, and cards known for it do not count`() async throws {
        let side = try await SyncFixture()
        for number in 0..<12 { try await side.add(vcard("n\(number)", "FN:\(number)", "N:;\(number);;;")) }
        side.there.behave { $0.refuses = { _ in .serverError(reason: "status 500") } }
        for _ in 0..<2 {
            side.there.forgetCalls()
            _ = await #expect(throws: RemoteError.serverError(reason: "status 500")) { try await side.sync() }
            #expect(side.there.calls.count { $0 == "create" } <= 2 * ServerErrorStreak.limit)
            side.there.behave { $0.refuses = { $0.contains("UID:new") ? nil : .serverError(reason: "status 500") } }
        }
        // Ten are known by now; one that is new is sent.
        try await side.add(vcard("new", "FN:New", "N:;New;;;"))
        #expect(try await side.sync().sent.new == 1)
    }

    @Test func `incomplete storage by a server is reported, and nothing is lost here`() async throws {
        let side = try await SyncFixture()
        try await side.add(vcard("ada", "FN:Ada", "N:;Ada;;;", "X-LOST;TYPE=HOME:kept here"))
        side.there.behave { $0.rewrites = true }
        let report = try await side.sync()
        #expect(report.losses.map(\.fields) == [["x-lost home"]])
        #expect(try await side.only().card.text.contains("X-LOST;TYPE=HOME:kept here"))
        #expect(try await side.sync().isUpToDate)
    }

    // MARK: Changes while cards are compared

    @Test func `a card that is changed here each time it is compared is fetched again by the next sync`() async throws {
        let side = try await SyncFixture()
        side.there.put("/book/a.vcf", ada)
        try await side.sync()
        let contact = try await id(side, "ada")
        side.there.put("/book/a.vcf", ada.replacing("END:VCARD", with: "NOTE:theirs\r\nEND:VCARD"))
        let sync = SyncBooks(side.hub.contacts, clock: side.hub.clock) { [side] in
            try? await side.edit(contact) { $0.title = "Dr " + $0.title }
        }
        let report = try await sync.sync(side.book, over: side.there, operation: System.Operation("contacts sync"))
        #expect(report.problems.map(\.cause) == [SyncProblem(.changedHere, id: contact, href: "/book/a.vcf")])
        // The server reports the change only once, so the next sync must know that the card was not compared.
        try await side.sync()
        let card = try await side.only().card
        #expect(card.details.note == "theirs" && card.details.title.hasPrefix("Dr Dr "))
        try await side.expectEqual()
    }

    // MARK: What is only here

    private func only(_ side: SyncFixture, _ text: String) async throws -> String {
        let id = Identifier.make()
        let card = Card(text)
        let rules = side.hub.contacts.rules
        try await side.hub.contacts.write(side.hub.operation("contacts import")) { transaction in
            _ = try transaction.insertContact(
                id, card, source: CardSource.key(uid: card.details.uid, contentHash: card.syncHash), origin: nil,
                book: nil)
            try transaction.reindexContacts([id], rules)
        }
        return id
    }

    @Test func `what is only here is never given to a book by a card with its UID`() async throws {
        let side = try await SyncFixture()
        let own = try await only(
            side, ada.replacing("END:VCARD", with: "NOTE:private: do not trust\r\nTEL:+48 999\r\nEND:VCARD"))
        side.there.put("/book/a.vcf", ada.replacing("Ada", with: "Ada L"))
        let report = try await side.sync()
        #expect(report.sent.total == 0 && report.received.new == 1 && report.twins.map(\.id) == [own])
        #expect(side.there.items.values.allSatisfy { !$0.text.contains("private") && !$0.text.contains("999") })
        let row = try await side.hub.contacts.read { try $0.contact(own) }
        #expect(row?.book == nil && row?.card.text.contains("private: do not trust") == true)
        // Also later, whatever happens to either.
        try await side.edit(own) { $0.title = "mine" }
        try await side.edit(try await side.only().id) { $0.title = "ours" }
        try await side.sync()
        #expect(side.there.items.values.allSatisfy { !$0.text.contains("private") && !$0.text.contains("mine") })
    }

    @Test func `what is only here and says no more than the book is joined`() async throws {
        let side = try await SyncFixture()
        let own = try await only(side, ada)
        side.there.put("/book/a.vcf", ada.replacing("END:VCARD", with: "NOTE:theirs\r\nEND:VCARD"))
        let report = try await side.sync()
        #expect(report.sent.total == 0 && report.twins.isEmpty)
        #expect(try await side.only().id == own)
        try await side.expectEqual()
    }

    @Test func `what is in the trash and was only here stays there`() async throws {
        let side = try await SyncFixture()
        let own = try await only(side, ada.replacing("END:VCARD", with: "NOTE:private\r\nEND:VCARD"))
        try await side.remove(own)
        side.there.put("/book/a.vcf", ada)
        #expect(try await side.sync().received.new == 1)
        #expect(try await side.only().id != own)
        #expect(side.there.items["/book/a.vcf"]?.text == ada)
    }

    // MARK: Lost answers

    @Test(arguments: [false, true])
    func `what was sent is known again when the answer is lost`(isNew: Bool) async throws {
        let side = try await SyncFixture()
        let contact: String
        if isNew {
            contact = try await side.add(ada)
        } else {
            side.there.put("/book/a.vcf", ada)
            try await side.sync()
            contact = try await id(side, "ada")
            try await side.edit(contact) { $0.phones = [LabeledValue("+2", label: "mobile")] }
        }
        side.there.forgetCalls()
        side.there.behave { $0.callsLeft = isNew ? 3 : 1 }
        // What comes before the write differs by what is known of the book; it goes away right after the write.
        while !side.there.calls.contains(isNew ? "create" : "update") {
            side.there.behave { $0.callsLeft = ($0.callsLeft ?? 0) + 1 }
            let calls = side.there.calls.count
            _ = try? await side.sync()
            if side.there.calls.count > calls + 20 { break }
        }
        side.there.behave { $0.callsLeft = nil }
        #expect(side.there.items.count == 1)
        try await side.edit(contact) { $0.phones = [LabeledValue("+3", label: "mobile")] }
        let report = try await side.sync()
        #expect(report.conflicts.isEmpty && report.sent.changed == 1)
        #expect(side.there.items.values.first?.text.contains("+3") == true)
        try await side.expectEqual()
    }

    @Test func `a card of version 2_1 is valid on a server and stays as it was written here`() async throws {
        let side = try await SyncFixture()
        let text = vcard("m", "N:Mustermann;Max", "FN:Max", "TEL;HOME:+49 1", version: "2.1")
        side.there.put("/book/m.vcf", text)
        try await side.sync()
        let contact = try await side.only()
        #expect(contact.card.text == text)
        try await side.edit(contact.id) { $0.note = "neu; mit, Komma" }
        #expect(try await side.sync().sent.changed == 1)
        let sent = try #require(side.there.items["/book/m.vcf"]).text
        #expect(sent.contains("VERSION:3.0") && sent.contains("NOTE:neu\\; mit\\, Komma"))
        #expect(sent.contains("TEL;TYPE=HOME:+49 1") && !sent.contains("TEL;HOME"))
        #expect(try await side.only().card.text.contains("TEL;HOME:+49 1"))
        #expect(try await side.sync().isUpToDate)
    }

    @Test(arguments: [false, true])
    func `a server gets valid lines only, and the card stays as it was written here`(rewrites: Bool) async throws {
        let side = try await SyncFixture()
        side.there.behave { ($0.refuses, $0.rewrites) = (ScriptedBook.strict, rewrites) }
        let text = vcard(
            "m", "FN:Mustermann, Heiko", "N:Mustermann;Heiko;;;", "TEL;HOME:+49 1", "NOTE:neu; mit, Komma",
            "no property at all")
        try await side.add(text)
        let report = try await side.sync()
        #expect(report.sent.new == 1 && report.problems.isEmpty && report.losses.isEmpty)
        let sent = try #require(side.there.items["/book/m.vcf"]).text
        #expect(sent.contains("FN:Mustermann\\, Heiko\r\n") && sent.contains("NOTE:neu\\; mit\\, Komma\r\n"))
        #expect(sent.contains("TEL;TYPE=HOME:+49 1\r\n"))
        #expect(try await side.only().card.text == text)
        try await side.expectEqual()

        // Another program works on the valid card: only what it changed comes here.
        var details = Card(sent).details
        details.emails = [LabeledValue("m@x")]
        side.there.put("/book/m.vcf", Card(sent).updated(to: details, at: nil).card.text)
        #expect(try await side.sync().conflicts.isEmpty)
        let merged = try await side.only().card.text
        for line in text.split(separator: "\r\n") { #expect(merged.contains("\(line)\r\n")) }
        #expect(merged.contains("m@x") && !merged.contains("X-HUB-LINE"))
        try await side.expectEqual()
    }

    @Test(arguments: [false, true])
    func `a card with invalid lines stays when another program changes the valid one before its response arrives`(
        rewrites: Bool
    ) async throws {
        let side = try await SyncFixture()
        side.there.behave { ($0.refuses, $0.rewrites) = (ScriptedBook.strict, rewrites) }
        let text = vcard(
            "m", "FN:A, B", "N:B;A;;;", "TEL;HOME:+49 1", "NOTE:a; b", "no property at all", "X_ODD;TYPE=a;B:1")
        try await side.add(text)
        for calls in 1...10 where side.there.items.isEmpty {
            side.there.behave { $0.callsLeft = calls }
            _ = try? await side.sync()
        }
        side.there.behave { $0.callsLeft = nil }
        let sent = Card(try #require(side.there.items["/book/m.vcf"]).bytes)
        var details = sent.details
        details.emails = [LabeledValue("m@x")]
        side.there.put("/book/m.vcf", sent.updated(to: details, at: nil).card.text)
        #expect(try await side.sync().conflicts.isEmpty)
        let merged = try await side.only().card.text
        for line in text.split(separator: "\r\n") { #expect(merged.contains("\(line)\r\n"), "\(merged)") }
        #expect(merged.contains("m@x") && !merged.contains("X-HUB-LINE") && !merged.contains("X-ODD"), "\(merged)")
        try await side.expectEqual()
    }

    @Test
    func `a card with invalid lines stays when another program changes it after an update whose response was lost`()
        async throws
    {
        let side = try await SyncFixture()
        let text = vcard("m", "FN:A", "N:;A;;;", "NOTE:a; b", "no property at all", "X_ODD;TYPE=a;B:1")
        side.there.put("/book/m.vcf", text)
        try await side.sync()
        try await side.edit(try await side.only().id) { $0.title = "Dr" }
        for calls in 1...10 where side.there.items["/book/m.vcf"]?.text == text {
            side.there.behave { $0.callsLeft = calls }
            _ = try? await side.sync()
        }
        side.there.behave { $0.callsLeft = nil }
        let sent = Card(try #require(side.there.items["/book/m.vcf"]).bytes)
        var details = sent.details
        details.emails = [LabeledValue("m@x")]
        side.there.put("/book/m.vcf", sent.updated(to: details, at: nil).card.text)
        #expect(try await side.sync().conflicts.isEmpty)
        let merged = try await side.only().card.text
        for line in text.split(separator: "\r\n") { #expect(merged.contains("\(line)\r\n"), "\(merged)") }
        #expect(merged.contains("m@x") && merged.contains("TITLE:Dr") && !merged.contains("X-ODD"), "\(merged)")
        try await side.expectEqual()
    }

    @Test func `a card with invalid lines meets the valid one that was made of it without a conflict`() async throws {
        let side = try await SyncFixture()
        side.there.behave { $0.refuses = ScriptedBook.strict }
        let text = vcard("m", "FN:A, B", "N:B;A;;;", "TEL;HOME:+49 1", "no property at all")
        side.there.put("/book/m.vcf", Card(text).exported(as: .v3).text)
        try await side.add(text)
        let report = try await side.sync()
        #expect(report.conflicts.isEmpty && report.sent.changed == 0 && report.received.changed == 0)
        #expect(try await side.only().card.text == text)
        try await side.expectEqual()
    }
}
