import Commands
import HubKit
import NotesDomain
import Storage
import System
import TestSupport
import Testing

@testable import Notes

/// Imports and exports.
struct ImportTests {
    private func files(_ folder: TemporaryFolder, _ files: [String: String]) throws {
        for (path, text) in files {
            let parts = path.split(separator: "/")
            if parts.count > 1 { try Directory.make("\(folder.path)/\(parts.dropLast().joined(separator: "/"))") }
            _ = try folder.write(text, to: path)
        }
    }

    private func importing(_ path: String, _ fixture: NotesFixture, isDryRun: Bool = false) async throws
        -> NoteImportReport
    {
        let source = NoteImportSource(path: path)
        return try await fixture.notes.importNotes(
            [source], operation: fixture.operation("notes import"), isDryRun: isDryRun)[0]
    }

    @Test func `a folder is imported once, then merged over its last import`() async throws {
        let (fixture, folder) = (try NotesFixture(), try TemporaryFolder())
        try files(
            folder,
            [
                "Shopping.md": "---\ntags: [home]\nown: kept\n---\n- milk\n- bread\n",
                "trips/Plan.md": "see ![x](x.png)\n",
                "trips/x.png": "PNG",
            ])
        let plan = try await importing(folder.path, fixture, isDryRun: true)
        #expect(plan.counts == [.new: 2])
        #expect(try await fixture.notes.list(NoteFilter()).total == 0)
        #expect(try await importing(folder.path, fixture).counts == [.new: 2])
        let note = try #require(try await fixture.notes.notes.resolve("shopping").first)
        #expect(note.tags == ["home"])
        #expect(try await importing(folder.path, fixture).counts == [.unchanged: 2])

        // Both sides change.
        try await fixture.write("- milk\n- bread\n- eggs\n", to: note.id)
        try files(folder, ["Shopping.md": "---\ntags: [home]\nown: kept\n---\n- oat milk\n- bread\n"])
        #expect(try await importing(folder.path, fixture).counts == [.updated: 1, .unchanged: 1])
        #expect(try await fixture.get(note.id).content == "- oat milk\n- bread\n- eggs\n")
        #expect(try await importing(folder.path, fixture).counts == [.unchanged: 2])

        let out = try TemporaryFolder()
        let report = try await fixture.notes.exportFolder(nil, to: out.path + "/new", isForced: false)
        #expect(report.written == 3)
        let text = try String(decoding: BoundedFile.read(out.path + "/new/Shopping.md", limit: 1000), as: UTF8.self)
        #expect(text == "---\ntags: [home]\nown: kept\n---\n- oat milk\n- bread\n- eggs\n")
        #expect(try await fixture.notes.exportFolder(nil, to: out.path + "/new", isForced: false).unchanged == 3)
        try await fixture.write("other", to: note.id)
        await #expect(throws: HubError.self) {
            try await fixture.notes.exportFolder(nil, to: out.path + "/new", isForced: false)
        }
        try await fixture.undo()
        try await fixture.undo()
    }

    @Test func `one undo reverts an import, and the next one imports again`() async throws {
        let (fixture, folder) = (try NotesFixture(), try TemporaryFolder())
        try files(folder, ["A.md": "a", "B.md": "b"])
        _ = try await importing(folder.path, fixture)
        try await fixture.undo()
        #expect(try await fixture.notes.list(NoteFilter()).total == 0)
        #expect(try await importing(folder.path, fixture).counts == [.new: 2])
    }

    @Test(arguments: [NoteExportFormat.json, .jex]) func `an archive brings back all notes with their attachments`(
        format: NoteExportFormat
    ) async throws {
        let (fixture, folder) = (try NotesFixture(), try TemporaryFolder())
        try files(folder, ["lists/Shopping.md": "---\ntags: [home]\n---\n![x](x.png)\n", "lists/x.png": "PNG"])
        _ = try await importing(folder.path, fixture)
        let bytes = try await fixture.notes.export(nil, as: format)
        let other = try NotesFixture()
        let source = NoteImportSource("stdin") { bytes }
        _ = try await other.notes.importNotes([source], operation: other.operation("notes import"))
        let note = try #require(try await other.notes.portableNotes(nil).first)
        #expect(note.title == "Shopping" && note.tags == ["home"] && note.folder == "lists")
        #expect(
            note.attachments.map(\.path) == ["attachments/x.png"] || note.attachments.map(\.path) == ["lists/x.png"])
        let id = try #require(try await other.notes.notes.resolve("shopping").first).id
        let blob = try #require(try await other.store.read { try $0.attachments(of: id).first?.blob })
        #expect(try await other.notes.blobs.bytes(of: blob, limit: 10) == Array("PNG".utf8))
        let again = try await other.notes.importNotes([source], operation: other.operation("notes import"))
        #expect(again[0].counts == [.unchanged: 1])
    }

    @Test func `dates and the trash of another program are kept, and a second import changes nothing`() async throws {
        let (fixture, folder) = (try NotesFixture(), try TemporaryFolder())
        let json = """
            {"activeNotes":[{"id":"a","content":"Live\\ntext","creationDate":"2020-01-02T03:04:05.006Z","lastModified":"2021-01-02T03:04:05.006Z"}],
            "trashedNotes":[{"id":"b","content":"Old\\ntext","lastModified":"2019-01-02T03:04:05.006Z"}]}
            """
        _ = try folder.write(json, to: "export.json")
        let report = try await importing(folder.path + "/export.json", fixture)
        #expect(report.counts == [.new: 2] && report.items.map(\.words) == [[], ["in the trash"]])
        let note = try #require(try await fixture.notes.list(NoteFilter()).rows.first)
        #expect(note.title == "Live" && note.changedAt == Instant(milliseconds: 1_609_556_645_006))
        #expect(note.createdAt == Instant(milliseconds: 1_577_934_245_006))
        let trash = try await fixture.notes.notes.trash().map(\.summary)
        #expect(trash.map(\.title) == ["Old"])
        #expect(try await fixture.get(trash[0].id).deletedAt == fixture.clock.now, "it stays for the usual time")
        #expect(try await importing(folder.path + "/export.json", fixture).counts == [.unchanged: 2])
        #expect(try await fixture.get(note.id).changedAt == Instant(milliseconds: 1_609_556_645_006))
        try await fixture.undo()
        #expect(try await fixture.notes.list(NoteFilter()).total == 0)
    }

    @Test(arguments: ["notes.zip", "notes.json", "notes.enex", "notes.html"])
    func `a file in no known format is refused, unless its format is named`(name: String) async throws {
        let (fixture, folder) = (try NotesFixture(), try TemporaryFolder())
        _ = try folder.write("{\"a\": 1}", to: name)
        await #expect(throws: HubError.self) { try await importing("\(folder.path)/\(name)", fixture) }
        #expect(try await fixture.notes.list(NoteFilter()).total == 0)
        let source = NoteImportSource(path: "\(folder.path)/\(name)")
        let report = try await fixture.notes.importNotes(
            [source], as: .markdown, operation: fixture.operation("notes import"))[0]
        #expect(report.counts == [.new: 1])
    }
}
