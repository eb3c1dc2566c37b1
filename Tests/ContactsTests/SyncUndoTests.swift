import Contacts
import ContactsDomain
import HubKitTesting
import Storage
import Sync
import Testing

/// Undo on our side across syncs: what was sent is taken back by the next sync.
struct SyncUndoTests {
    private func met() async throws -> SyncFixture {
        let side = try await SyncFixture()
        side.there.put("/book/a.vcf", vcard("ann", "FN:Ann", "N:;Ann;;;", "TEL:1"))
        side.there.put("/book/b.vcf", vcard("bob", "FN:Bob", "N:;Bob;;;"))
        try await side.sync()
        return side
    }

    private func ann(_ side: SyncFixture) async throws -> String {
        try #require(try await side.here().first { $0.card.details.uidText == "ann" }).id
    }

    @Test func `an edit that was sent is undone there by the next sync`() async throws {
        let side = try await met()
        try await side.edit(try await ann(side)) { $0.note = "oops" }
        try await side.sync()
        try await side.undo()
        #expect(
            try await side.sync().sent.changed == 0 || side.there.items["/book/a.vcf"]?.text.contains("oops") == false)
        #expect(side.there.items["/book/a.vcf"]?.text.contains("NOTE") == false)
        try await side.redo()
        try await side.sync()
        #expect(side.there.items["/book/a.vcf"]?.text.contains("oops") == true)
        try await side.expectEqual()
    }

    @Test func `a removal that was sent is made good there`() async throws {
        let side = try await met()
        try await side.remove(try await ann(side))
        try await side.sync()
        #expect(side.there.items.count == 1)
        try await side.undo()
        #expect(try await side.sync().sent.new == 1)
        try await side.expectEqual()
        #expect(side.there.items.count == 2)
    }

    @Test func `what a sync did is undone like any operation`() async throws {
        let side = try await met()
        side.there.put("/book/a.vcf", vcard("ann", "FN:Ann", "N:;Ann;;;", "TEL:2"))
        side.there.take("/book/b.vcf")
        try await side.sync()
        try await side.undo()
        #expect(try await side.here().count == 2)
        let report = try await side.sync()
        #expect(report.sent.changed == 1 && report.sent.new == 1)
        #expect(side.there.items["/book/a.vcf"]?.text.contains("TEL:1") == true)
        try await side.expectEqual()
    }

    private func id(of command: String, _ side: SyncFixture) async throws -> String {
        try #require(
            try await side.hub.database.history.operations(limit: 100).first { $0.commandLine.contains(command) }
        ).id
    }

    private func reverse(_ side: SyncFixture, _ operation: String) async throws -> UndoReport {
        side.hub.clock.advance(by: .seconds(1))
        return try await side.hub.database.history.undo(operation, as: side.hub.operation("undo"))
    }

    @Test func `the undo of an edit keeps what another device changed later`() async throws {
        let side = try await met()
        let ann = try await ann(side)
        try await side.edit(ann) { $0.note = "oops" }
        let edit = try await id(of: "contacts set", side)
        try await side.sync()
        side.there.put("/book/a.vcf", vcard("ann", "FN:Ann", "N:;Ann;;;", "TEL:11", "NOTE:oops"))
        try await side.sync()
        let report = try await reverse(side, edit)
        #expect(report.isPossible && report.merged.map(\.subject) == [ann])
        #expect(report.merged.flatMap(\.kept) == [] && report.merged.first?.later.count == 1)
        try await side.sync()
        #expect(side.there.items["/book/a.vcf"]?.text.contains("NOTE") == false)
        #expect(side.there.items["/book/a.vcf"]?.text.contains("TEL:11") == true)
        try await side.expectEqual()
        try await side.redo()
        try await side.sync()
        #expect(side.there.items["/book/a.vcf"]?.text.contains("oops") == true)
        #expect(side.there.items["/book/a.vcf"]?.text.contains("TEL:11") == true)
        try await side.expectEqual()
        #expect(try await reverse(side, edit).isPossible)
        try await side.sync()
        #expect(side.there.items["/book/a.vcf"]?.text.contains("oops") == false)
        try await side.expectEqual()
    }

    @Test func `the undo of a merge keeps the number that a phone changed later`() async throws {
        let side = try await met()
        let ann = try await ann(side)
        let bob = try #require(try await side.here().first { $0.id != ann }).id
        try await side.edit(bob) { $0.note = "poet" }
        try await side.sync()
        side.hub.clock.advance(by: .seconds(1))
        _ = try await side.hub.plugin.merge(keep: ann, drop: [bob], operation: side.hub.operation("contacts merge"))
        let merge = try await id(of: "contacts merge", side)
        try await side.sync()
        #expect(side.there.items.count == 1)
        side.there.put("/book/a.vcf", vcard("ann", "FN:Ann", "N:;Ann;;;", "TEL:11", "NOTE:poet"))
        try await side.sync()
        let report = try await reverse(side, merge)
        #expect(report.isPossible)
        let cards = try await side.here()
        #expect(cards.count == 2)
        let kept = try #require(cards.first { $0.id == ann }).card
        #expect(kept.details.phones.map(\.value) == ["11"] && kept.details.note.isEmpty)
        #expect(kept.details.mergedSources.isEmpty)
        try await side.sync()
        try await side.expectEqual()
        #expect(side.there.items.count == 2)
    }

    @Test func `a value that both changed stays as the other device left it, and is reported`() async throws {
        let side = try await met()
        let ann = try await ann(side)
        try await side.edit(ann) {
            $0.note = "oops"
            $0.phones = [LabeledValue("2")]
        }
        let edit = try await id(of: "contacts set", side)
        try await side.sync()
        side.there.put("/book/a.vcf", vcard("ann", "FN:Ann", "N:;Ann;;;", "TEL:3", "NOTE:oops"))
        try await side.sync()
        let report = try await reverse(side, edit)
        #expect(report.isPossible && report.merged.flatMap(\.kept) == ["phone 3"])
        let card = try #require(try await side.here().first { $0.id == ann }).card
        #expect(card.details.phones.map(\.value) == ["3"] && card.details.note.isEmpty)
    }

    @Test func `an undo that could change nothing is refused`() async throws {
        let side = try await met()
        let ann = try await ann(side)
        try await side.edit(ann) { $0.phones = [LabeledValue("2")] }
        let edit = try await id(of: "contacts set", side)
        try await side.sync()
        side.there.put("/book/a.vcf", vcard("ann", "FN:Ann", "N:;Ann;;;", "TEL:3"))
        try await side.sync()
        let report = try await reverse(side, edit)
        #expect(!report.isPossible && report.conflicts.map(\.reason) == [.changedLater])
        #expect(try await side.here().contains { $0.card.details.phones.map(\.value) == ["3"] })
    }

    @Test func `a sync that changes nothing here leaves no line in the history`() async throws {
        let side = try await met()
        let before = try await side.hub.database.history.operations(limit: 100).count
        try await side.sync()
        try await side.edit(try await ann(side)) { $0.note = "x" }
        try await side.sync()
        #expect(try await side.hub.database.history.operations(limit: 100).count == before + 1)
    }
}
