import ContactsDomain
import HubKit
import HubKitTesting
import Storage
import Sync
import Testing

@testable import Contacts

/// The contacts as devices see them.
struct ServedContactsTests {
    private let fixture: ContactsFixture
    private let served: ServedContacts

    init() throws {
        fixture = try ContactsFixture()
        served = ServedContacts(contacts: fixture.contacts)
    }

    private static func card(_ lines: String..., uid: String = "u1") -> [UInt8] {
        Array(
            (["BEGIN:VCARD", "VERSION:3.0", "UID:\(uid)"] + lines + ["END:VCARD", ""]).joined(separator: "\r\n").utf8)
    }

    private static let author = ServedAuthor(device: "phone", program: "Test", operation: "op1")

    private func put(
        _ name: String?, _ content: [UInt8], base: [UInt8]? = nil, known: Set<String> = [],
        condition: ServedCondition = .always, keepsStored: Bool = false, operation: String = "op1"
    ) async throws -> ServedPutResult {
        var put = ServedPut(
            name: name, content: content,
            author: ServedAuthor(device: "phone", program: "Test", operation: operation))
        (put.base, put.known, put.condition, put.keepsStored) = (base, known, condition, keepsStored)
        return try await served.put(put)
    }

    private func stored(_ result: ServedPutResult) throws -> ServedPutReport {
        guard case .stored(let report) = result else { throw UnexpectedResult(result: result) }
        return report
    }

    private struct UnexpectedResult: Error { let result: ServedPutResult }

    private func text(_ name: String) async throws -> String? {
        try await served.items(named: [name]).first.map { String(decoding: $0.content, as: UTF8.self) }
    }

    private func changes(after number: Int) async throws -> [String] {
        try await served.changes(after: number, upTo: .max, limit: 100).map { ($0.isGone ? "-" : "+") + $0.name }
    }

    @Test func `the tag of a card is stored with its name, also for names of before`() async throws {
        let made = try await fixture.add("Ada", "Bob")
        let names = made.map { "\($0.id).vcf" }
        let entries = try await served.entries(after: nil, limit: 10)
        let items = try await served.items(named: names)
        #expect(entries == items.map(\.entry).sorted { $0.name < $1.name })
        #expect(try await served.entries(named: names + ["none.vcf"]) == items.map(\.entry))
        #expect(items.allSatisfy { $0.entry.etag.utf8.count == 32 && $0.entry.length == $0.content.count })
        _ = try await fixture.plugin.update(made[0].id, operation: fixture.operation()) { $0.note = "x" }
        let changed = try #require(try await served.entries(named: [names[0]]).first)
        #expect(changed.etag != items[0].entry.etag && changed.length > items[0].entry.length)
        // A store of an earlier version has numbers without tags.
        try await fixture.contacts.store.write(fixture.operation()) { transaction in
            try transaction.run("UPDATE contacts_href SET etag = '', length = 0")
        }
        #expect(try await served.entries(named: names) == [changed, items[1].entry])
    }

    @Test func `what was there before any device is told, and each change once`() async throws {
        let made = try await fixture.add("Ada", "Bob")
        let first = try await served.state()
        #expect(first.number == 2 && first.epoch.count == 16)
        #expect(try await served.count() == 2)
        #expect(try await served.entries(after: nil, limit: 10).map(\.name) == made.map { "\($0.id).vcf" }.sorted())
        let id = made[0].id
        _ = try await fixture.plugin.update(id, operation: fixture.operation()) { $0.note = "x" }
        _ = try await fixture.plugin.update(id, operation: fixture.operation()) { $0.note = "y" }
        #expect(try await changes(after: first.number) == ["+\(id).vcf"])
        let second = try await served.state().number
        try await fixture.plugin.rebuildIndex()
        #expect(try await served.state().number == second, "a rebuilt index is no change")
        _ = try await fixture.plugin.entities.delete([id], operation: fixture.operation())
        #expect(try await changes(after: second) == ["-\(id).vcf"])
        _ = try await fixture.plugin.entities.restore([id], operation: fixture.operation())
        let third = try await served.state().number
        #expect(try await changes(after: second) == ["+\(id).vcf"])
        _ = try await fixture.database.history.undo(as: fixture.operation("undo"))
        #expect(try await changes(after: third) == ["-\(id).vcf"], "undo is a change too")
        let fourth = try await served.state().number
        try await fixture.importing("BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Zoe\r\nEND:VCARD\r\n")
        #expect(try await changes(after: fourth).count == 1, "an import is seen")
    }

