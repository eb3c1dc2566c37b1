import HubKit
import NotesDomain
import SQLite
import Storage
import Testing

@testable import Notes

/// Texts with their history in the store.
struct TextTests {
    @Test func `a new note has its text, its history and its event`() async throws {
        let fixture = try NotesFixture()
        let note = try await fixture.make("Shopping", "- milk", tags: ["#Home", "home"], folder: "lists")
        #expect(note.title == "Shopping" && note.content == "- milk" && note.tags == ["Home"])
        #expect(note.folder == "lists" && note.revision == 1)
        #expect(try await fixture.topics() == ["domain.notes/note-created"])
        #expect(try await fixture.notes.firstDamagedNote() == nil)
    }

    @Test func `undo of an edit is an inverse edit that keeps what others wrote since`() async throws {
        let fixture = try NotesFixture()
        let note = try await fixture.make("Shopping", "milk\n")
        _ = try await fixture.notes.append("bread", to: note.id, operation: fixture.operation("notes append"))
        try await fixture.write("eggs\nmilk\nbread\n", to: note.id, who: .service("maria"))
        try await fixture.undo()
        #expect(try await fixture.get(note.id).content == "eggs\nmilk\n\n")
        try await fixture.redo()
        #expect(try await fixture.get(note.id).content == "eggs\nmilk\nbread\n")
        try await fixture.undo()
        #expect(try await fixture.get(note.id).content == "eggs\nmilk\n\n")
        try await fixture.redo()
        #expect(try await fixture.get(note.id).content == "eggs\nmilk\nbread\n")
        #expect(try await fixture.notes.firstDamagedNote() == nil)
    }

    @Test(arguments: [
        ("a\r\nb\r\n", "c", "a\r\nb\r\nc"), ("a\r\nb", "c\nd", "a\r\nb\r\nc\r\nd"), ("a\nb\n", "c", "a\nb\nc"),
        ("a", "c\r\nd", "a\nc\r\nd"), ("", "c", "c"),
    ]) func `what is appended has the line ends of the text`(text: String, added: String, expected: String) async throws
    {
        let fixture = try NotesFixture()
        let note = try await fixture.make("", text)
        let content = try await fixture.notes.append(added, to: note.id, operation: fixture.operation()).content
        #expect(Array(content.utf8) == Array(expected.utf8))
    }

    @Test func `undo of an append takes back what was appended, not words like it`() async throws {
        let fixture = try NotesFixture()
        let note = try await fixture.make("Trades", "buy one")
        let append = fixture.operation("notes append")
        _ = try await fixture.notes.append("sell one", to: note.id, operation: append)
        try await fixture.write("buy one two\nsell one", to: note.id, who: .service("maria"))
        try await fixture.undo(append.id)
        #expect(try await fixture.get(note.id).content == "buy one two")
    }

    @Test func `a merge may make a text larger than what may be typed, which then may only become shorter`()
        async throws
    {
        let fixture = try NotesFixture()
        let note = try await fixture.make("Title")
        func set(_ size: Int, isMerge: Bool) async throws {
            try await fixture.store.write(fixture.operation()) { transaction in
                try transaction.changeTexts(of: note.id, isMerge: isMerge) {
                    try $0.set(title: String(repeating: "x", count: size), by: $1)
                }
            }
        }
        let limit = NoteLimits.title
        await #expect(throws: HubError.self) { try await set(limit + 1, isMerge: false) }
        try await set(limit + 10, isMerge: true)
        await #expect(throws: HubError.self) { try await set(limit + 11, isMerge: false) }
        try await set(limit + 9, isMerge: false)
        await #expect(throws: HubError.self) { try await set(4 * limit + 1, isMerge: true) }
        #expect(try await fixture.get(note.id).title.utf8.count == limit + 9)
    }

    @Test func `a deleted text comes back where it was`() async throws {
        let fixture = try NotesFixture()
        let note = try await fixture.make("Poem", "one\ntwo\nthree\n")
        try await fixture.write("one\nthree\n", to: note.id)
        try await fixture.write("zero\none\nthree\nfour\n", to: note.id, who: .service("maria"))
        try await fixture.undo()
        #expect(try await fixture.get(note.id).content == "zero\none\ntwo\nthree\nfour\n")
    }

    @Test func `undo of a new note removes it, and redo brings it back with its text`() async throws {
        let fixture = try NotesFixture()
        let note = try await fixture.make("Shopping", "milk", tags: ["home"])
        try await fixture.undo()
        await #expect(throws: HubError.self) { try await fixture.get(note.id) }
        #expect(try await fixture.notes.search("milk", limit: 10).total == 0)
        try await fixture.redo()
        let again = try await fixture.get(note.id)
        #expect(again.content == "milk" && again.title == "Shopping" && again.tags == ["home"])
        #expect(try await fixture.notes.search("milk", limit: 10).total == 1)
        try await fixture.write("milk and bread", to: note.id)
        #expect(try await fixture.notes.firstDamagedNote() == nil)
    }

    @Test func `the text of a note whose creation was undone goes with the trash`() async throws {
        let fixture = try NotesFixture()
        let note = try await fixture.make("Secret", "xyzzy")
        try await fixture.undo()
        try await fixture.store.write(fixture.operation("trash empty")) { try $0.compactNotes() }
        let left = try await fixture.store.read { transaction in
            try transaction.row("SELECT count(*) FROM notes_events WHERE note = ?", note.id) { $0.int(0) }
        }
        #expect(left == 0)
        let error = await #expect(throws: HubError.self) { try await fixture.redo() }
        #expect(error?.code == "note-text-gone")
        await #expect(throws: HubError.self) { try await fixture.get(note.id) }
    }

