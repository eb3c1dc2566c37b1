import HubKit
import NotesDomain
import Storage
import TestSupport
import Testing
import TextCRDT

@testable import Notes

/// Edits of open pages, as the route of the page gets them, and the versions of texts.
struct ExchangeTests {
    private func frames(_ note: String, agent: String, _ requests: NoteRequest.Kind...) -> [ClientFrame] {
        [.hello(agent: agent, mode: .edits, cursor: nil)]
            + requests.enumerated().map { .request(NoteRequest($0.offset, note, $0.element)) }
    }

    private func texts(_ frames: [ServerFrame]) -> [TextDelta] {
        frames.compactMap { if case .text(let delta) = $0 { delta } else { nil } }
    }

    private func edit(_ base: Version, _ edits: [TextEdit], sequence: Int = 0) -> NoteRequest.Kind {
        .edit(EditRequest(field: .content, sequence: sequence, base: base, edits: edits))
    }

    @Test func `edits are merged at the version that they were made on, once`() async throws {
        let fixture = try NotesFixture()
        let note = try await fixture.make("Shopping", "bread")
        let opened = texts(
            try await fixture.notes.exchange(
                frames(note.id, agent: "page", .open(nil)), with: note.id, operation: fixture.operation()))
        #expect(
            opened.map(\.edits) == [
                [TextEdit(position: 0, inserted: "Shopping")], [TextEdit(position: 0, inserted: "bread")],
            ])
        let base = try #require(opened.last?.to)
        try await fixture.write("- bread", to: note.id)
        let sent = frames(note.id, agent: "page", edit(base, [TextEdit(position: 5, inserted: ", milk")]))
        let answer = texts(try await fixture.notes.exchange(sent, with: note.id, operation: fixture.operation()))
        #expect(answer.count == 2)
        #expect(answer.first?.edits == [TextEdit(position: 0, inserted: "- ")])
        #expect(answer.last?.acknowledged == 6)
        // A repeated request changes nothing, and is answered in the same way.
        let again = texts(try await fixture.notes.exchange(sent, with: note.id, operation: fixture.operation()))
        #expect(again.last?.acknowledged == 6)
        #expect(try await fixture.get(note.id).content == "- bread, milk")
    }

    @Test func `who edits a note without opening it gets what has changed, not the whole text`() async throws {
        let fixture = try NotesFixture()
        let note = try await fixture.make("Shopping", String(repeating: "bread ", count: 2000))
        let base = try await fixture.store.read { try $0.version(of: note.id) }.content
        try await fixture.write("- " + note.content, to: note.id)
        var session = ServerSession(actor: .local, name: "me", epoch: "e", latest: 0)
        _ = session.receive(ClientFrame.hello(agent: "page", mode: .edits, cursor: nil).text)
        let request = NoteRequest(
            1, note.id, edit(base, [TextEdit(position: 5, inserted: "s")]))
        let outcome = await fixture.notes.perform(request, of: session.client, as: "me", operation: fixture.operation())
        guard case .edited(let others?, let own) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(others.from == base && others.edits == [TextEdit(position: 0, inserted: "- ")])
        #expect(own.edits == [TextEdit(position: 7, inserted: "s")])
    }

    @Test func `one undo takes back all edits of an operation, and nothing that others wrote`() async throws {
        let fixture = try NotesFixture()
        let note = try await fixture.make("Shopping", "bread")
        let operation = fixture.operation("notes post edits")
        var base = try #require(
            texts(
                try await fixture.notes.exchange(
                    frames(note.id, agent: "page", .open(nil)), with: note.id, operation: operation)
            ).last?.to)
        for (step, word) in ["a", "b", "c"].enumerated() {
            let answer = try await fixture.notes.exchange(
                frames(note.id, agent: "page", edit(base, [TextEdit(position: step, inserted: word)], sequence: step)),
                with: note.id, operation: operation)
            base = try #require(texts(answer).last?.to)
        }
        #expect(try await fixture.get(note.id).content == "abcbread")
        try await fixture.write("abcbread and milk", to: note.id, who: .service("other"))
        try await fixture.undo(operation.id)
        #expect(try await fixture.get(note.id).content == "bread and milk")
    }

    @Test func `edits that the text cannot have, and those of a note in the trash, change nothing`() async throws {
        let fixture = try NotesFixture()
        let note = try await fixture.make("Shopping", "bread")
        let base = try await fixture.store.read { try $0.version(of: note.id) }.content
        await #expect(throws: HubError.self) {
            try await fixture.notes.exchange(
                frames(note.id, agent: "page", edit(base, [TextEdit(position: 60, inserted: "x")])), with: note.id,
                operation: fixture.operation())
        }
        let own = try await fixture.store.write(fixture.operation()) { try $0.agent() }
        await #expect(throws: HubError.self) {
            try await fixture.notes.exchange(
                frames(note.id, agent: own, edit(base, [TextEdit(position: 0, inserted: "x")])), with: note.id,
                operation: fixture.operation())
        }
        await #expect(throws: HubError.self) {
            try await fixture.notes.exchange([], with: note.id, operation: fixture.operation())
        }
        try await fixture.notes.notes.delete([note.id], operation: fixture.operation())
        await #expect(throws: HubError.self) {
            try await fixture.notes.exchange(
                frames(note.id, agent: "page", edit(base, [TextEdit(position: 0, inserted: "x")])), with: note.id,
                operation: fixture.operation())
        }
        #expect(try await fixture.get(note.id).content == "bread")
    }

    @Test func `a version ends with a pause, and each can be shown and restored`() async throws {
        let fixture = try NotesFixture()
        let note = try await fixture.make("Shopping", "bread")
        fixture.clock.advance(by: .seconds(10))
        _ = try await fixture.notes.append("milk", to: note.id, operation: fixture.operation())
        fixture.clock.advance(by: .seconds(600))
        _ = try await fixture.notes.append("coffee", to: note.id, operation: fixture.operation())
        let versions = try await fixture.notes.textVersions(of: note.id)
        #expect(versions.count == 2)
        let first = try await fixture.notes.text(of: note.id, at: versions[0].change)
        #expect(first.lines.filter { $0.kind == .added }.map(\.text) == ["bread", "milk"])
        let last = try await fixture.notes.text(of: note.id, at: versions[1].change)
        #expect(last.title == "Shopping" && last.titleBefore == "Shopping")
        #expect(last.lines.filter { $0.kind == .added }.map(\.text) == ["coffee"])
        _ = try await fixture.notes.restoreText(
            of: note.id, at: versions[0].change, operation: fixture.operation())
        #expect(try await fixture.get(note.id).content == "bread\nmilk")
        try await fixture.undo()
        #expect(try await fixture.get(note.id).content == "bread\nmilk\ncoffee")
    }

    @Test func `the list of the page has parts, filters and words of the text`() async throws {
        let fixture = try NotesFixture()
        let shopping = try await fixture.make("Shopping", "# Shopping\n\nbread and [[Menu]]", tags: ["home"])
        for number in 0..<5 { try await fixture.make("Note \(number)", "about shopping \(number)", folder: "work") }
        _ = try await fixture.notes.setPinned(true, of: [shopping.id], operation: fixture.operation())
        let page = try await fixture.notes.rows(NoteFilter(), offset: 0, limit: 2)
        #expect(page.total == 6 && page.pinned == 1)
        #expect(page.rows.map(\.note.name) == ["Shopping", "Note 4"])
        #expect(page.rows.first?.excerpt == "bread and [[Menu]]")
        #expect(
            try await fixture.notes.rows(NoteFilter(), offset: 2, limit: 2).rows.map(\.note.name) == [
                "Note 3", "Note 2",
            ])
        _ = try await fixture.notes.setPinned(false, of: [shopping.id], operation: fixture.operation())
        try await fixture.write("about shopping, changed", to: page.rows[1].note.id)
        var filter = NoteFilter(words: "shop")
        filter.prefersTitles = true
        #expect(try await fixture.notes.rows(filter, offset: 0, limit: 1).rows.map(\.note.name) == ["Shopping"])
        let filters = try await fixture.notes.filters()
        #expect(filters.folders.map(\.folder) == ["work"] && filters.folders.map(\.count) == [5])
        #expect(filters.counts.first { $0.filter == .broken }?.count == 1)
    }

    @Test func `a note of one key is made once`() async throws {
        let fixture = try NotesFixture()
        let draft = NoteDraft(title: "New")
        let first = try await fixture.notes.create(draft, key: "page1", operation: fixture.operation())
        #expect(try await fixture.notes.create(draft, key: "page1", operation: fixture.operation()).id == first.id)
        #expect(try await fixture.notes.create(draft, key: "page2", operation: fixture.operation()).id != first.id)
    }
}