    @Test func `a card is stored as sent under the name that the device chose`() async throws {
        let content = Self.card("FN:Ada", "X-CUSTOM:1")
        let made = try stored(try await put("my card.vcf", content))
        #expect(made.isNew && made.content == content && made.entry.name == "my card.vcf")
        let before = try await served.state().number
        let again = try stored(
            try await put("my card.vcf", content, base: content, condition: .matches([made.entry.etag])))
        #expect(!again.isChanged && again.entry.etag == made.entry.etag)
        #expect(try await served.state().number == before, "equal bytes are no change")
        #expect(try await fixture.database.history.operations(limit: 10).count == 1)
        let anonymous = try stored(
            try await put(nil, Array("BEGIN:VCARD\r\nVERSION:3.0\r\nFN:B\r\nEND:VCARD\r\n".utf8)))
        #expect(String(decoding: anonymous.content, as: UTF8.self).contains("UID:"))
    }

    @Test func `a program that drops what it does not know loses nothing`() async throws {
        let full = Self.card("FN:Ada", "TEL;TYPE=HOME;X-ID=7:1", "EMAIL:a@x", "X-CUSTOM:1", "GENDER:F")
        _ = try await put("a.vcf", full)
        let sent = Self.card("FN:Ada", "TEL;TYPE=HOME:1", "NOTE:new")
        let merged = try stored(try await put("a.vcf", sent, base: full))
        #expect(merged.isChanged && merged.content != sent && merged.conflicts.isEmpty)
        let text = try #require(try await text("a.vcf"))
        #expect(text.contains("X-CUSTOM:1") && text.contains("GENDER:F") && text.contains("NOTE:new"))
        #expect(text.contains("TEL;TYPE=HOME;X-ID=7:1"))
        #expect(!text.contains("EMAIL"), "what every program shows was removed by the person")
        let knowing = try stored(try await put("a.vcf", sent, base: Array(text.utf8), known: ["X-CUSTOM"]))
        #expect(!String(decoding: knowing.content, as: UTF8.self).contains("X-CUSTOM"))
        #expect(String(decoding: knowing.content, as: UTF8.self).contains("GENDER:F"))
    }

    @Test func `edits on both sides survive, and the device wins what both changed`() async throws {
        let base = Self.card("FN:Ada", "TITLE:a")
        _ = try await put("a.vcf", base)
        let id = try #require(try await fixture.plugin.search("Ada").rows.first?.id)
        _ = try await fixture.plugin.update(id, operation: fixture.operation()) { $0.note = "here" }
        let both = try stored(try await put("a.vcf", Self.card("FN:Ada", "TITLE:b"), base: base))
        #expect(both.conflicts.isEmpty)
        let text = String(decoding: both.content, as: UTF8.self)
        #expect(text.contains("NOTE:here") && text.contains("TITLE:b"))
        let lost = try stored(try await put("a.vcf", Self.card("FN:Ada", "TITLE:c", "NOTE:here"), base: base))
        #expect(lost.conflicts == ["title"])
        #expect(String(decoding: lost.content, as: UTF8.self).contains("TITLE:c"))
        let kept = try stored(
            try await put("a.vcf", Self.card("FN:Ada", "TITLE:d", "TEL:9"), base: base, keepsStored: true))
        #expect(kept.conflicts == ["title"])
        let last = String(decoding: kept.content, as: UTF8.self)
        #expect(last.contains("TITLE:c") && last.contains("TEL:9"))
        // Without a base nothing is removed.
        let unknown = try stored(try await put("a.vcf", Self.card("FN:Ada", "TITLE:c")))
        #expect(!unknown.isChanged && unknown.content == kept.content)
    }

