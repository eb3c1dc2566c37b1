import Contacts
import ContactsDomain
import HubKit
import Sync
import Testing

/// Conflicts keep both versions, do not stop a sync, and end by a decision or when the versions become equal.
struct ConflictTests {
    private let base = vcard(
        "lu", "FN:Łukasz Nowak", "N:Nowak;Łukasz;;;", "TEL;TYPE=CELL:+48 601", "X-OWN:  kept\\, as is")

    /// A contact whose number was changed on both sides, besides an address there and a note here.
    private func clashed() async throws -> (side: SyncFixture, id: String) {
        let side = try await SyncFixture()
        side.there.put("/book/l.vcf", base)
        side.there.put("/book/z.vcf", vcard("zoe", "FN:Zoe", "N:;Zoe;;;"))
        try await side.sync()
        let id = try #require(try await side.here().first { $0.card.details.uidText == "lu" }).id
        try await side.edit(id) {
            $0.phones[0].value = "+48 601 234 567"
            $0.note = "met in Gdańsk"
        }
        side.there.put(
            "/book/l.vcf",
            base.replacing("+48 601", with: "+48 601 999 000").replacing(
                "X-OWN", with: "EMAIL:l@example.org\r\nX-OWN"))
        side.there.put("/book/z.vcf", vcard("zoe", "FN:Zoe", "N:;Zoe;;;", "NOTE:new"))
        let report = try await side.sync()
        #expect(report.conflicts.map(\.fields) == [["phone mobile"]])
        #expect(report.received.changed == 2 && report.sent.total == 0)
        return (side, id)
    }

    @Test func `both versions stay, what does not clash is merged, and others sync on`() async throws {
        let (side, id) = try await clashed()
        let found = try await side.hub.plugin.conflict(of: id)
        #expect(found.values.map(\.ours) == ["+48 601 234 567"] && found.values.map(\.theirs) == ["+48 601 999 000"])
        #expect(found.mergedFromThere.map(\.field) == ["email"] && found.mergedFromHere.map(\.field) == ["note"])
        #expect(found.account == "posteo" && found.values[0].canKeepBoth)
        #expect(side.there.items["/book/l.vcf"]?.text.contains("999 000") == true)
        side.there.forgetCalls()
        #expect(try await side.sync().isUpToDate)
        try await side.edit(id) { $0.title = "Dr" }
        #expect(try await side.sync().sent.total == 0)
        #expect(try await side.hub.plugin.conflicts().count == 1)
    }

    @Test(arguments: CardMerge.Choice.allCases)
    func `a decision is one edit that the next sync sends`(choice: CardMerge.Choice) async throws {
        let (side, id) = try await clashed()
        let result = try await side.hub.plugin.resolveConflict(
            id, taking: choice, operation: side.hub.operation("contacts conflicts resolve"))
        let numbers = result.contact.details.phones.map(\.value)
        switch choice {
        case .here: #expect(numbers == ["+48 601 234 567"])
        case .there: #expect(numbers == ["+48 601 999 000"])
        case .both: #expect(numbers == ["+48 601 234 567", "+48 601 999 000"])
        }
        #expect(result.isSent && result.contact.card.text.contains("X-OWN:  kept\\, as is\r\n"))
        #expect(try await side.hub.plugin.conflicts().isEmpty)
        #expect(try await side.sync().sent.changed == 1)
        let theirs = try #require(side.there.items["/book/l.vcf"]).text
        #expect(theirs.contains("met in Gdańsk") && theirs.contains("l@example.org"))
        #expect(Card(theirs).details.phones.map(\.value) == numbers)
        try await side.expectEqual()
    }

    @Test func `undoing a decision asks for it again`() async throws {
        let (side, id) = try await clashed()
        _ = try await side.hub.plugin.resolveConflict(
            id, taking: .here, operation: side.hub.operation("contacts conflicts resolve"))
        try await side.undo()
        #expect(try await side.hub.plugin.conflicts().count == 1)
        #expect(try await side.sync().isUpToDate)
        try await side.redo()
        #expect(try await side.hub.plugin.conflicts().isEmpty)
        #expect(try await side.sync().sent.changed == 1)
        try await side.expectEqual()
    }

    @Test func `a conflict ends when both sides become equal, on whichever side`() async throws {
        let (side, id) = try await clashed()
        try await side.edit(id) { $0.phones[0].value = "+48 601 999 000" }
        #expect(try await side.hub.plugin.conflicts().isEmpty)
        #expect(try await side.sync().conflicts.isEmpty)
        try await side.expectEqual()
        let (other, second) = try await clashed()
        let ours = try await other.hub.plugin.entities.get(second).card.text
        other.there.put("/book/l.vcf", ours)
        #expect(try await other.sync().conflicts.isEmpty)
        #expect(try await other.hub.plugin.conflicts().isEmpty)
        try await other.expectEqual()
    }

    @Test func `their next change joins the open conflict`() async throws {
        let (side, id) = try await clashed()
        let text = try #require(side.there.items["/book/l.vcf"]).text
        side.there.put("/book/l.vcf", text.replacing("X-OWN", with: "TITLE:Prof\r\nX-OWN"))
        #expect(try await side.sync().sent.total == 0)
        let found = try await side.hub.plugin.conflict(of: id)
        #expect(found.contact.details.title == "Prof" && found.values.map(\.theirs) == ["+48 601 999 000"])
        side.there.put("/book/l.vcf", text.replacing("999 000", with: "111 111"))
        try await side.sync()
        #expect(try await side.hub.plugin.conflict(of: id).values.map(\.theirs) == ["+48 601 111 111"])
    }

    @Test func `removing a contact closes its conflict`() async throws {
        let (side, id) = try await clashed()
        try await side.remove(id)
        #expect(try await side.hub.plugin.conflicts().isEmpty)
        #expect(try await side.sync().sent.removed == 1)
        try await side.undo()
        #expect(try await side.sync().sent.new == 1)
    }

    @Test func `no conflict is an answer`() async throws {
        let side = try await SyncFixture()
        let id = try await side.add(base)
        let error = await #expect(throws: HubError.self) { try await side.hub.plugin.conflict(of: id) }
        #expect(error?.code == "no-conflict")
    }
}
