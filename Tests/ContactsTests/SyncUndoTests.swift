import Contacts
import ContactsDomain
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

    @Test func `a sync that changes nothing here leaves no line in the history`() async throws {
        let side = try await met()
        let before = try await side.hub.database.history.operations(limit: 100).count
        try await side.sync()
        try await side.edit(try await ann(side)) { $0.note = "x" }
        try await side.sync()
        #expect(try await side.hub.database.history.operations(limit: 100).count == before + 1)
    }
}
