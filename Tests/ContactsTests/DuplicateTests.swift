import Commands
import ContactsDomain
import HubKit
import HubKitTesting
import Storage
import System
import TestSupport
import Testing

@testable import Contacts

struct DuplicateTests {
    private func card(_ lines: String...) -> String {
        (["BEGIN:VCARD", "VERSION:3.0"] + lines + ["END:VCARD", ""]).joined(separator: "\r\n")
    }

    @Test(arguments: 0..<12 as Range<UInt64>)
    func `what is found is what comparing everybody with everybody finds`(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let book = try ContactsFixture(rules: IndexingOptions(locale: "en", region: "PL"))
        try await book.importing((0..<60).map { randomCard($0, &random) }.joined())
        let rows = try await book.contacts.read { transaction in
            try transaction.contacts(ContactFilter()).compactMap { try transaction.contact($0.id) }
        }
        .sorted { Int($0.card.details.uidText ?? "") ?? 0 < Int($1.card.details.uidText ?? "") ?? 0 }
        let region = book.contacts.rules.callingCode
        let profiles = rows.map {
            DuplicateProfile(id: $0.id, $0.card.details, content: $0.card.contentHash, region: region)
        }
        let keys = rows.map { row -> Set<UInt64> in
            let entry = ContactIndexRow(id: row.id, row.card.details, book.contacts.rules)
            return Set(
                DuplicateKeys.keys(
                    name: Array(entry.name.utf8), reach: Array(entry.reach.utf8), birthday: entry.birthday))
        }
        var pairs: [[Int]] = []
        for left in rows.indices {
            for right in rows.indices where left < right && !keys[left].isDisjoint(with: keys[right]) {
                pairs.append([left, right])
            }
        }
        for limit in DuplicateTier.allCases {
            let links = DuplicateFinder(profiles, apart: [], upTo: limit).links(in: pairs)
            let expected = DuplicateClusters(profiles, apart: []).clusters(of: links)
            let found = try await book.plugin.findDuplicates(upTo: limit)
            #expect(
                Set(found.map { Set($0.members.map(\.id)) })
                    == Set(expected.map { Set($0.members.map { profiles[$0].id }) }),
                "seed \(seed), \(limit)")
            #expect(found.map(\.tier) == expected.map(\.tier), "seed \(seed), \(limit)")
        }
    }

    private func randomCard(_ number: Int, _ random: inout SeededGenerator) -> String {
        func pick(_ values: [String]) -> String { values.randomElement(using: &random) ?? "" }
        var lines = ["BEGIN:VCARD", "VERSION:3.0", "UID:\(number)"]
        let given = pick(["John", "Jon", "Johnny", "Ann", "Anna", "Zoë", "J.", "Łukasz", "Lukasz"])
        let family = pick(["Smith", "Smyth", "Müller", "Mueller", "Nowak"])
        switch Int.random(in: 0..<5, using: &random) {
        case 0: lines.append("FN:\(family) \(given)")
        case 1: lines.append("N:\(family);\(given);\(pick(["", "A.", "B."]));;\(pick(["", "Jr.", "Sr."]))")
        case 2: break
        default: lines.append("FN:\(given) \(family)")
        }
        if Bool.random(using: &random) { lines.append("EMAIL:\(pick(["a", "b", "c", "d", "e", "f"]))@x.org") }
        if Bool.random(using: &random) {
            lines.append(
                "TEL:\(pick(["+48 601 234 567", "601234567", "0048601234567", "22 123 45 67", "1234567", "5555555"]))")
        }
        if Int.random(in: 0..<3, using: &random) == 0 {
            lines.append("BDAY:\(pick(["1980-01-01", "--0101", "1981-01-01", "1990-05-05"]))")
        }
        if Int.random(in: 0..<3, using: &random) == 0 { lines.append("ORG:\(pick(["Acme", "ACME", "Hooli"]))") }
        if Int.random(in: 0..<4, using: &random) == 0 {
            lines.append("ADR:;;\(pick(["Long St 5", "long st. 5"]));;;12345;")
        }
        return (lines + ["END:VCARD", ""]).joined(separator: "\r\n")
    }

    private func ids(_ book: ContactsFixture) async throws -> [String] {
        try await book.plugin.filter(ContactFilter()).map(\.id)
    }

    private func cards(_ book: ContactsFixture) async throws -> [String: [UInt8]] {
        var cards: [String: [UInt8]] = [:]
        for id in try await ids(book) { cards[id] = try await book.plugin.entities.get(id).card.bytes }
        return cards
    }

    private var pair: String {
        card("UID:1", "FN:Ada Lovelace", "EMAIL:ada@x.org", "TEL:1234567", "REV:2026-01-01T00:00:00Z")
            + card("UID:2", "FN:Ada Lovelace", "EMAIL:ADA@x.org", "X-odd: kept", "REV:20260201T000000Z")
    }

    @Test(arguments: ContactsFixture.Place.allCases)
    func `a merge is one step that undo takes back to the byte`(place: ContactsFixture.Place) async throws {
        let book = try ContactsFixture(place)
        try await book.importing(pair + card("UID:3", "FN:Zoe"))
        let before = try await cards(book)
        let group = try #require(try await book.plugin.findDuplicates().first)
        #expect(group.members.map(\.email) == ["ADA@x.org", "ada@x.org"], "the one that was revised last stays")
        #expect(group.tier == .strong)
        #expect(group.evidence == ["same e-mail ada@x.org", "same name"])
        let (keep, drop) = (group.keep.id, group.drop.map(\.id))
        let planned = try await book.plugin.planMerge(keep: keep, drop: drop)
        #expect(try await cards(book) == before)
        let result = try await book.plugin.merge(keep: keep, drop: drop, operation: book.operation("merge"))
        #expect(result.changes == planned.changes)
        #expect(result.changes == [FieldChange("phone", new: "1234567")])
        #expect(try await ids(book).count == 2)
        #expect(try await book.plugin.entities.get(drop[0]).mergedInto == keep)
        #expect(try await book.plugin.findDuplicates(upTo: .weak).isEmpty)
        #expect(try await book.plugin.indexProblems() == [])
        let after = try await cards(book)
        #expect(try await book.database.history.undo(as: book.operation("undo")).isPossible)
        #expect(try await cards(book) == before)
        #expect(try await book.plugin.entities.get(drop[0]).mergedInto == nil)
        #expect(try await book.plugin.indexProblems() == [])
        #expect(try await book.database.history.redo(as: book.operation("redo")).isPossible)
        #expect(try await cards(book) == after)
        #expect(try await book.plugin.indexProblems() == [])
        try await book.plugin.entities.restore(drop, operation: book.operation("restore"))
        #expect(try await book.plugin.entities.get(drop[0]).mergedInto == nil)
    }

    @Test(arguments: ContactsFixture.Place.allCases)
    func `groups and relatives follow a merge, and undo takes it back`(place: ContactsFixture.Place) async throws {
        let book = try ContactsFixture(place)
        let (one, two) = ("00000000-0000-4000-8000-00000000000A", "00000000-0000-4000-8000-00000000000B")
        try await book.importing(
            card("UID:\(one)", "FN:Ada Lovelace", "EMAIL:a@x")
                + card("UID:urn:uuid:\(two)", "FN:Ada King", "RELATED:urn:uuid:\(one)")
                + card("UID:g", "FN:Choir", "KIND:group", "MEMBER:urn:uuid:\(two)", "MEMBER:urn:uuid:other")
                + card(
                    "UID:h", "FN:Both", "X-ADDRESSBOOKSERVER-KIND:group",
                    "X-ADDRESSBOOKSERVER-MEMBER:urn:uuid:\(one)", "X-ADDRESSBOOKSERVER-MEMBER:urn:uuid:\(two)")
                + card("UID:c", "FN:Child", "RELATED;TYPE=parent:urn:uuid:\(two)", "RELATED;VALUE=text:\(two)")
                + card("UID:z", "FN:Zoe", "MEMBER:urn:uuid:other"))
        let before = try await cards(book)
        let all = try await ids(book)
        func id(_ name: String) async throws -> String {
            for id in all where try await book.plugin.entities.get(id).summary.name == name { return id }
            throw HubError(.notFound, code: "test", name)
        }
        let (keep, drop) = (try await id("Ada Lovelace"), try await id("Ada King"))
        let merge = try await book.plugin.merge(keep: keep, drop: [drop], operation: book.operation("merge"))
        #expect(Set(merge.referrers.map(\.name)).isSuperset(of: ["Choir", "Both", "Child"]))
        func lines(_ name: String) async throws -> [String] {
            let card = try await book.plugin.entities.get(try await id(name)).card
            return String(decoding: card.bytes, as: UTF8.self).split(whereSeparator: \.isNewline).map(String.init)
                .filter { $0.contains("MEMBER") || $0.contains("RELATED") }
        }
        #expect(try await lines("Choir") == ["MEMBER:urn:uuid:\(one)", "MEMBER:urn:uuid:other"])
        #expect(try await lines("Both") == ["X-ADDRESSBOOKSERVER-MEMBER:urn:uuid:\(one)"])
        #expect(
            try await lines("Child") == ["RELATED;TYPE=parent:urn:uuid:\(one)", "RELATED;VALUE=text:\(two)"])
        #expect(try await lines("Ada Lovelace") == [])
        #expect(try await book.plugin.indexProblems() == [])
        #expect(try await book.database.history.undo(as: book.operation("undo")).isPossible)
        #expect(try await cards(book) == before)
    }

    @Test func `merging publishes the change and the removals`() async throws {
        let book = try ContactsFixture()
        try await book.importing(pair)
        let all = try await ids(book)
        _ = try await book.plugin.merge(keep: all[0], drop: [all[1]], operation: book.operation())
        let events = try await book.database.store(for: "core").read { transaction in
            try transaction.recentEvents(matching: [.everything], since: nil, limit: 1000)
        }
        let told = events.map { "\($0.topic) \($0.subject)" }
        #expect(told.contains("domain.contacts/contact-removed \(all[1])"))
        #expect(told.contains("domain.contacts/contact-changed \(all[0])"))
    }

    @Test func `contacts that take the place of deleted ones with the same content are found`() async throws {
        let book = try ContactsFixture()
        func known() async throws -> [Set<String>] {
            while true {
                let known = try await book.plugin.knownDuplicates(upTo: .weak)
                if !known.isSearching { return known.groups.map { Set($0.members.map(\.id)) } }
                await Task.yield()
            }
        }
        for _ in 0..<2 {
            let all = try await book.add("Ada Lovelace", "Ada Lovelace").map(\.id)
            #expect(try await known() == [Set(all)])
            try await book.plugin.entities.delete(all, operation: book.operation())
        }
        #expect(try await known().isEmpty)
    }

    @Test func `a contact cannot be merged into itself or with an unknown one`() async throws {
        let book = try ContactsFixture()
        let all = try await book.add("Ann", "Bob").map(\.id)
        let before = try await cards(book)
        for drop in [[], [all[0]], [all[1], all[1]], [all[1], "0a"]] {
            await #expect(throws: HubError.self) {
                _ = try await book.plugin.merge(keep: all[0], drop: drop, operation: book.operation())
            }
        }
        #expect(try await cards(book) == before)
    }

    @Test func `what must be chosen is taken from the first that differs`() async throws {
        let book = try ContactsFixture()
        try await book.importing(
            card("UID:1", "FN:A", "TITLE:one") + card("UID:2", "FN:B", "TITLE:one")
                + card("UID:3", "FN:C", "TITLE:three"))
        let all = try await ids(book)
        let result = try await book.plugin.merge(
            keep: all[0], drop: [all[1], all[2]], taking: [.name, .title], operation: book.operation())
        #expect(result.kept.name == "B")
        #expect(try await book.plugin.entities.get(all[0]).details.title == "three")
        #expect(result.conflicts.map(\.values) == [MergeConflict(.name, kept: "B", dropped: "C")])
    }

    @Test func `different people are never proposed again, until that is undone`() async throws {
        let book = try ContactsFixture()
        try await book.importing(pair)
        let all = try await ids(book)
        #expect(try await book.plugin.markDistinct(all, operation: book.operation("apart")) == 1)
        #expect(try await book.plugin.markDistinct(all.reversed(), operation: book.operation("apart")) == 0)
        #expect(try await book.plugin.findDuplicates(upTo: .weak).isEmpty)
        #expect(try await book.database.history.undo(as: book.operation("undo")).isPossible)
        #expect(try await book.plugin.findDuplicates().count == 1)
        #expect(try await book.database.history.redo(as: book.operation("redo")).isPossible)
        #expect(try await book.plugin.findDuplicates().isEmpty)
        try await book.plugin.entities.delete([all[0]], operation: book.operation())
        _ = try await book.plugin.entities.emptyTrash(before: book.clock.now + .seconds(1), operation: book.operation())
        #expect(try await book.contacts.read { try $0.contactsApart() }.isEmpty, "nothing remembers who is destroyed")
    }

    @Test func `what needs no decision is merged in one step`() async throws {
        let book = try ContactsFixture()
        let twins = card("UID:5", "FN:Bob", "X-A:1") + card("UID:6", "FN:Bob", "X-A:2")
        let conflict = card("UID:7", "FN:Jon Smith", "EMAIL:j@x.org") + card("UID:8", "FN:John Smith", "EMAIL:j@x.org")
        try await book.importing(pair + twins + conflict)
        let bobs = try await book.plugin.entities.resolve("bob").map(\.id)
        _ = try await book.plugin.update(bobs[0], operation: book.operation()) { $0.note = "same" }
        // Two cards become equal by an edit.
        try await book.contacts.store.write(book.operation()) { transaction in
            try transaction.updateContact(bobs[1], card: try #require(try transaction.contact(bobs[0])).card)
            try transaction.reindexContacts(bobs)
        }
        let before = try await cards(book)
        let planned = try await book.plugin.mergeSafeDuplicates(operation: book.operation(), isDryRun: true)
        #expect(try await cards(book) == before)
        let merged = try await book.plugin.mergeSafeDuplicates(operation: book.operation("auto-safe"))
        #expect(merged.map(\.kept.name) == ["Bob", "Ada Lovelace"])
        #expect(planned.map(\.kept.id) == merged.map(\.kept.id))
        #expect(try await book.plugin.findDuplicates().map(\.tier) == [.strong])
        #expect(try await book.database.history.undo(as: book.operation("undo")).isPossible)
        #expect(try await cards(book) == before)
    }

    // MARK: Importing again

    @Test func `the same file again makes nothing, with and without UID, before and after a merge`() async throws {
        let book = try ContactsFixture()
        let anonymous = card("FN:Bob Ross", "EMAIL:bob@x.org") + card("FN:Bob Ross", "EMAIL:bob@x.org", "TEL:7654321")
        try await book.importing(pair + anonymous)
        for _ in 0..<3 { #expect(try await book.importing(pair + anonymous).counts == [.unchanged: 4]) }
        #expect(try await book.plugin.mergeSafeDuplicates(operation: book.operation()).count == 2)
        for _ in 0..<3 { #expect(try await book.importing(pair + anonymous).counts == [.unchanged: 4]) }
        #expect(try await ids(book).count == 2)
        // What is edited away stays away, and nothing hangs on the trash.
        let bob = try #require(try await book.plugin.entities.resolve("bob").first).id
        _ = try await book.plugin.update(bob, operation: book.operation()) { $0.phones = [] }
        _ = try await book.plugin.entities.emptyTrash(before: book.clock.now + .seconds(1), operation: book.operation())
        for _ in 0..<3 {
            #expect(try await book.importing(pair + anonymous, isDryRun: true).counts == [.unchanged: 4])
            #expect(try await book.importing(pair + anonymous).counts == [.unchanged: 4])
        }
        #expect(try await book.plugin.entities.get(bob).details.phones == [])
        #expect(try await book.plugin.indexProblems() == [])
    }

    @Test func `a newer card of a merged contact is merged, and loses nothing`() async throws {
        let book = try ContactsFixture()
        try await book.importing(pair)
        let group = try #require(try await book.plugin.findDuplicates().first)
        _ = try await book.plugin.merge(
            keep: group.keep.id, drop: group.drop.map(\.id), operation: book.operation())
        let newer = card("UID:1", "FN:Ada Lovelace", "EMAIL:ada@x.org", "TEL:7777777")
        #expect(try await book.importing(newer, isDryRun: true).counts == [.updated: 1])
        #expect(try await book.importing(newer).counts == [.updated: 1])
        #expect(try await book.importing(newer).counts == [.unchanged: 1])
        #expect(try await ids(book) == [group.keep.id])
        let contact = try await book.plugin.entities.get(group.keep.id)
        #expect(Set(contact.details.phones.map(\.value)) == ["1234567", "7777777"])
        #expect(contact.details.uidText == "2")
        #expect(try await book.plugin.indexProblems() == [])
    }

    @Test func `a card that says what a contact says is that contact, whatever UID it comes under`() async throws {
        let book = try ContactsFixture()
        func export(_ first: Int) -> String {
            (0..<5).map { card("UID:\(first + $0)", "REV:2026010\($0)", "FN:Person \($0 / 2)", "TEL:100000\($0 / 2)") }
                .joined()
        }
        #expect(try await book.importing(export(0), isDryRun: true).counts == [.new: 3, .unchanged: 2])
        #expect(try await book.importing(export(0)).counts == [.new: 3, .unchanged: 2])
        for first in [100, 200, 300] {
            #expect(try await book.importing(export(first), isDryRun: true).counts == [.unchanged: 5])
            #expect(try await book.importing(export(first)).counts == [.unchanged: 5])
        }
        #expect(try await ids(book).count == 3)
        // It counts what a contact said when it came, what it says now, and not what lies in the trash.
        let first = try await ids(book)[0]
        _ = try await book.plugin.update(first, operation: book.operation()) { $0.note = "x" }
        #expect(try await book.importing(export(400)).counts == [.unchanged: 5])
        let edited = card("UID:900", "FN:Person 0", "TEL:1000000", "NOTE:x")
        #expect(try await book.importing(edited).counts == [.unchanged: 1])
        try await book.plugin.entities.delete([first], operation: book.operation())
        #expect(try await book.importing(edited).counts == [.new: 1])
    }
}
