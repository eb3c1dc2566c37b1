import HubKit
import NotesDomain
import Testing

@testable import Notes

/// Notes that everyone with their address can read.
struct PublishTests {
    private func token(_ url: String) -> String { String(url.split(separator: "/").last ?? "") }

    @Test func `a published note is shown until its link is removed, and nothing else is`() async throws {
        let fixture = try NotesFixture()
        let note = try await fixture.make("Plan", "*today* [[Other]]")
        let other = try await fixture.make("Other", "secret")
        let first = try await fixture.notes.publish(note.id, operation: fixture.operation())
        #expect(try await fixture.notes.publish(note.id, operation: fixture.operation()).url == first.url)
        let page = try #require(try await fixture.notes.publishedPage(token(first.url)))
        let html = String(decoding: page, as: UTF8.self)
        #expect(html.contains("Plan") && html.contains("today") && html.contains("Other") && !html.contains("secret"))
        #expect(try await fixture.notes.publishedNotes().map(\.note.id) == [note.id])
        for wrong in [note.id, other.id, "", "x", String(first.url.dropLast())] {
            #expect(try await fixture.notes.publishedPage(token(wrong)) == nil)
        }
        #expect(try await fixture.notes.unpublish(note.id, operation: fixture.operation()))
        #expect(try await !fixture.notes.unpublish(note.id, operation: fixture.operation()))
        #expect(try await fixture.notes.publishedPage(token(first.url)) == nil)
        let second = try await fixture.notes.publish(note.id, operation: fixture.operation())
        #expect(second.url != first.url, "a link that was removed never works again")
    }

    @Test func `a note in the trash is not shown, and one that is gone leaves nothing`() async throws {
        let fixture = try NotesFixture()
        let note = try await fixture.make("Plan", "text")
        let url = try await fixture.notes.publish(note.id, operation: fixture.operation()).url
        _ = try await fixture.notes.notes.delete([note.id], operation: fixture.operation())
        #expect(try await fixture.notes.publishedPage(token(url)) == nil)
        #expect(try await fixture.notes.publishedNotes().isEmpty)
    }

    @Test func `the route is for everyone, and says what a browser may do`() async throws {
        let server = try NotesServer()
        await server.hub.run("notes new Plan -m text")
        let run = await server.hub.run("notes publish plan --json=url", isTerminal: false)
        #expect(run.exit == 0 && run.output.contains("/read/"), "\(run.all)")
        #expect(await server.hub.run("notes published").output.contains("Plan"))
        #expect(await server.hub.run("notes history plan").output.contains("+public link"))
        #expect(await server.hub.run("undo --yes").exit == 0)
        #expect(await server.hub.run("notes published").all.contains("No public links"))
    }
}