    @Test func `conditions, UIDs and bodies are checked`() async throws {
        let content = Self.card("FN:Ada")
        #expect(try await put("a.vcf", content, condition: .matches(nil)) == .refused(nil))
        let made = try stored(try await put("a.vcf", content, condition: .isNew))
        #expect(try await put("a.vcf", content, condition: .isNew) == .refused(made.entry))
        #expect(try await put("a.vcf", content, condition: .matches(["other"])) == .refused(made.entry))
        #expect(try await put("b.vcf", content) == .sameUID("a.vcf"))
        #expect(try await put("a.vcf", Self.card("FN:Ada", uid: "u2")) == .otherUID)
        #expect(try await put("c.vcf", Array("hello".utf8)) == .wrongType)
        guard case .invalid = try await put("c.vcf", content + Self.card("FN:B", uid: "u3")) else {
            Issue.record("two cards were stored")
            return
        }
    }

    @Test func `a removed card comes back by the same UID, and every device learns of it`() async throws {
        _ = try await put("a.vcf", Self.card("FN:Ada", "X-CUSTOM:1"))
        let start = try await served.state().number
        #expect(try await served.remove("a.vcf", if: .matches(["other"]), by: Self.author) != .removed)
        #expect(try await served.remove("a.vcf", if: .always, by: Self.author) == .removed)
        #expect(try await served.remove("a.vcf", if: .always, by: Self.author) == .missing)
        let back = try stored(try await put("new.vcf", Self.card("FN:Ada", "NOTE:n")))
        #expect(String(decoding: back.content, as: UTF8.self).contains("X-CUSTOM:1"))
        #expect(try await Set(changes(after: start)) == ["-a.vcf", "+new.vcf"])
        // The name is free for another one.
        _ = try stored(try await put("a.vcf", Self.card("FN:Bob", uid: "u2")))
        #expect(try await served.count() == 2)
        #expect(try await text("a.vcf")?.contains("Bob") == true)
    }

    @Test func `what a device did is undone by its name`() async throws {
        _ = try await put("a.vcf", Self.card("FN:Ada"), operation: "op1")
        _ = try await put("b.vcf", Self.card("FN:Bob", uid: "u2"), operation: "op1")
        let history = try await fixture.database.history.operations(limit: 10)
        #expect(history.map(\.commandLine) == ["phone (Test): change contacts"])
        #expect(history.map(\.who) == [.service("phone")])
        _ = try await fixture.database.history.undo("op1", as: fixture.operation("undo"))
        #expect(try await served.count() == 0)
    }

    @Test func `a smaller copy of the picture does not replace it`() async throws {
        func gif(_ side: UInt8) -> String {
            Base64.encode(Array("GIF89a".utf8) + [side, 0, side, 0] + [0, 0, 0, side])
        }
        let large = Self.card("FN:Ada", "PHOTO;ENCODING=b;TYPE=GIF:\(gif(100))")
        _ = try await put("a.vcf", large)
        let small = try stored(
            try await put("a.vcf", Self.card("FN:Ada", "PHOTO;ENCODING=b;TYPE=GIF:\(gif(50))"), base: large))
        #expect(!small.isChanged)
        let larger = try stored(
            try await put("a.vcf", Self.card("FN:Ada", "PHOTO;ENCODING=b;TYPE=GIF:\(gif(200))"), base: large))
        #expect(larger.isChanged)
        let gone = try stored(try await put("a.vcf", Self.card("FN:Ada"), base: larger.content))
        #expect(!String(decoding: gone.content, as: UTF8.self).contains("PHOTO"))
    }
}
