import Commands
import HubKit
import NotesDomain
import Storage
import System
import TestSupport
import Testing

@testable import Notes

/// Attachments in the mirrored folder, in imports and in exports.
@MainActor struct AttachmentMirrorTests {
    private let fixture: NotesFixture
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        fixture = try NotesFixture()
    }

    private var path: String { folder.path + "/notes" }

    @discardableResult
    private func sync(force: Bool = false) async throws -> MirrorReport {
        try #require(try await fixture.notes.syncMirror(path, allowsMassDeletion: force))
    }

    private func read(_ name: String) -> String? { folder.read("notes/" + name) }

    private func write(_ text: String, to name: String) throws {
        let parts = name.split(separator: "/").dropLast().joined(separator: "/")
        try Directory.make(parts.isEmpty ? path : "\(path)/\(parts)")
        _ = try folder.write(text, to: "notes/" + name)
    }

    /// The attachments of a note: their paths, and their contents.
    private func attachments(_ id: String, in other: NotesFixture? = nil) async throws -> [String: String] {
        let fixture = other ?? fixture
        var found: [String: String] = [:]
        for attachment in try await fixture.store.read({ try $0.attachments(of: id) }) {
            let bytes = try await fixture.notes.blobs.bytes(of: attachment.blob, limit: 1000)
            found[attachment.path.description] = String(decoding: bytes, as: UTF8.self)
        }
        return found
    }

    @Test func `files that notes link to become attachments, and changes go both ways`() async throws {
        try write("![[plan.png]] and [[paper.pdf]]\n", to: "trips/Plan.md")
        try write("PNG", to: "media/plan.png")
        try write("PDF", to: "paper.pdf")
        try write("alone", to: "alone.zip")
        let first = try await sync()
        #expect(first.attachments.taken == 2 && first.problems.isEmpty)
        let note = try #require(try await fixture.notes.notes.resolve("plan").first)
        #expect(try await attachments(note.id) == ["media/plan.png": "PNG", "paper.pdf": "PDF"])
        #expect(try await fixture.notes.links(of: note.id).isEmpty, "links to files are not broken links to notes")
        #expect(try await sync().isUnchanged)
        // A picture that is changed, and one that a note links to only now.
        try write("PNG 2", to: "media/plan.png")
        try write("![[plan.png]] and [[paper.pdf]] and ![](../media/new.gif)\n", to: "trips/Plan.md")
        try await sync()
        try write("GIF", to: "media/new.gif")
        try await sync()
        #expect(
            try await attachments(note.id)
                == ["media/plan.png": "PNG 2", "paper.pdf": "PDF", "media/new.gif": "GIF"])
        // Changed here.
        let blob = try await fixture.notes.blobs.store(Array("PDF 2".utf8))
        try await fixture.store.write(fixture.operation()) {
            try $0.attach(StoredAttachment(path: "paper.pdf", blob: blob.id, size: 5), to: [note.id])
        }
        #expect(try await sync().attachments.written == 1)
        #expect(read("paper.pdf") == "PDF 2" && read("alone.zip") == "alone")
        #expect(try await sync().isUnchanged)
    }

    @Test func `another folder gets all attachments, and what is in the way stays`() async throws {
        try write("![](p.png)\n", to: "A.md")
        try write("![](p.png)\n", to: "sub/B.md")
        try write("one", to: "p.png")
        try write("two", to: "sub/p.png")
        try await sync()
        let other = folder.path + "/other"
        try Directory.make(other)
        _ = try folder.write("foreign", to: "other/p.png")
        let report = try #require(try await fixture.notes.syncMirror(other))
        #expect(report.problems.count == 1)
        #expect(folder.read("other/p.png") == "foreign" && folder.read("other/sub/p.png") == "two")
        #expect(folder.read("other/p 2.png") == "one")
        #expect(folder.read("other/A.md")?.hasSuffix("![](p%202.png)\n") == true)
        #expect(folder.read("other/sub/B.md")?.hasSuffix("![](p.png)\n") == true)
        #expect(try #require(try await fixture.notes.syncMirror(other)).isUnchanged)
    }

    @Test func `a removed file is taken from its notes, and many only when that is meant`() async throws {
        for number in 0..<12 { try write("\(number)", to: "f/\(number).png") }
        try write((0..<12).map { "![[\($0).png]]" }.joined(separator: "\n"), to: "Many.md")
        try await sync()
        let note = try #require(try await fixture.notes.notes.resolve("many").first)
        #expect(try await attachments(note.id).count == 12)
        try folder.remove("notes/f/3.png")
        #expect(try await sync().attachments.removed == 1)
        #expect(try await attachments(note.id).count == 11)
        // A moved file stays the attachment of a note that finds it by its name.
        try write("4", to: "g/4.png")
        try folder.remove("notes/f/4.png")
        try await sync()
        #expect(try await attachments(note.id)["g/4.png"] == "4")
        #expect(try await attachments(note.id).count == 11)
        for number in 0..<12 where number != 3 && number != 4 { try folder.remove("notes/f/\(number).png") }
        try folder.remove("notes/g/4.png")
        let held = try #require(try await sync().attachments.held)
        #expect(held.missing == 11)
        #expect(try await attachments(note.id).count == 11)
        #expect(try await sync(force: true).attachments.removed == 11)
        #expect(try await attachments(note.id).isEmpty)
    }

    @Test func `nothing of a note in the trash is lost, and its files stay in the folder`() async throws {
        try write("![](p.png)\n", to: "A.md")
        try write("one", to: "p.png")
        try await sync()
        let note = try #require(try await fixture.notes.notes.resolve("a").first)
        _ = try await fixture.notes.notes.delete([note.id], operation: fixture.operation())
        try await sync()
        #expect(read("A.md") == nil && read("p.png") == "one")
        _ = try await fixture.notes.notes.restore([note.id], operation: fixture.operation())
        try await sync()
        #expect(read("A.md") == "![](p.png)\n" && read("p.png") == "one")
        #expect(try await attachments(note.id) == ["p.png": "one"])
    }

    @Test func `an imported folder is exported with the same bytes`() async throws {
        let files: [ByteString: String] = [
            "A.md": "![[plan.png]] ![](media/plan.png) [x](media/a%20b.pdf) ![[Plan.PNG]]\n",
            "town/B.md": "![](plan.png) ![](../media/a%20b.pdf) [[tool.zip]] <img src=\"plan.png\">\n",
            "media/plan.png": "one", "town/plan.png": "two", "media/a b.pdf": "pdf", "deep/er/tool.zip": "zip",
            ByteString([0x6E, 0xE9, 0x2E, 0x6D, 0x64]): "![[\u{FFFD}.png]]\n",
        ]
        try Directory.make(path)
        let vault = try NoteFolder(path)
        for (path, text) in files { _ = try vault.write(Array(text.utf8), to: path, replacing: nil) }
        _ = try await fixture.notes.importNotes(
            [NoteImportSource(path: path)], operation: fixture.operation("notes import"))
        let out = folder.path + "/out"
        _ = try await fixture.notes.exportFolder(nil, to: out, isForced: false)
        let exported = try NoteFolder(out)
        for (path, text) in files where path.text != nil {
            #expect(try exported.read(path, limit: 1000) == Array(text.utf8), "\(path)")
        }
        // The shortest path is taken of several: a changed picture is one of both notes.
        _ = try vault.write(Array("two!".utf8), to: "town/plan.png", replacing: NoteFolder.hash(Array("two".utf8)))
        let source = [NoteImportSource(path: path)]
        let plan = try await fixture.notes.importNotes(source, operation: fixture.operation("i"), isDryRun: true)[0]
        let again = try await fixture.notes.importNotes(source, operation: fixture.operation("i"))[0]
        #expect(plan.counts == [.updated: 2, .unchanged: 1] && again.counts == plan.counts)
    }
}
