import HubKit
import NotesDomain
import Queries
import Testing

@testable import Notes

/// Queries with fields, and saved searches.
struct QueryTests {
    private func fixture() async throws -> NotesFixture {
        let fixture = try NotesFixture()
        try await fixture.make("Trip", "pack socks", tags: ["travel"], folder: "home")
        try await fixture.make(
            "Packing list", "socks [[Nowhere]]", tags: ["travel", "Two words"], folder: "home/lists")
        try await fixture.make("Work", "re:socks at https://example.org/tag:x", folder: "work")
        return fixture
    }

    private func titles(_ query: String, in fixture: NotesFixture) async throws -> [String] {
        let filter = try await fixture.notes.filter(query)
        let listed = try await fixture.notes.list(filter).rows.map(\.title)
        let found = try await fixture.notes.search(filter, limit: 9).hits.map(\.note.title)
        #expect(found.isEmpty || Set(found) == Set(listed), "a search finds the same")
        return listed.sorted()
    }

    @Test func `fields, words and states narrow a list, each as the option of the same name does`() async throws {
        let fixture = try await fixture()
        #expect(try await titles("tag:TRAVEL socks", in: fixture) == ["Packing list", "Trip"])
        #expect(try await titles(#"tags:"two words""#, in: fixture) == ["Packing list"])
        #expect(try await titles("folder:home/ is:broken", in: fixture) == ["Packing list"])
        #expect(try await titles("re:socks https://example.org", in: fixture) == ["Work"])
        #expect(try await titles("is:shared", in: fixture) == [])
        fixture.clock.advance(by: .seconds(90_000))
        let late = try await fixture.make("Late", "socks")
        #expect(try await titles("socks changed:<1d", in: fixture) == ["Late"])
        #expect(try await titles("socks changed:>1d", in: fixture).count == 3)
        #expect(try await titles("is:published", in: fixture) == [])
        _ = try await fixture.notes.publish(late.id, operation: fixture.operation())
        #expect(try await titles("is:published", in: fixture) == ["Late"])
    }

    @Test(arguments: [
        ("is:pined", "unknown state \"pined\""), ("tag:", "tag: needs a name"), ("folder:/", "folder: needs a folder"),
        ("fodler:x", "unknown field \"fodler\""), ("changed:soon", "invalid time \"soon\""),
        ("-tag:x", "a field of notes cannot be negated"), ("@wrok", "no saved search \"wrok\""),
        ("folder:a folder:b", "a note is in one folder, and the query names a too"),
    ])
    func `a query that cannot be read says what is wrong`(query: String, message: String) async throws {
        let fixture = try await fixture()
        _ = try await fixture.notes.saveSearch("work", "folder:work", operation: fixture.operation())
        let error = await #expect(throws: HubError.self) { _ = try await fixture.notes.filter(query) }
        #expect(error?.message.hasSuffix(message) == true, "\(error?.message ?? "")")
    }

    @Test func `a saved search is made, used, renamed with those that use it, deleted and undone`() async throws {
        let fixture = try await fixture()
        let notes = fixture.notes
        _ = try await notes.saveSearch("@Home", "folder:home", operation: fixture.operation())
        _ = try await notes.saveSearch("socks", "@home socks is:broken", operation: fixture.operation())
        #expect(try await titles("@socks", in: fixture) == ["Packing list"])
        #expect(try await titles("@home trip", in: fixture) == ["Trip"])
        _ = try await notes.renameSearch("home", to: "house", operation: fixture.operation())
        #expect(try await notes.savedSearches.all().map(\.name) == ["house", "socks"])
        #expect(try await titles("@socks", in: fixture) == ["Packing list"])
        await #expect(throws: HubError.self) {
            _ = try await notes.renameSearch("house", to: "socks", operation: fixture.operation())
        }
        await #expect(throws: HubError.self) {
            _ = try await notes.deleteSearch("house", operation: fixture.operation())
        }
        _ = try await notes.deleteSearch("socks", operation: fixture.operation())
        try await fixture.undo()
        try await fixture.undo()
        #expect(try await notes.savedSearches.all().map(\.query) == ["folder:home", "@home socks is:broken"])
        for (name, query) in [("a b", "x"), ("ok", " "), ("ok", "@ok")] {
            await #expect(throws: HubError.self) {
                _ = try await notes.saveSearch(name, query, operation: fixture.operation())
            }
        }
    }

    @Test func `the terminal lists, uses and removes saved searches`() async throws {
        let hub = try NotesHub()
        await hub.run("notes new Trip --tag travel")
        await hub.run("notes new Other")
        #expect(await hub.run("notes searches").all.contains("No saved searches"))
        #expect(await hub.run("notes searches save away tag:travel").all.contains("Saved @away: tag:travel"))
        #expect(await hub.run("notes searches rename away trips -n").all.contains("Would rename @away to @trips"))
        #expect(await hub.run("notes searches rename away trips").all.contains("Renamed @away to @trips"))
        let listed = await hub.run("notes list @trips").output
        #expect(listed.contains("Trip") && !listed.contains("Other"), "\(listed)")
        #expect(await hub.run("notes search @trips").output.contains("Trip"))
        #expect(await hub.run("notes searches rm trips").all.contains("Deleted @trips"))
        #expect(await hub.run("undo --yes").exit == 0)
        #expect(await hub.run("notes searches").output.contains("@trips"))
    }
}
