import HubKit
import NotesDomain
import Testing

@testable import Notes

/// Notes that are made of events of other plugins.
struct FlowTests {
    private func transcribed(_ text: String, sequence: Int64, _ fixture: NotesFixture) -> StoredEvent {
        StoredEvent(
            sequence: sequence, at: fixture.clock.now, operation: nil,
            event: Event("app.dictofun/record-transcribed", subject: "3re") { body in
                body.name("name")
                body.value("memo")
                body.name("started")
                body.value("2026-11-20 09:41:00")
                body.name("text")
                body.value(text)
            })
    }

    @Test func `a transcript becomes a note once`() async throws {
        let fixture = try NotesFixture()
        let event = transcribed("Call the plumber.", sequence: 1, fixture)
        try await fixture.notes.createNote(of: event)
        try await fixture.notes.createNote(of: event)
        let rows = try await fixture.notes.list(NoteFilter()).rows
        #expect(rows.map(\.title) == ["Record of 2026-11-20 09:41"])
        #expect(try await fixture.topics() == ["domain.notes/note-created"])
    }

    @Test func `a text that is made again is merged with what was written since`() async throws {
        let fixture = try NotesFixture()
        try await fixture.notes.createNote(of: transcribed("Call the plummer.", sequence: 1, fixture))
        let id = try #require(try await fixture.notes.list(NoteFilter()).rows.first).id
        _ = try await fixture.notes.append("Done.", to: id, operation: fixture.operation())
        try await fixture.notes.createNote(of: transcribed("Call the plumber.", sequence: 2, fixture))
        #expect(try await fixture.get(id).content == "Call the plumber.\nDone.")
        try await fixture.notes.notes.delete([id], operation: fixture.operation())
        try await fixture.notes.createNote(of: transcribed("Call somebody else.", sequence: 3, fixture))
        #expect(try await fixture.notes.list(NoteFilter()).total == 0)
    }
}
