import Commands
import HubKit
import NotesDomain
import Storage
import TestSupport
import Testing

@testable import Notes

/// The mirrored folder.
struct MirrorFolderTests {
    private let fixture: NotesFixture
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        fixture = try NotesFixture(locks: folder.path + "/locks")
    }

    private var path: String { folder.path + "/notes" }

    @discardableResult
    private func sync(_ other: NotesFixture? = nil, force: Bool = false) async throws -> MirrorReport {
        try #require(try await (other ?? fixture).notes.syncMirror(path, allowsMassDeletion: force))
    }

    private func read(_ name: String) -> String? { folder.read("notes/" + name) }

    private func write(_ text: String, to name: String) throws { _ = try folder.write(text, to: "notes/" + name) }

    @Test func `notes become files, and files become notes`() async throws {
        try await fixture.make("Shopping", "- milk\n", tags: ["home"], folder: "lists")
        let first = try await sync()
        #expect(first.written == 1 && first.taken == 0)
        #expect(read("lists/Shopping.md")?.hasSuffix("- milk\n") == true)
        try write("hello\n", to: "New.md")
        #expect(try await sync().taken == 1)
        #expect(try await fixture.notes.list(NoteFilter()).rows.map(\.title).sorted() == ["New", "Shopping"])
        #expect(read("New.md") == "hello\n")
        let last = try await sync()
        #expect(last.isUnchanged && last.problems.isEmpty)
    }

    @Test(.timeLimit(.minutes(20)))
    func `the service syncs what is saved while it runs, without looking at intervals`() async throws {
        var config = Config()
        config[NotesKeys.mirror] = path
        // Its clock stands still, and nothing that sleeps by it ever wakes.
        let fixture = try NotesFixture(config: config, locks: folder.path + "/locks")
        try await fixture.make("First", "one\n")
        let service = Task { try await MirrorService(notes: fixture.notes).run() }
        while read("First.md") == nil { await Task.yield() }
        try write("two\n", to: "Second.md")
        while try await fixture.notes.list(NoteFilter()).rows.count < 2 { await Task.yield() }
        service.cancel()
        _ = await service.result
        #expect(try await sync(fixture).isUnchanged)
    }

    @Test func `the service rests after a sync in proportion to it, but not for long`() {
        #expect(MirrorService.rest(after: .milliseconds(60)) == .milliseconds(540))
        #expect(MirrorService.rest(after: .zero) == .zero)
        #expect(MirrorService.rest(after: .seconds(100)) == .seconds(5))
    }

    @Test func `many new files are written at once, and one in the way stays`() async throws {
        for number in 0..<30 {
            try await fixture.make("n\(number)", "text \(number)\n", folder: number % 2 == 0 ? "" : "f")
        }
        try Directory.make(path)
        try write("other\n", to: "n4.md")
        let first = try await sync()
        #expect(first.written == 30 && first.taken == 1)
        #expect(folder.names(in: "notes").count == 17 && folder.names(in: "notes/f").count == 15)
        #expect(read("n4.md") == "other\n" && read("f/n5.md")?.hasSuffix("text 5\n") == true)
        #expect(try await sync().isUnchanged)
    }

    @Test(arguments: [false, true])
    func `a file that was written when the process ended is not taken for one that was edited`(isEdited: Bool)
        async throws
    {
        let note = try await fixture.make("Log", "one\n")
        try await sync()
        let known = try await fixture.store.read { try $0.mirroredFiles() }
        try await fixture.write("one\ntwo\n", to: note.id)
        try await sync()
        // As if the process had ended before it recorded what it wrote.
        try await fixture.store.write(fixture.operation()) { transaction in
            try transaction.startWrites(try transaction.mirroredFiles())
            for file in known { try transaction.setMirroredFile(file, stamp: "") }
        }
        try await fixture.write("one\n2\n", to: note.id)
        if isEdited { try write(try #require(read("Log.md")) + "three\n", to: "Log.md") }
        try await sync()
        #expect(try await fixture.get(note.id).content == (isEdited ? "one\n2\nthree\n" : "one\n2\n"))
        #expect(read("Log.md")?.hasSuffix(isEdited ? "one\n2\nthree\n" : "one\n2\n") == true)
        #expect(try await sync().isUnchanged)
    }

    @Test func `a file and its note that both changed are merged`() async throws {
        let note = try await fixture.make("Log", "one\ntwo\nthree\n")
        try await sync()
        let text = try #require(read("Log.md"))
        try write(text.replacing("one", with: "1"), to: "Log.md")
        try await fixture.write("one\ntwo\n3\n", to: note.id)
        try await sync()
        #expect(try await fixture.get(note.id).content == "1\ntwo\n3\n")
        #expect(read("Log.md")?.hasSuffix("1\ntwo\n3\n") == true)
        #expect(folder.names(in: "notes") == ["Log.md"])
        #expect(try await sync().isUnchanged)
    }

    @Test func `front matter of others stays byte for byte`() async throws {
        try Directory.make(path)
        try write("---\nlayout:   page # own\ntags: [a]\n---\ntext\n", to: "Page.md")
        try await sync()
        let note = try #require(try await fixture.notes.notes.resolve("page").first)
        #expect(note.tags == ["a"])
        try await fixture.write("more text\n", to: note.id)
        try await sync()
        #expect(read("Page.md") == "---\nlayout:   page # own\ntags: [a]\n---\nmore text\n")
    }

    @Test func `renamed files rename notes, and renamed notes rename files`() async throws {
        let note = try await fixture.make("Old", "text\n")
        try await sync()
        let text = try #require(read("Old.md"))
        try folder.remove("notes/Old.md")
        try Directory.make(path + "/sub")
        try write(text, to: "sub/Renamed.md")
        try await sync()
        let renamed = try await fixture.get(note.id)
        #expect(renamed.title == "Renamed" && renamed.folder == "sub")
        _ = try await fixture.notes.move([note.id], to: "", operation: fixture.operation())
        try await sync()
        #expect(read("Renamed.md") == text)
        #expect(read("sub/Renamed.md") == nil)
        #expect(try await sync().isUnchanged)
    }

    @Test func `a removed file moves its note to the trash, and a removed note its file`() async throws {
        let first = try await fixture.make("First", "1\n")
        let second = try await fixture.make("Second", "2\n")
        try await sync()
        try folder.remove("notes/First.md")
        #expect(try await sync().trashed == 1)
        #expect(try await fixture.get(first.id).deletedAt != nil)
        try await fixture.notes.notes.delete([second.id], operation: fixture.operation())
        #expect(try await sync().removed == 1)
        #expect(folder.names(in: "notes") == [])
        try await fixture.notes.notes.restore([second.id], operation: fixture.operation())
        try await sync()
        #expect(read("Second.md") != nil)
    }

    @Test func `a folder that is suddenly empty removes no note without a word`() async throws {
        for number in 1...3 { try await fixture.make("Note \(number)", "\(number)\n") }
        try await sync()
        for number in 1...3 { try folder.remove("notes/Note \(number).md") }
        let held = try await sync()
        #expect(held.trashed == 0 && held.held?.missing == 3)
        #expect(try await fixture.notes.list(NoteFilter()).total == 3)
        #expect(try await sync(force: true).trashed == 3)
    }

    @Test func `an undo takes no file away that hub did not make`() async throws {
        try Directory.make(path)
        try write("precious\n", to: "Own.md")
        try await sync()
        let operation = try #require(try await fixture.database.history.operations(limit: 1).first)
        try await fixture.undo(operation.id)
        #expect(try await fixture.notes.list(NoteFilter()).total == 0)
        try await sync()
        #expect(read("Own.md") == "precious\n")
    }

    /// The recorded stamps, in the order of their paths.
    private func stamps() async throws -> [String] {
        try await fixture.store.read { transaction in
            var stamps: [String] = []
            try transaction.scanMirrorStamps { stamps.append(String(decoding: $1, as: UTF8.self)) }
            return stamps
        }
    }

    @Test func `a file that may change without a new time is read again, and one that is older is not`() async throws {
        try Directory.make(path)
        try write("one\n", to: "A.md")
        try write("two\n", to: "ä.md")
        fixture.clock.advance(by: .seconds(-1_000_000_000))
        try await sync()
        #expect(try await stamps() == ["", ""])
        try await sync()
        #expect(try await stamps() == ["", ""])
        fixture.clock.advance(by: .seconds(2_000_000_000))
        #expect(try await sync().isUnchanged)
        let stamps = try await stamps()
        #expect(stamps == (try await listing().entries.map(\.stamp)))
        // As if the second change had left the time as it was.
        try write("eno\n", to: "A.md")
        let entry = try #require(try await listing().entries.first)
        try await fixture.store.write(fixture.operation()) { try $0.setMirrorStamp(entry.stamp, of: entry.path) }
        #expect(try await sync().isUnchanged)
        try await fixture.store.write(fixture.operation()) { try $0.setMirrorStamp("", of: entry.path) }
        #expect(try await sync().taken == 1)
    }

    private func listing() async throws -> NoteFolder.Listing {
        try await BackgroundThread.run { [path] in try NoteFolder(path).listing() }
    }

    @Test(arguments: [2, 20])
    func `new files are written together, and those whose name is taken stay out`(count: Int) async throws {
        try Directory.make(path + "/f")
        try write("theirs", to: "f/1.md")
        // A file in the place of a folder.
        try write("", to: "g")
        let files =
            (0..<count).map { (path: ByteString("f/\($0).md"), bytes: Array("text \($0)".utf8)) } + [
                (path: ByteString("g/a.md"), bytes: [])
            ]
        let results = try await BackgroundThread.run { [path] in try NoteFolder(path).write(new: files) }
        #expect(results.prefix(count).map { try? $0.get() } == (0..<count).map { $0 != 1 })
        #expect(throws: SystemError.self) { try results[count].get() }
        #expect((0..<count).map { read("f/\($0).md") } == (0..<count).map { $0 == 1 ? "theirs" : "text \($0)" })
        #expect(folder.names(in: "notes/f").count == count)
    }

    /// Files and notes are edited, added, renamed, moved and deleted at random.
    @Test(arguments: 0..<12)
    func `what a sync leaves out is as it was on both sides`(seed: UInt64) async throws {
        var generator = SeededGenerator(seed: 40 + seed)
        try Directory.make(path + "/f")
        // Half of the histories read each file again, and half rely on stamps.
        fixture.clock.advance(by: .seconds(seed % 2 == 0 ? 2_000_000_000 : -1_000_000_000))
        func name() -> String {
            "\(Bool.random(using: &generator) ? "" : "f/")N\(Int.random(in: 0..<20, using: &generator))"
        }
        for number in 0..<24 { try await fixture.make("Old \(number)", "text \(number)\n") }
        try await sync()
        for step in 0..<24 {
            for edit in 0..<Int.random(in: 1...4, using: &generator) {
                let notes = try await fixture.store.read { try $0.mirroredNotes() }.sorted { $0.title < $1.title }
                let files = try await listing().entries.map(\.path)
                guard let note = notes.randomElement(using: &generator),
                    let file = files.randomElement(using: &generator)
                else { break }
                let text = "text \(step) \(edit)\n"
                switch Int.random(in: 0..<8, using: &generator) {
                case 0: try write(text, to: name() + ".md")
                case 1: try write((read(file.repairedText) ?? "") + text, to: file.repairedText)
                case 2: try write(read(file.repairedText) ?? "", to: name() + ".md")
                case 3: try folder.remove("notes/\(file)")
                case 4: try await fixture.make(name(), text)
                case 5 where !note.isDeleted: try await fixture.write(text, to: note.id)
                case 6 where !note.isDeleted:
                    _ = try await fixture.notes.move([note.id], to: "f", operation: fixture.operation())
                case 7 where !note.isDeleted:
                    try await fixture.notes.notes.delete([note.id], operation: fixture.operation())
                default:
                    if note.isDeleted {
                        try await fixture.notes.notes.restore([note.id], operation: fixture.operation())
                    }
                }
            }
            try await sync()
            guard step % 3 == 2 else { continue }
            let whole = try await fixture.store.read { transaction in
                #expect(try transaction.mirroredChange != nil)
                return (try transaction.mirroredFiles(), try transaction.mirroredNotes())
            }
            let files = try await listing().entries.map { FolderFile(path: $0.path, content: .unchanged) }
            #expect(MirrorEngine().actions(known: whole.0, files: files, notes: whole.1).isEmpty)
            #expect(whole.0.count == files.count && whole.0.allSatisfy { read($0.path.repairedText) != nil })
            try await fixture.store.write(fixture.operation()) { try $0.forgetMirroredChange() }
            #expect(try await sync().isUnchanged)
        }
    }

    @Test func `text that is no UTF-8 is left alone`() async throws {
        try Directory.make(path)
        _ = try folder.write("x", to: "notes/Bad.md")
        try await BackgroundThread.run { [path] in
            let handle = try DirectoryHandle(path)
            try handle.remove(FileName("Bad.md"))
            try handle.write([0xFF, 0xFE, 0x41], new: FileName("Bad.md"), mode: 0o600)
        }
        try await sync()
        #expect(try await fixture.notes.list(NoteFilter()).total == 0)
        #expect(folder.names(in: "notes") == ["Bad.md"])
    }
}
