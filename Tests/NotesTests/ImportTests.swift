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
                "work/Plan.md": "see ![x](x.png)\n",
                "work/x.png": "PNG",
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

    @Test(arguments: [NoteFormat.json, .jex]) func `an archive brings back all notes with their attachments`(
        format: NoteFormat
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
}
