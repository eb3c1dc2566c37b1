import Contacts
import ContactsDomain
import HubKit
import Sync
import Testing

/// Scenarios of changes to single contacts on both sides.
struct SyncScenarioTests {
    private let ann = vcard("ann", "FN:Ann", "N:;Ann;;;", "TEL;TYPE=CELL:1", "X-KEEP: as  it\\, is")

    @Test func `a new card there becomes a contact, byte for byte`() async throws {
        let side = try await SyncFixture()
        side.there.put("/book/a.vcf", ann)
        let report = try await side.sync()
        #expect(report.received.new == 1 && report.sent.total == 0)
        #expect(try await side.only().card.text == ann)
        try await side.expectEqual()
    }

    @Test func `a large new book comes in one answer, and what that leaves out is fetched`() async throws {
        let side = try await SyncFixture()
        side.there.behave { $0.givesAll = true }
        for number in 0..<300 { side.there.put("/book/\(number).vcf", vcard("\(number)", "FN:Person \(number)")) }
        #expect(try await side.sync().received.new == 300)
        #expect(side.there.calls.count { $0 == "everything" } == 1)
        let fetched = side.there.calls.compactMap { $0.hasPrefix("fetch ") ? Int($0.dropFirst(6)) : nil }
        #expect(fetched.reduce(0, +) == 100)
        try await side.expectEqual()
        // A few changes do not require reading all of it again.
        side.there.forgetCalls()
        for number in 300..<310 { side.there.put("/book/\(number).vcf", vcard("\(number)", "FN:Person \(number)")) }
        #expect(try await side.sync().received.new == 10)
        #expect(!side.there.calls.contains("everything"))
    }

    @Test func `a new contact here is sent, and gets the names and the UID that servers want`() async throws {
        let side = try await SyncFixture()
        let id = try await side.add(vcard(nil, "EMAIL:ann@example.org", "X-OWN:1"))
        #expect(try await side.sync().sent.new == 1)
        let sent = try #require(side.there.texts.first)
        #expect(sent.contains("FN:ann@example.org\r\n") && sent.contains("\r\nN:;;;;\r\n") && sent.contains("UID:"))
        let here = try await side.only()
        #expect(here.id == id && here.card.details.uidText != nil && !here.card.text.contains("FN:"))
        try await side.expectRest()
    }

    @Test func `a change on one side goes to the other and touches no other line`() async throws {
        let side = try await SyncFixture()
        side.there.put("/book/a.vcf", ann)
        try await side.sync()
        let id = try await side.only().id
        side.there.put("/book/a.vcf", vcard("ann", "fn:Ann", "TEL;TYPE=CELL:2", "N:;Ann;;;", "X-KEEP: as  it\\, is"))
        #expect(try await side.sync().received.changed == 1)
        #expect(try await side.only().card.text == ann.replacing("CELL:1", with: "CELL:2"))
        try await side.edit(id) { $0.note = "mine" }
        #expect(try await side.sync().sent.changed == 1)
        #expect(side.there.texts[0].contains("NOTE:mine"))
        try await side.expectEqual()
    }

    @Test func `removals go both ways, to the trash here`() async throws {
        let side = try await SyncFixture()
        side.there.put("/book/a.vcf", ann)
        side.there.put("/book/b.vcf", vcard("bob", "FN:Bob"))
        try await side.sync()
        side.there.take("/book/a.vcf")
        #expect(try await side.sync().received.removed == 1)
        #expect(try await side.hub.plugin.entities.trash().map(\.summary.name) == ["Ann"])
        try await side.remove(try await side.only().id)
        #expect(try await side.sync().sent.removed == 1)
        #expect(side.there.items.isEmpty)
    }