    @Test func `a note that comes again after its creation was undone keeps its text when something else is undone`()
        async throws
    {
        let fixture = try NotesFixture()
        let note = try await fixture.make("Shopping", "milk")
        try await fixture.undo()
        try await fixture.store.write(fixture.operation("notes sync")) { transaction in
            _ = try transaction.insertNote(id: note.id)
            try transaction.reindexNotes([note.id])
        }
        #expect(try await fixture.get(note.id).content == "milk")
        _ = try await fixture.notes.setPinned(true, of: [note.id], operation: fixture.operation())
        try await fixture.undo()
        #expect(try await fixture.get(note.id).content == "milk")
        #expect(try await fixture.notes.firstDamagedNote() == nil)
    }

    @Test func `revisions only grow, also by undo`() async throws {
        let fixture = try NotesFixture()
        let note = try await fixture.make("Shopping")
        var last = note.revision
        func next() async throws {
            let revision = try await fixture.get(note.id).revision
            #expect(revision > last)
            last = revision
        }
        _ = try await fixture.notes.setPinned(true, of: [note.id], operation: fixture.operation())
        try await next()
        try await fixture.undo()
        try await next()
        try await fixture.write("x", to: note.id)
        try await next()
        try await fixture.undo()
        try await next()
        try await fixture.notes.notes.delete([note.id], operation: fixture.operation())
        try await next()
        try await fixture.notes.notes.restore([note.id], operation: fixture.operation())
        try await next()
    }

    @Test func `an earlier version is restored as a new change`() async throws {
        let fixture = try NotesFixture()
        let note = try await fixture.make("Draft", "one", tags: ["a"])
        let then = fixture.clock.now
        fixture.clock.advance(by: .seconds(60))
        try await fixture.write("two", to: note.id)
        _ = try await fixture.notes.notes.setTags(of: [note.id], adding: ["b"], operation: fixture.operation())
        fixture.clock.advance(by: .seconds(60))
        let restored = try await fixture.notes.notes.restore(note.id, at: then, operation: fixture.operation())
        #expect(restored.content == "one" && restored.tags == ["a"])
        try await fixture.undo()
        let undone = try await fixture.get(note.id)
        #expect(undone.content == "two" && undone.tags == ["a", "b"])
    }

    @Test func `a text that is too large is refused with the limit`() async throws {
        let fixture = try NotesFixture()
        let error = await #expect(throws: HubError.self) {
            try await fixture.make("Big", String(repeating: "x", count: NoteLimits.content + 1))
        }
        #expect(error?.code == "note-too-large")
        #expect(try await fixture.notes.list(NoteFilter()).rows.isEmpty)
    }

    @Test func `history says what changed in words`() async throws {
        let fixture = try NotesFixture()
        let note = try await fixture.make("Shopping", "milk")
        _ = try await fixture.notes.append("bread", to: note.id, operation: fixture.operation("notes append"))
        _ = try await fixture.notes.setPinned(true, of: [note.id], operation: fixture.operation("notes pin"))
        let history = try await fixture.notes.notes.history(of: note.id)
        #expect(history.map(\.changes) == [["pinned"], ["text +6"], ["title +8", "text +4"]])
        #expect(history.map(\.verb) == ["changed", "changed", "created"])
    }

    @Test func `the differences name who wrote a line and when`() async throws {
        let fixture = try NotesFixture()
        let note = try await fixture.make("Shopping", "bread\nmilk\n")
        let then = fixture.clock.now
        fixture.clock.advance(by: .seconds(600))
        try await fixture.write("bread\ntomatoes\n", to: note.id, who: .service("maria"))
        fixture.clock.advance(by: .seconds(600))
        _ = try await fixture.notes.append("oat milk", to: note.id, operation: fixture.operation())
        let difference = try await fixture.notes.difference(of: note.id, since: then, until: fixture.clock.now)
        let changed = difference.lines.filter { $0.kind != .unchanged }
        #expect(changed.map(\.text) == ["milk", "tomatoes", "oat milk"])
        #expect(changed.map(\.person) == [nil, "maria", "you"])
        #expect(changed.map(\.at) == [nil, then + .seconds(600), then + .seconds(1200)])
    }

    @Test func `trash empty deletes a note with all its history`() async throws {
        let fixture = try NotesFixture()
        let note = try await fixture.make("Secret", "xyzzy", tags: ["t"])
        try await fixture.notes.notes.delete([note.id], operation: fixture.operation())
        #expect(try await fixture.notes.search("xyzzy", limit: 5).total == 0)
        fixture.clock.advance(by: .seconds(1))
        let count = try await fixture.notes.notes.emptyTrash(
            before: fixture.clock.now, operation: fixture.operation("trash empty"))
        #expect(count == 1)
        let left = try await fixture.store.read { transaction in
            try ["note", "tag", "edit", "effect", "text", "log", "batch", "entry"].map { table in
                try transaction.row("SELECT count(*) FROM notes_\(table)") { $0.int(0) } ?? -1
            }
        }
        #expect(left.allSatisfy { $0 == 0 })
    }
}
