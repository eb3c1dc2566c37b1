import NotesDomain
import Storage
import Testing

@testable import Notes

/// The changes that clients of the server are told, page by page.
struct ChangePageTests {
    private let fixture: NotesFixture

    init() throws { fixture = try NotesFixture() }

    private func page(after change: Int, limit: Int = 64) async throws -> ChangePage {
        try await fixture.store.read { try $0.changePage(after: change, limit: limit) }
    }

    @Test func `each note is told once, and notes that change together are in one page`() async throws {
        var ids: [String] = []
        for number in 0..<5 { ids.append(try await fixture.make("note \(number)").id) }
        var (told, position, hasMore): ([String], Int, Bool) = ([], 0, true)
        while hasMore {
            let page = try await page(after: position, limit: 2)
            told += page.notes.map(\.note)
            (position, hasMore) = (page.end, page.hasMore)
        }
        #expect(told == ids)
        let all = ids
        try await fixture.store.write(fixture.operation()) { try $0.reindexNotes(all) }
        let together = try await page(after: position, limit: 2)
        #expect(Set(together.notes.map(\.note)) == Set(ids) && !together.hasMore)
    }

    @Test func `a change says whether access, other properties or only texts have changed`() async throws {
        let note = try await fixture.make("Plan", "text")
        _ = try await fixture.notes.share(note.id, with: ["maria", "jan"], operation: fixture.operation())
        let shared = try #require(try await page(after: 0).notes.first)
        #expect(shared.accessChange == shared.change && shared.metadata.access.members.contains("maria"))

        try await fixture.write("other", to: note.id)
        let written = try #require(try await page(after: shared.change).notes.first)
        #expect(!written.isMetadataChanged && written.accessChange == shared.change && written.agents.count == 1)

        _ = try await fixture.notes.unshare(note.id, from: ["maria"], operation: fixture.operation())
        let unshared = try #require(try await page(after: written.change).notes.first)
        #expect(unshared.revoked == ["maria"] && unshared.isMetadataChanged && unshared.agents.isEmpty)

        try await fixture.undo()
        let undone = try #require(try await page(after: unshared.change).notes.first)
        #expect(undone.revoked == [] && undone.metadata.access.members.contains("maria"))
    }

    @Test func `a note that is gone for good is told to those who could open it`() async throws {
        let note = try await fixture.make("Plan")
        _ = try await fixture.notes.share(note.id, with: ["maria"], operation: fixture.operation())
        let position = try await page(after: 0).end
        try await fixture.store.write(System.Operation("test", kind: .cache)) { try $0.destroyNote(note.id) }
        let gone = try await page(after: position)
        #expect(gone.notes.map(\.note) == [note.id] && gone.notes.allSatisfy(\.isPurged))
        #expect(gone.notes.first?.metadata.access.isUnlocked(for: "maria") == true)
        // Numbers never go back, or a client would miss what follows.
        let next = try await fixture.make("Next")
        #expect(try await page(after: gone.end).notes.map(\.note) == [next.id])
    }
}
