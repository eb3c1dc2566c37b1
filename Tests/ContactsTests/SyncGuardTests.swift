import Contacts
import ContactsDomain
import Sync
import System
import Testing

/// Much is never removed without asking, and nothing because a whole side is empty.
struct SyncGuardTests {
    private func filled(_ count: Int, hasTokens: Bool = true) async throws -> SyncFixture {
        let side = try await SyncFixture()
        side.there.behave { $0.hasTokens = hasTokens }
        for number in 0..<count { side.there.put("/book/\(number).vcf", vcard("\(number)", "FN:\(number)")) }
        try await side.sync()
        return side
    }

    @Test func `an emptied book empties nothing here unless it is forced`() async throws {
        let side = try await filled(3, hasTokens: false)
        side.there.edit { $0.items = [:] }
        side.there.edit { $0.journal.append("x") }
        let error = await #expect(throws: HubError.self) { try await side.sync() }
        #expect(error?.code == "book-emptied" && error?.hint?.contains("--force") == true)
        #expect(try await side.here().count == 3)
        #expect(try await side.sync(isForced: true).received.removed == 3)
        #expect(try await side.here().isEmpty)
    }

    @Test func `a token proves that a book was emptied`() async throws {
        let side = try await filled(3)
        for number in 0..<3 { side.there.take("/book/\(number).vcf") }
        #expect(try await side.sync().received.removed == 3)
    }

    @Test func `many removals are asked for, and nothing is done before the answer`() async throws {
        let side = try await filled(20)
        for number in 0..<11 { side.there.take("/book/\(number).vcf") }
        side.there.put("/book/0.vcf", vcard("0", "FN:0", "NOTE:back"))
        side.there.take("/book/11.vcf")
        await #expect(throws: HubError.self) { try await side.sync() }
        #expect(try await side.here().count == 20)
        let report = try await side.sync(consent: false)
        #expect(report.withheld == SyncQuestion(removedHere: 11, removedThere: 0, total: 20))
        #expect(try await side.here().count == 20)
        #expect(try await side.sync(consent: true).received.removed == 11)
        try await side.expectEqual()
    }

    @Test func `moved cards are not removals`() async throws {
        let side = try await filled(20)
        for number in 0..<20 {
            side.there.take("/book/\(number).vcf")
            side.there.put("/book/new-\(number).vcf", vcard("\(number)", "FN:\(number)"))
        }
        #expect(try await side.sync().isUpToDate)
        try await side.expectEqual()
    }

    @Test func `emptying the book here is asked for, and an answer of no leaves all there`() async throws {
        let side = try await filled(3)
        for contact in try await side.here() { try await side.remove(contact.id) }
        await #expect(throws: HubError.self) { try await side.sync() }
        #expect(side.there.items.count == 3)
        #expect(try await side.sync(consent: false).withheld != nil)
        #expect(side.there.items.count == 3)
        #expect(try await side.sync(consent: true).sent.removed == 3)
        #expect(side.there.items.isEmpty)
    }

    @Test func `undoing the first sync asks before it empties the book there`() async throws {
        let side = try await filled(5)
        try await side.undo()
        #expect(try await side.here().isEmpty)
        await #expect(throws: HubError.self) { try await side.sync() }
        #expect(side.there.items.count == 5)
        try await side.redo()
        try await side.expectEqual()
    }
}