    @Test func `both sides removed it`() async throws {
        let side = try await SyncFixture()
        side.there.put("/book/a.vcf", ann)
        side.there.put("/book/b.vcf", vcard("bob", "FN:Bob"))
        try await side.sync()
        side.there.take("/book/a.vcf")
        try await side.remove(try #require(try await side.here().first { $0.card.details.uidText == "ann" }).id)
        let report = try await side.sync()
        #expect(report.isUpToDate && report.problems.isEmpty)
        try await side.expectEqual()
    }

    @Test func `a change beats a removal on either side`() async throws {
        let side = try await SyncFixture()
        side.there.put("/book/a.vcf", ann)
        side.there.put("/book/b.vcf", vcard("bob", "FN:Bob"))
        try await side.sync()
        let ids = Dictionary(try await side.here().map { ($0.card.details.uidText ?? "", $0.id) }) { first, _ in first }
        side.there.take("/book/a.vcf")
        try await side.edit(try #require(ids["ann"])) { $0.note = "kept" }
        try await side.remove(try #require(ids["bob"]))
        side.there.put("/book/b.vcf", vcard("bob", "FN:Bob", "NOTE:kept too"))
        let report = try await side.sync()
        #expect(report.sent.new == 1 && report.received.new == 1)
        #expect(Set(try await side.here().map(\.card.details.note)) == ["kept", "kept too"])
        #expect(Set(try await side.here().map(\.id)) == Set(ids.values))
        try await side.expectEqual()
    }

    @Test func `equal contacts that never met are linked, by UID or content`() async throws {
        let side = try await SyncFixture()
        try await side.add(ann)
        try await side.hub.importing(vcard(nil, "FN:Nobody") + vcard("urn:uuid:local", "FN:Local"))
        side.there.put("/book/a.vcf", vcard("ann", "TEL;TYPE=CELL:1", "FN:Ann", "N:;Ann;;;", "X-KEEP:as  it\\, is"))
        side.there.put("/book/n.vcf", vcard(nil, "FN:Nobody"))
        side.there.put("/book/l.vcf", vcard("local", "FN:Local"))
        let report = try await side.sync()
        #expect(report.isUpToDate && report.problems.isEmpty)
        #expect(try await side.here().count == 3)
        #expect(side.there.items.count == 3 && !side.there.calls.contains { $0 == "create" || $0 == "update" })
    }

    @Test func `contacts with one UID that never met are merged, and where they clash a person decides`() async throws {
        let side = try await SyncFixture()
        try await side.add(vcard("ann", "FN:Ann", "TEL:1", "NOTE:here"))
        try await side.add(vcard("bob", "FN:Bob", "TEL:1"))
        side.there.put("/book/a.vcf", vcard("ann", "FN:Ann", "TEL:2", "NOTE:there"))
        side.there.put("/book/b.vcf", vcard("bob", "FN:Bob", "TEL:2"))
        let report = try await side.sync()
        #expect(report.conflicts.map(\.fields) == [["note"]])
        #expect(side.there.items["/book/b.vcf"]?.text.contains("TEL:1") == true)
        #expect(side.there.items["/book/a.vcf"]?.text.contains("TEL:1") == false)
    }

    @Test func `both sides made the same change`() async throws {
        let side = try await SyncFixture()
        side.there.put("/book/a.vcf", ann)
        try await side.sync()
        let id = try await side.only().id
        try await side.edit(id) { $0.note = "same" }
        side.there.put(
            "/book/a.vcf", vcard("ann", "NOTE:same", "FN:Ann", "N:;Ann;;;", "TEL;TYPE=CELL:1", "X-KEEP:as  it\\, is"))
        let report = try await side.sync()
        #expect(report.isUpToDate)
        try await side.expectEqual()
    }

    @Test func `changes of different fields are merged on both sides`() async throws {
        let side = try await SyncFixture()
        side.there.put("/book/a.vcf", ann)
        try await side.sync()
        let id = try await side.only().id
        try await side.edit(id) { $0.note = "mine" }
        side.there.put("/book/a.vcf", ann.replacing("TEL;TYPE=CELL:1", with: "TEL;TYPE=CELL:1\r\nEMAIL:a@example.org"))
        let report = try await side.sync()
        #expect(report.merged == 1 && report.sent.changed == 1 && report.conflicts.isEmpty)
        let details = try await side.only().card.details
        #expect(details.note == "mine" && details.emails.map(\.value) == ["a@example.org"])
        try await side.expectEqual()
    }

    @Test func `a tag that changed for nothing changes nothing`() async throws {
        let side = try await SyncFixture()
        side.there.put("/book/a.vcf", ann)
        try await side.sync()
        side.there.put("/book/a.vcf", ann)
        let report = try await side.sync()
        #expect(report.isUpToDate)
        side.there.put("/book/a.vcf", ann)
        try await side.edit(try await side.only().id) { $0.note = "x" }
        #expect(try await side.sync().sent.changed == 1)
        try await side.expectEqual()
    }

    @Test func `a card that moved to another place stays the same contact`() async throws {
        let side = try await SyncFixture()
        side.there.put("/book/a.vcf", ann)
        side.there.put("/book/z.vcf", vcard("zoe", "FN:Zoe"))
        try await side.sync()
        let ids = Set(try await side.here().map(\.id))
        side.there.take("/book/a.vcf")
        side.there.put("/book/ä \u{1F600}.vcf", ann)
        #expect(try await side.sync().isUpToDate)
        #expect(Set(try await side.here().map(\.id)) == ids)
        try await side.expectEqual()
    }

    @Test func `two cards with one UID: the second is reported and skipped until the first is gone`() async throws {
        let side = try await SyncFixture()
        side.there.put("/book/a.vcf", ann)
        try await side.sync()
        side.there.put("/book/b.vcf", ann)
        let report = try await side.sync()
        #expect(report.problems.map(\.cause.reason) == [.sameUID])
        #expect(try await side.here().count == 1)
        #expect(try await side.sync().problems.isEmpty)
        let id = try await side.only().id
        side.there.take("/book/a.vcf")
        #expect(try await side.sync().isUpToDate)
        #expect(try await side.only().id == id)
        try await side.expectEqual()
    }

    @Test func `two contacts with one UID here: one is sent, the other reported`() async throws {
        let side = try await SyncFixture()
        try await side.add(ann)
        try await side.add(ann.replacing("CELL:1", with: "CELL:2"))
        let report = try await side.sync()
        #expect(report.sent.new == 1 && report.problems.map(\.cause.reason) == [.sameUIDHere])
    }

    @Test func `one card that is refused stops no other`() async throws {
        let side = try await SyncFixture()
        side.there.behave { $0.refuses = { $0.contains("FN:Bad") ? .invalid(reason: "no") : nil } }
        try await side.add(vcard("bad", "FN:Bad"))
        try await side.add(ann)
        let report = try await side.sync()
        #expect(report.sent.new == 1 && report.problems.map(\.cause.reason) == [.refused(.invalid(reason: "no"))])
        #expect(report.problems[0].contact?.name == "Bad" && report.problems[0].text.contains("no"))
        side.there.behave { $0.refuses = { _ in nil } }
        #expect(try await side.sync().sent.new == 1)
        try await side.expectEqual()
    }

    @Test func `a book that does not take a version gets 3_0`() async throws {
        let side = try await SyncFixture(versions: ["4.0", "3.0"])
        side.there.behave {
            $0.refuses = { $0.contains("VERSION:4.0") ? .version(reason: "old server") : nil }
        }
        try await side.add(vcard("ann", "FN:Ann", "BDAY:--0415", version: "4.0"))
        #expect(try await side.sync().sent.new == 1)
        #expect(side.there.texts[0].contains("VERSION:3.0"))
        #expect(try await side.only().card.text.contains("BDAY:--0415"))
        try await side.expectEqual()
    }

    @Test func `an item that is not a card is reported once and skipped`() async throws {
        let side = try await SyncFixture()
        side.there.put("/book/a.vcf", "NULL")
        side.there.put("/book/b.vcf", ann)
        let report = try await side.sync()
        #expect(report.received.new == 1 && report.problems.map(\.cause.reason) == [.unreadable])
        #expect(try await side.sync().problems.isEmpty)
        side.there.put("/book/a.vcf", vcard("late", "FN:Late"))
        #expect(try await side.sync().received.new == 1)
        try await side.expectEqual()
    }

    @Test func `a book that takes no changes keeps ours here and says so once`() async throws {
        let side = try await SyncFixture(readOnly: true)
        side.there.put("/book/a.vcf", ann)
        try await side.sync()
        try await side.edit(try await side.only().id) { $0.note = "mine" }
        let report = try await side.sync()
        #expect(report.problems.map(\.cause.reason) == [.readOnly] && report.sent.total == 0)
        #expect(try await side.sync().problems.isEmpty)
        side.there.put("/book/a.vcf", ann.replacing("CELL:1", with: "CELL:2"))
        try await side.sync()
        let details = try await side.only().card.details
        #expect(details.note == "mine" && details.phones.map(\.value) == ["2"])
        #expect(!side.there.calls.contains { $0 == "update" || $0 == "create" })
    }

    @Test func `what changes between reading and writing is read again`() async throws {
        let side = try await SyncFixture()
        side.there.put("/book/a.vcf", ann)
        try await side.sync()
        let id = try await side.only().id
        try await side.edit(id) { $0.note = "mine" }
        let changed = Array(ann.replacing("CELL:1", with: "CELL:2").utf8)
        side.there.behave { $0.interruption = { $0["/book/a.vcf"]?.bytes = changed } }
        let report = try await side.sync()
        #expect(report.merged == 1 && report.sent.changed == 1)
        let details = try await side.only().card.details
        #expect(details.note == "mine" && details.phones.map(\.value) == ["2"])
        try await side.edit(id) { $0.note = "again" }
        side.there.behave { $0.interruption = { $0["/book/a.vcf"] = nil } }
        #expect(try await side.sync().sent.new == 1)
        try await side.remove(id)
        side.there.behave { $0.interruption = { items in items[items.keys.first ?? ""]?.bytes = changed } }
        #expect(try await side.sync().received.new == 1)
        try await side.expectEqual()
    }

    @Test func `a UID that is taken leads to the card that has it`() async throws {
        let side = try await SyncFixture()
        side.there.behave {
            $0.refusesTwins = true
            $0.namesTwins = true
        }
        let text = ann
        try await side.add(ann)
        side.there.behave {
            $0.interruption = { $0["/book/other.vcf"] = ScriptedBook.Item(bytes: Array(text.utf8), version: 0) }
        }
        try await side.sync()
        #expect(side.there.items.keys.sorted() == ["/book/other.vcf"])
        try await side.expectEqual()
    }

    @Test func `a keeper without tokens, states and tags is asked for more, with the same end`() async throws {
        let side = try await SyncFixture()
        side.there.behave {
            $0.hasTokens = false
            $0.hasState = false
            $0.tellsTags = false
        }
        side.there.put("/book/a.vcf", ann)
        try await side.add(vcard("bob", "FN:Bob", "N:;Bob;;;"))
        try await side.sync()
        try await side.edit(try #require(try await side.here().first { $0.card.details.uidText == "ann" }).id) {
            $0.note = "n"
        }
        side.there.take("/book/bob.vcf")
        let report = try await side.sync()
        #expect(report.sent.changed == 1 && report.received.removed == 1)
        try await side.expectEqual()
    }

    @Test func `a token that is too old leads to the whole list, and nothing is lost`() async throws {
        let side = try await SyncFixture()
        for name in ["a", "b", "c"] { side.there.put("/book/\(name).vcf", vcard(name, "FN:\(name)")) }
        try await side.sync()
        side.there.edit { $0.oldestToken = 1000 }
        side.there.take("/book/a.vcf")
        side.there.put("/book/d.vcf", vcard("d", "FN:d"))
        let report = try await side.sync()
        #expect(report.received.removed == 1 && report.received.new == 1)
        #expect(try await side.here().count == 3)
    }

    @Test func `a server may rewrite cards, and our lines stay as they are`() async throws {
        let side = try await SyncFixture()
        side.there.behave { $0.rewrites = true }
        let mine = vcard("ann", "FN:Ann", "N:;Ann;;;", "tel;type=cell:1", "X-LOST:dear", "note:a\\, b")
        try await side.add(mine)
        try await side.sync()
        #expect(try await side.only().card.text == mine)
        #expect(try await side.sync().isUpToDate)
        try await side.edit(try await side.only().id) { $0.title = "Dr" }
        #expect(try await side.sync().sent.changed == 1)
        // Another program changes the number in the rewritten card.
        let theirs = try #require(side.there.items.first)
        side.there.put(theirs.key, theirs.value.text.replacing("TEL;TYPE=CELL:1", with: "TEL;TYPE=CELL:2"))
        #expect(try await side.sync().received.changed == 1)
        let text = try await side.only().card.text
        #expect(text.contains("X-LOST:dear\r\n") && text.contains("note:a\\, b\r\n") && text.contains("TITLE:Dr"))
        #expect(try await side.only().card.details.phones.map(\.value) == ["2"])
        #expect(try await side.sync().isUpToDate)
    }

    @Test func `nothing new costs one question`() async throws {
        let side = try await SyncFixture()
        for number in 0..<250 { side.there.put("/book/\(number).vcf", vcard("\(number)", "FN:\(number)")) }
        #expect(try await side.sync().received.new == 250)
        #expect(side.there.calls == ["state", "list", "fetch 100", "fetch 100", "fetch 50"])
        side.there.forgetCalls()
        #expect(try await side.sync().isUpToDate)
        #expect(side.there.calls == ["state"])
    }

    @Test func `a dry run returns the plan and does nothing`() async throws {
        let side = try await SyncFixture()
        side.there.put("/book/a.vcf", ann)
        try await side.add(vcard("bob", "FN:Bob"))
        let report = try await side.sync(isDryRun: true)
        #expect(report.received.new == 1 && report.sent.new == 1)
        #expect(try await side.here().count == 1 && side.there.items.count == 1)
        #expect(try await side.sync().received.new == 1)
    }
}

extension SyncFixture {
    /// Expects that another sync finds nothing to do, where the sides cannot say quite the same.
    fileprivate func expectRest() async throws { #expect(try await sync().isUpToDate) }
}
