import Commands
import HubKit
import NotesDomain
import Storage
import Testing

@testable import Notes

/// Notes that are made of events of other plugins.
struct FlowTests {
    private func transcribed(_ sequence: Int64, _ fixture: NotesFixture) -> StoredEvent {
        StoredEvent(
            sequence: sequence, at: fixture.clock.now, operation: nil,
            event: Event("app.dictofun/record-transcribed", subject: "3re") { body in
                body.name("name")
                body.value("memo")
                body.name("started")
                body.value("2026-11-20 09:41:00")
                body.name("text")
                body.value("Call…")
            })
    }

    private func content(_ text: String) -> (String) -> ItemContent? {
        { $0 == "dictofun:3re" ? ItemContent(title: "memo", text: text) : nil }
    }

    @Test func `a transcript becomes a note once`() async throws {
        let fixture = try NotesFixture()
        let event = transcribed(1, fixture)
        for _ in 1...2 { try await fixture.notes.createNote(of: event, content: content("Call the plumber.")) }
        let rows = try await fixture.notes.list(NoteFilter()).rows
        #expect(rows.map(\.title) == ["Record of 2026-11-20 09:41"])
        #expect(try await fixture.topics() == ["domain.notes/note-created"])
    }

    @Test func `a note has the whole text of a record, and names it`() async throws {
        let fixture = try NotesFixture()
        let text = (1...2000).map { "Sentence \($0)." }.joined(separator: " ")
        try await fixture.notes.createNote(of: transcribed(1, fixture), content: content(text))
        let id = try #require(try await fixture.notes.list(NoteFilter()).rows.first).id
        #expect(try await fixture.get(id).content == text + "\n\nRecord: dictofun:3re")
        // A record that is gone or has no text makes none.
        try await fixture.notes.createNote(of: transcribed(2, fixture)) { _ in nil }
        try await fixture.notes.createNote(of: transcribed(3, fixture), content: content(""))
        #expect(try await fixture.notes.list(NoteFilter()).total == 1)
    }

    @Test func `a text that is made again is merged with what was written since`() async throws {
        let fixture = try NotesFixture()
        try await fixture.notes.createNote(of: transcribed(1, fixture), content: content("Call the plummer."))
        let id = try #require(try await fixture.notes.list(NoteFilter()).rows.first).id
        _ = try await fixture.notes.append("Done.", to: id, operation: fixture.operation())
        try await fixture.notes.createNote(of: transcribed(2, fixture), content: content("Call the plumber."))
        #expect(try await fixture.get(id).content == "Call the plumber.\n\nRecord: dictofun:3re\nDone.")
        try await fixture.notes.notes.delete([id], operation: fixture.operation())
        try await fixture.notes.createNote(of: transcribed(3, fixture), content: content("Call somebody else."))
        #expect(try await fixture.notes.list(NoteFilter()).total == 0)
    }
}
