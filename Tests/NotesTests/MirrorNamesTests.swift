import Commands
import Glibc
import HubKit
import NotesDomain
import TestSupport
import Testing

@testable import Notes

/// Names, links and front matter of the mirrored folder, as the file system has them.
@MainActor struct MirrorNamesTests {
    private let fixture: NotesFixture
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        fixture = try NotesFixture(locks: folder.path + "/locks")
        try Directory.make(path)
    }

    private var path: String { folder.path + "/notes" }

    @discardableResult
    private func sync(_ fixture: NotesFixture? = nil, path: String? = nil) async throws -> MirrorReport {
        try #require(try await (fixture ?? self.fixture).notes.syncMirror(path ?? self.path))
    }

    private func handle() throws -> DirectoryHandle { try DirectoryHandle(path) }

    private func write(_ text: String, to name: FileName) throws {
        let handle = try handle()
        if try handle.status(name) != nil { try handle.remove(name) }
        try handle.write(Array(text.utf8), new: name, mode: 0o600)
    }

    private func read(_ name: FileName) throws -> String {
        String(decoding: try handle().read(name, limit: 1 << 20), as: UTF8.self)
    }

    private func titles(_ fixture: NotesFixture? = nil) async throws -> [String] {
        try await (fixture ?? self.fixture).notes.list(NoteFilter()).rows.map(\.title).sorted()
    }

    private func link(_ target: String, _ name: String) { #expect(symlink(target, "\(path)/\(name)") == 0) }

    @Test func `two files whose names differ in their Unicode form alone stay two`() async throws {
        let (composed, decomposed): (FileName, FileName) = ("caf\u{E9}.md", "cafe\u{301}.md")
        try write("composed\n", to: composed)
        try write("decomposed text typed on a Mac\n", to: decomposed)
        for _ in 0..<3 { #expect(try await sync().problems.isEmpty) }
        #expect(try read(composed) == "composed\n")
        #expect(try read(decomposed) == "decomposed text typed on a Mac\n")
        #expect(try handle().names().count == 2)
        #expect(try await fixture.notes.list(NoteFilter()).total == 2)
        // One form is renamed to the other, as programs do that sync Macs.
        try handle().remove(composed)
        try await sync()
        let id = try #require(try await fixture.notes.list(NoteFilter()).rows.first?.id)
        #expect(try handle().rename(decomposed, toNew: composed))
        #expect(try await sync().problems.isEmpty)
        try await fixture.write("changed\n", to: id)
        #expect(try await sync().problems.isEmpty)
        #expect(try handle().names() == [composed])
        #expect(try read(composed) == "changed\n")
        #expect(try await sync().isUnchanged)
    }

    @Test func `files whose names are not UTF-8 are synced`() async throws {
        let (first, second) = (FileName([0x61, 0xE9, 0x2E, 0x6D, 0x64]), FileName([0x61, 0xE8, 0x2E, 0x6D, 0x64]))
        try write("one\n", to: first)
        try write("two\n", to: second)
        #expect(try await sync().taken == 2)
        try write("one and more\n", to: first)
        let rows = try await fixture.notes.list(NoteFilter()).rows
        #expect(rows.map(\.title) == ["a\u{FFFD}", "a\u{FFFD}"])
        try await sync()
        for row in rows where try await fixture.get(row.id).content == "two\n" {
            try await fixture.write("two, changed\n", to: row.id)
        }
        try await sync()
        #expect(try read(first) == "one and more\n" && read(second) == "two, changed\n")
        #expect(try await sync().isUnchanged)
    }

    @Test func `a link to the folder itself adds nothing, and a link in the folder is one file`() async throws {
        try write("text\n", to: "a.md")
        link(".", "self")
        link("a.md", "b.md")
        #expect(try await sync().taken == 1)
        #expect(try await titles() == ["a"])
        try await fixture.make("c", "new\n")
        try await sync()
        #expect(try await titles() == ["a", "c"])
        #expect(try await sync().isUnchanged)
    }

    @Test func `links out of the folder are named and not followed`() async throws {
        _ = try folder.write("secret\n", to: "outside/key")
        _ = try folder.write("private\n", to: "outside/o.md")
        link("../outside/key", "x.md")
        link("../outside", "d")
        let report = try await sync()
        #expect(report.taken == 0 && report.skipped.count == 2 && report.problems.isEmpty)
        #expect(report.skipped.contains { $0.hasPrefix("x.md: a link out of the folder") })
        #expect(try await titles().isEmpty)
        // A note whose folder is such a link is not written there.
        try await fixture.make("n", "new\n", folder: "d")
        #expect(try await sync().problems.count == 1)
        #expect(folder.names(in: "outside").sorted() == ["key", "o.md"])
    }

    @Test func `with the setting a link is followed and stays one`() async throws {
        var config = Config()
        config[NotesKeys.followLinks] = true
        let following = try NotesFixture(config: config, locks: folder.path + "/locks")
        _ = try folder.write("one\n", to: "outside/key.txt")
        link("../outside/key.txt", "x.md")
        #expect(try await sync(following).taken == 1)
        let id = try #require(try await following.notes.list(NoteFilter()).rows.first?.id)
        try await following.write("two\n", to: id)
        try await sync(following)
        #expect(folder.read("outside/key.txt") == "two\n")
        let status = try #require(try handle().status("x.md", followingLinks: false))
        #expect(status.st_mode & S_IFMT == S_IFLNK)
        #expect(folder.names(in: "outside") == ["key.txt"])
        // With the note only the link goes.
        try await following.notes.notes.delete([id], operation: following.operation())
        try await sync(following)
        #expect(try handle().names().isEmpty && folder.read("outside/key.txt") == "two\n")
    }

    @Test func `front matter of others survives the trash, another folder and an export`() async throws {
        let text = "\u{FEFF}---\ntitle: \"Trip: plan\"\ndate: 2026-01-02\naliases: [x]\n---\nGo\n"
        try write(text, to: "trip.md")
        try await sync()
        let id = try #require(try await fixture.notes.list(NoteFilter()).rows.first?.id)
        try await fixture.notes.notes.delete([id], operation: fixture.operation())
        try await sync()
        #expect(try handle().names().isEmpty)
        try await fixture.notes.notes.restore([id], operation: fixture.operation())
        try await sync()
        #expect(try read("trip.md").hasSameBytes(as: text))
        try await sync(path: folder.path + "/other")
        #expect(folder.read("other/trip.md")?.hasSameBytes(as: text) == true)
        _ = try await fixture.notes.exportFolder(nil, to: folder.path + "/out", isForced: false)
        #expect(folder.names(in: "out") == ["trip.md"])
        #expect(folder.read("out/trip.md")?.hasSameBytes(as: text) == true)
    }

    @Test func `a file that is gone for a moment keeps its note`() async throws {
        let text = "A note that is long enough to be known again.\n"
        try write(text, to: "a.md")
        try write("b\n", to: "b.md")
        try write("c\n", to: "c.md")
        try await sync()
        let ids = try await fixture.notes.list(NoteFilter()).rows.map(\.id).sorted()
        try handle().remove("a.md")
        #expect(try await sync().trashed == 1)
        try write(text + "changed\n", to: "a.md")
        try await sync()
        #expect(try await fixture.notes.list(NoteFilter()).rows.map(\.id).sorted() == ids)
        // Weeks later only a file that is nearly the same.
        try handle().remove("a.md")
        try handle().remove("b.md")
        try await sync()
        fixture.clock.advance(by: .seconds(86_400))
        try write(text, to: "a.md")
        try write("another\n", to: "b.md")
        try await sync()
        let rows = try await fixture.notes.list(NoteFilter()).rows
        #expect(rows.count == 3 && rows.count { ids.contains($0.id) } == 2)
    }

    @Test func `tags that are not understood are named once`() async throws {
        try write("---\ntags: &all [a]\n---\ntext\n", to: "a.md")
        let report = try await sync()
        #expect(report.problems == ["a.md: tags in the front matter is not understood, and left as it is"])
        fixture.clock.advance(by: .seconds(2_000_000_000))
        try await sync()
        #expect(try await sync().problems.isEmpty)
    }
}
