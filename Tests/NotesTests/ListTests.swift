import HubKit
import NotesDomain
import Storage
import Testing

@testable import Notes

/// Lists, searches, selectors and links.
struct ListTests {
    @Test func `pinned notes come first, then the last changed`() async throws {
        let fixture = try NotesFixture()
        for (title, folder) in [("A", "trips"), ("B", "trips/ideas"), ("C", "tripshare")] {
            try await fixture.make(title, folder: folder)
            fixture.clock.advance(by: .seconds(1))
        }
        let first = try await fixture.notes.list(NoteFilter()).rows
        #expect(first.map(\.title) == ["C", "B", "A"])
        _ = try await fixture.notes.setPinned(true, of: [first[2].id], operation: fixture.operation())
        #expect(try await fixture.notes.list(NoteFilter()).rows.map(\.title) == ["A", "C", "B"])
        var filter = NoteFilter()
        filter.folder = "trips"
        filter.order = .title
        #expect(try await fixture.notes.list(filter).rows.map(\.title) == ["A", "B"])
        #expect(try await fixture.notes.list(NoteFilter(), limit: 1).total == 3)
    }

    @Test(arguments: [false, true])
    func `the parts of the list are those of the whole, across the pinned notes`(isReversed: Bool) async throws {
        let fixture = try NotesFixture()
        for number in 0..<12 {
            let note = try await fixture.make("Note \(number)")
            if number % 4 == 0 {
                _ = try await fixture.notes.setPinned(true, of: [note.id], operation: fixture.operation())
            }
            if number == 5 { try await fixture.notes.notes.delete([note.id], operation: fixture.operation()) }
            // Some have changed at the same time.
            if number % 3 == 0 { fixture.clock.advance(by: .seconds(1)) }
        }
        var filter = NoteFilter()
        filter.isReversed = isReversed
        let all = try await fixture.store.read { [filter] in try $0.listNotes(filter).map(\.id) }
        for limit in 1...12 {
            var parts: [String] = []
            for offset in stride(from: 0, to: 12, by: limit) {
                let page = try await fixture.notes.rows(filter, offset: offset, limit: limit)
                #expect(page.total == 11 && page.pinned == 3)
                parts += page.rows.map(\.note.id)
            }
            #expect(parts == all)
        }
    }

    @Test func `a search folds case and accents and takes beginnings`() async throws {
        let fixture = try NotesFixture()
        try await fixture.make("Łódź", "Die Müller kommen")
        try await fixture.make("Other", "muller\nŁodz", tags: ["Überblick"])
        func found(_ text: String) async throws -> [String] {
            try await fixture.notes.search(text, limit: 10).hits.map(\.note.title)
        }
        #expect(try await found("lodz") == ["Łódź", "Other"])
        #expect(try await found("mueller") == ["Łódź"])
        #expect(try await found("MULL").count == 2)
        #expect(try await found("uberblick") == ["Other"])
        #expect(try await found("nothing") == [])
        #expect(try await found("\"; DROP (") == [])
        let hit = try await fixture.notes.search("kommen", limit: 1).hits[0]
        #expect(hit.snippet.text == "Die Müller kommen")
    }

    @Test func `text beyond the folding limit is found too`() async throws {
        let fixture = try NotesFixture()
        try await fixture.make("Long", String(repeating: "word ", count: 30_000) + "needle")
        #expect(try await fixture.notes.search("needle", limit: 1).total == 1)
    }

    @Test func `links lead to titles, and back`() async throws {
        let fixture = try NotesFixture()
        let shopping = try await fixture.make("Shopping", "see [[recipes]] and [[Nowhere]]")
        let recipes = try await fixture.make("Recipes", "`[[Code]]` [[Shopping|the list]]")
        let links = try await fixture.notes.links(of: shopping.id)
        #expect(links.map(\.direction) == [.to, .broken, .from])
        #expect(links.map { $0.note?.id } == [recipes.id, nil, recipes.id])
        var broken = NoteFilter()
        broken.hasBrokenLinks = true
        #expect(try await fixture.notes.list(broken).rows.map(\.id) == [shopping.id])
        try await fixture.make("nowhere")
        #expect(try await fixture.notes.list(broken).rows.isEmpty)
        try await fixture.notes.notes.delete([recipes.id], operation: fixture.operation())
        #expect(try await fixture.notes.links(of: shopping.id).map(\.direction) == [.broken, .to])
    }

    @Test func `selectors prefer the exact title`() async throws {
        let fixture = try NotesFixture()
        let shopping = try await fixture.make("Shopping")
        try await fixture.make("Shopping in Berlin")
        let berlin = try await fixture.make("Trip", "all about the shopping in Prague")
        #expect(try await fixture.notes.notes.resolve("shopping").map(\.id) == [shopping.id])
        #expect(try await fixture.notes.notes.resolve("prague").map(\.id) == [berlin.id])
        #expect(try await fixture.notes.notes.resolve("last").map(\.id) == [berlin.id])
        await #expect(throws: HubError.self) { try await fixture.notes.notes.resolve("nothing at all") }
    }
}
