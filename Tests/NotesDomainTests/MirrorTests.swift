import NotesDomain
import TestSupport
import Testing
import Text
import TextCRDT

/// A folder of files and notes that become the same.
@Suite(.timeLimit(.minutes(20)))
struct MirrorTests {
    /// A folder, notes, and what a driver does with the engine's actions.
    private struct World {
        struct Note {
            var document = NoteDocument()
            var folder = ""
            var tags: [String] = []
            var isDeleted = false
        }

        var files: [ByteString: String] = [:]
        var notes: [String: Note] = [:]
        var known: [ByteString: MirroredFile] = [:]
        var trashed: [TrashedFile] = []
        /// What files had before their texts, with their names and titles, by note.
        var heads: [String: (stem: ByteString, title: String?, head: String)] = [:]
        var nextID = 1
        var held = 0
        /// The notes as they were after the last sync, and those of the steps since.
        var synced: [String: MirroredNote] = [:]
        var touched: Set<String> = []
        /// An edit by someone between a plan and its execution.
        var interruption: (ByteString) -> String? = { _ in nil }

        static func hash(_ text: String) -> String { "\(ByteString(text).hashValue):\(text.utf8.count)" }

        func note(_ id: String) -> MirroredNote? {
            notes[id].map {
                MirroredNote(
                    id: id, version: $0.document.version, title: $0.document.title.text, folder: $0.folder,
                    tags: $0.tags,
                    isDeleted: $0.isDeleted,
                    stem: heads[id]?.title?.hasSameBytes(as: $0.document.title.text) == true ? heads[id]?.stem : nil)
            }
        }

        func plan(_ allowsMassDeletion: Bool = false) -> [MirrorAction] {
            let now = files.map { path, text in
                FolderFile(
                    path: path,
                    content: known[path]?.hash == World.hash(text)
                        ? .unchanged : .read(hash: World.hash(text), MarkdownFile(text: text)))
            }
            let engine = MirrorEngine(allowsMassDeletion: allowsMassDeletion)
            let texts = notes.mapValues(\.document.content.text)
            let actions = engine.actions(
                known: Array(known.values), files: now, notes: notes.keys.compactMap(note),
                others: MirrorOthers(trashed: trashed, texts: texts))
            let part = changed(now)
            let others = MirrorOthers(
                knownCount: known.count - part.known.count, paths: Array(files.keys), trashed: trashed, texts: texts)
            #expect(
                engine.actions(known: part.known, files: part.files, notes: part.notes, others: others) == actions,
                "what is as it was may be left out")
            return actions
        }

        /// What is not as it was after the last sync, and what belongs to it.
        private func changed(_ now: [FolderFile]) -> (
            known: [MirroredFile], files: [FolderFile], notes: [MirroredNote]
        ) {
            var ids = touched.union(notes.keys.filter { note($0) != synced[$0] })
            ids.formUnion(known.values.filter { self.files[$0.path].map(World.hash) != $0.hash }.map(\.note))
            for file in now {
                if case .read(_, let content) = file.content, let id = content.frontMatter?[.id] { ids.insert(id) }
            }
            ids.formUnion(trashed.map(\.file.note))
            let known = known.values.filter { ids.contains($0.note) }
            let paths = Set(known.map(\.path))
            let rest = now.filter { $0.content != .unchanged || paths.contains($0.path) }
            return (known, rest, ids.compactMap(note))
        }

        mutating func remember(_ path: ByteString, _ hash: String, _ id: String, _ version: NoteVersion) {
            guard let note = note(id) else { return }
            known[path] = MirroredFile(
                path: path, hash: hash, note: id, version: version, title: note.title, folder: note.folder,
                tags: note.tags)
        }

        mutating func sync(allowsMassDeletion: Bool = false) throws {
            held = 0
            for _ in 0..<10 {
                let actions = plan(allowsMassDeletion)
                var isIdle = true
                for action in actions {
                    if case .hold(let missing, _) = action { held = missing } else { isIdle = false }
                    if case .forget(let path) = action, let entry = known[path] { touched.insert(entry.note) }
                    try carryOut(action)
                }
                guard isIdle else { continue }
                if actions.isEmpty {
                    synced = [:]
                    for id in notes.keys { synced[id] = note(id) }
                    touched = []
                }
                return
            }
            Issue.record("no end: \(plan().prefix(3))")
        }

        mutating func carryOut(_ action: MirrorAction) throws {
            switch action {
            case .write(let path, let id, let expected):
                if let edited = interruption(path) { files[path] = edited }
                guard files[path].map(World.hash) == expected, let note = note(id),
                    let content = notes[id]?.document.content.text
                else { return }
                let file = MarkdownFile.file(
                    for: note, content: content, at: path,
                    existing: (files[path] ?? heads[id]?.head).map { MarkdownFile(text: $0) })
                files[path] = file.text
                remember(path, World.hash(file.text), id, note.version)
            case .move(let from, let to, _, let expected):
                guard let text = files[from], World.hash(text) == expected, files[to] == nil, let entry = known[from]
                else { return }
                (files[from], files[to], known[from]) = (nil, text, nil)
                known[to] = entry.moved(to: to, folder: notes[entry.note]?.folder ?? "")
            case .take(let change): try take(change)
            case .moved(let from, let change):
                known[from] = nil
                try take(change)
            case .touch: break
            case .trash(let id, let path):
                notes[id]?.isDeleted = true
                if let entry = known.removeValue(forKey: path) { trashed.append(TrashedFile(entry, isRecent: true)) }
            case .remove(let path, _, let expected):
                if files[path].map(World.hash) == expected {
                    files[path] = nil
                    known[path] = nil
                }
            case .forget(let path): known[path] = nil
            case .hold: break
            }
        }

        mutating func take(_ change: FileChange) throws {
            let id = change.note ?? "n\(nextID)"
            if change.note == nil { nextID += 1 }
            var note = notes[id] ?? Note()
            let base = change.base ?? note.document.version
            let merge = try note.document.merge(title: nil, content: change.content, base: base, by: "files")
            var written = merge.written
            if let title = change.title { try note.document.set(title: title, by: "files") }
            written.title = note.document.version.title
            note.folder = change.folder ?? note.folder
            note.tags = NoteTag.changed(note.tags, adding: change.addedTags, removing: change.removedTags)
            note.isDeleted = false
            notes[id] = note
            trashed.removeAll { $0.file.note == id }
            heads[id] = (
                NoteFileName.stem(of: change.path), MarkdownFile(text: change.head).frontMatter?[.title], change.head
            )
            known[change.path] = change.recorded(note: id, written: written)
        }
    }

    private func world(_ texts: [ByteString: String]) throws -> World {
        var world = World()
        world.files = texts
        try world.sync()
        return world
    }

    @Test func `files become notes, and notes files`() throws {
        let foreign = "---\nid: theirs\ntags: [x]\n---\nBody [[b]]\n"
        var world = try world(["A.md": foreign, "trips/b.md": "text"])
        #expect(world.notes.count == 2)
        #expect(world.files["A.md"] == foreign, "nothing of others is touched")
        #expect(world.notes.values.contains { $0.folder == "trips" && $0.document.title.text == "b" })
        #expect(world.notes.values.contains { $0.tags == ["x"] && $0.document.content.text == "Body [[b]]\n" })
        var made = World.Note(folder: "trips")
        try made.document.set(title: "B", content: "new", by: "me")
        world.notes["7kt"] = made
        try world.sync()
        #expect(world.files["trips/B 2.md"] == "---\nhub-id: \"7kt\"\ntitle: B\n---\nnew")
        #expect(world.plan().isEmpty)
    }

    @Test func `a file changed on both sides is merged, without a copy`() throws {
        var world = try world(["A.md": "one\ntwo\nthree\n"])
        world.files["A.md"] = "one\ntwo and more\nthree\n"
        try world.notes["n1"]?.document.set(content: "zero\none\ntwo\nthree\n", by: "me")
        try world.sync()
        #expect(world.files == ["A.md": "zero\none\ntwo and more\nthree\n"])
        #expect(world.notes["n1"]?.document.content.text == "zero\none\ntwo and more\nthree\n")
    }

    @Test func `moved and renamed files keep their note`() throws {
        var world = try world(["A.md": "text of a", "B.md": "text of b", "C.md": "c"])
        world.files["x/Renamed.md"] = world.files.removeValue(forKey: "A.md")
        try world.sync()
        #expect(world.notes.count == 3)
        #expect(world.known["x/Renamed.md"]?.note == "n1")
        #expect(world.notes["n1"]?.document.title.text == "Renamed")
        #expect(world.notes["n1"]?.folder == "x")
        // Renamed and edited at once: the id in the file says which it is.
        var made = World.Note()
        try made.document.set(title: "D", content: "d", by: "me")
        world.notes["7kt"] = made
        try world.sync()
        world.files["E.md"] = (world.files.removeValue(forKey: "D.md") ?? "") + " edited"
        try world.sync()
        #expect(world.notes["7kt"]?.document.content.text == "d edited")
        #expect(world.notes["7kt"]?.document.title.text == "E")
        // Renamed here: the file moves.
        try world.notes["n2"]?.document.set(title: "What? Why", by: "me")
        world.notes["n2"]?.folder = "y"
        try world.sync()
        #expect(world.files["y/What- Why.md"] == "---\ntitle: \"What? Why\"\n---\ntext of b")
        #expect(world.files["B.md"] == nil)
        #expect(world.notes.count == 4)
    }

    @Test func `a copy of a file is a note of its own`() throws {
        var world = World()
        var made = World.Note()
        try made.document.set(title: "A", content: "a", by: "me")
        world.notes["7kt"] = made
        try world.sync()
        world.files["Copy.md"] = world.files["A.md"]
        try world.sync()
        #expect(world.notes.count == 2)
        #expect(world.files["A.md"]?.contains("7kt") == true)
        #expect(world.files["Copy.md"]?.contains("hub-id: n1") == true)
    }

    @Test func `a removed file is a deleted note, but a change beats it, on both sides`() throws {
        var world = try world(["A.md": "a", "B.md": "b", "C.md": "c", "D.md": "d"])
        world.files["A.md"] = nil
        world.files["B.md"] = nil
        try world.notes["n2"]?.document.set(content: "b changed", by: "me")
        world.notes["n3"]?.isDeleted = true
        world.notes["n4"]?.isDeleted = true
        world.files["D.md"] = "d changed"
        try world.sync()
        #expect(world.notes["n1"]?.isDeleted == true)
        #expect(world.files["B.md"]?.hasSuffix("b changed") == true)
        #expect(world.files["C.md"] == nil)
        #expect(world.notes["n4"]?.isDeleted == false)
        #expect(world.files["D.md"] == "d changed")
    }

    @Test func `an emptied folder deletes nothing before the user says so`() throws {
        var world = try world(["A.md": "a", "B.md": "b"])
        world.files = [:]
        try world.sync()
        #expect(world.held == 2)
        #expect(world.notes.values.allSatisfy { !$0.isDeleted })
        #expect(world.files.isEmpty, "nothing is written either: the disk may not be mounted")
        try world.sync(allowsMassDeletion: true)
        #expect(world.notes.values.allSatisfy { $0.isDeleted })
    }

    @Test func `an editor that saves between plan and write loses nothing`() throws {
        var world = try world(["A.md": "one\n"])
        try world.notes["n1"]?.document.set(content: "one\ntwo\n", by: "me")
        var isFirst = true
        world.interruption = { _ in
            defer { isFirst = false }
            return isFirst ? "zero\none\n" : nil
        }
        try world.sync()
        #expect(world.files["A.md"] == "zero\none\ntwo\n")
    }

    private static let (composed, decomposed): (ByteString, ByteString) = ("caf\u{E9}", "cafe\u{301}")

    @Test func `two files whose names differ in their Unicode form alone are two`() throws {
        var world = try world([Self.composed + ".md": "composed\n", Self.decomposed + ".md": "typed on a Mac\n"])
        #expect(world.notes.count == 2 && world.known.count == 2)
        world.files[Self.decomposed + ".md"] = "typed on a Mac, twice\n"
        try world.notes["n2"]?.document.set(content: "composed, and more\n", by: "me")
        for _ in 0..<3 { try world.sync() }
        #expect(
            world.files == [
                Self.composed + ".md": "composed, and more\n", Self.decomposed + ".md": "typed on a Mac, twice\n",
            ])
        #expect(world.plan().isEmpty)
    }

    @Test func `a file or title that takes another Unicode form is renamed`() throws {
        var world = try world([Self.composed + ".md": "text\n", Self.composed + "/a.md": "other\n"])
        world.files[Self.decomposed + ".md"] = world.files.removeValue(forKey: Self.composed + ".md")
        world.files[Self.decomposed + "/a.md"] = world.files.removeValue(forKey: Self.composed + "/a.md")
        try world.sync()
        let id = try #require(world.known[Self.decomposed + ".md"]?.note)
        #expect(world.notes.count == 2)
        #expect(world.notes[id]?.document.title.text.hasSameBytes(as: "cafe\u{301}") == true)
        let other = try #require(world.known[Self.decomposed + "/a.md"]?.note)
        #expect(world.notes[other]?.folder.hasSameBytes(as: "cafe\u{301}") == true)
        try world.notes[id]?.document.set(content: "text, changed\n", by: "me")
        try world.sync()
        #expect(world.files[Self.decomposed + ".md"] == "text, changed\n")
        try world.notes[id]?.document.set(title: "caf\u{E9}", by: "me")
        try world.sync()
        #expect(world.files[Self.composed + ".md"] == "text, changed\n" && world.files.count == 2)
    }

    @Test func `a title in front matter that takes another Unicode form is written`() throws {
        var world = try world(["a.md": "---\ntitle: caf\u{E9}\n---\ntext\n"])
        try world.notes["n1"]?.document.set(title: "cafe\u{301}", by: "me")
        try world.sync()
        let text = try #require(world.files[Self.decomposed + ".md"])
        #expect(text.hasSameBytes(as: "---\ntitle: \"cafe\u{301}\"\n---\ntext\n"))
        world.files[Self.decomposed + ".md"] = text.replacing(scalar: "\u{301}", with: "") + "more\n"
        try world.sync()
        #expect(world.notes["n1"]?.document.title.text == "cafe")
    }

    @Test func `names that are not UTF-8 are names`() throws {
        let (first, second) = (
            ByteString(Array("a\u{1}".utf8) + [0xE9] + Array(".md".utf8)), ByteString([0xE8] + Array(".md".utf8))
        )
        var world = try world([first: "one\n", second: "two\n"])
        #expect(world.notes.count == 2)
        let id = try #require(world.known[second]?.note)
        try world.notes[id]?.document.set(content: "two and more\n", by: "me")
        try world.sync()
        #expect(world.files == [first: "one\n", second: "two and more\n"])
        try world.notes[id]?.document.set(title: "Named", by: "me")
        try world.sync()
        #expect(world.files == [first: "one\n", "Named.md": "two and more\n"])
    }

    @Test func `a file that is renamed and slightly changed keeps its note`() throws {
        let plan = "# Plan\n\nline 1\nline 2\nline 3\n"
        var world = try world(["plan.md": plan, "other.md": "something else, of about the same length\n"])
        let id = try #require(world.known["plan.md"]?.note)
        world.files["plan.md"] = nil
        world.files["plan-2026.md"] = plan.replacing("line 2", with: "line two")
        world.files["new.md"] = "A text that has nothing to do with either of them.\n"
        try world.sync()
        #expect(world.known["plan-2026.md"]?.note == id && world.notes.count == 3)
        #expect(world.notes[id]?.document.title.text == "plan-2026" && world.trashed.isEmpty)
    }

    @Test func `a file that was gone for a while takes its note out of the trash`() throws {
        let text = "The text of a note that is long enough to be known.\n"
        var world = try world(["a.md": text, "b.md": "b", "c.md": text + "c", "d.md": "d"])
        let ids = world.known.mapValues(\.note)
        for path in ["a.md", "b.md", "c.md"] as [ByteString] { world.files[path] = nil }
        try world.sync()
        #expect(world.notes.values.count { $0.isDeleted } == 3)
        world.files["a.md"] = text
        world.files["b.md"] = "another text"
        world.files["moved.md"] = text + "c, changed"
        try world.sync()
        #expect(world.notes.count == 4 && world.trashed.isEmpty)
        #expect(world.notes.values.allSatisfy { !$0.isDeleted })
        #expect(
            world.known.mapValues(\.note) == [
                "a.md": ids["a.md"], "b.md": ids["b.md"], "moved.md": ids["c.md"], "d.md": ids["d.md"],
            ])
        #expect(world.notes[ids["b.md"] ?? ""]?.document.content.text == "another text")
    }

    @Test func `after a long time only the same file takes a note out of the trash`() throws {
        let text = "The text of a note that is long enough to be known.\n"
        var world = try world(["a.md": text, "b.md": "b", "c.md": "c \(text)", "d.md": "d"])
        for path in ["a.md", "b.md", "c.md"] as [ByteString] { world.files[path] = nil }
        try world.sync()
        for index in world.trashed.indices { world.trashed[index].isRecent = false }
        world.files = ["a.md": text + "changed", "b.md": "another text", "copy.md": "c \(text)", "d.md": "d"]
        try world.sync()
        #expect(world.notes.count == 6 && world.trashed.count == 2)
    }

    @Test func `what only the file had comes back with the note`() throws {
        let foreign = "---\ntitle: \"Trip: plan\"\ndate: 2026-01-02\naliases: [x]\n---\nGo\n"
        var world = try world(["trip.md": foreign, "x/plain.md": "text"])
        let ids = world.known.mapValues(\.note)
        for id in ids.values { world.notes[id]?.isDeleted = true }
        try world.sync()
        #expect(world.files.isEmpty)
        for id in ids.values { world.notes[id]?.isDeleted = false }
        try world.sync()
        #expect(world.files == ["trip.md": foreign, "x/plain.md": "text"])
        // Another folder, too.
        (world.files, world.known, world.touched) = ([:], [:], Set(ids.values))
        try world.sync()
        #expect(world.files == ["trip.md": foreign, "x/plain.md": "text"])
    }

    @Test func `a file that moves keeps a name of its own`() throws {
        var world = try world(["trip.md": "---\ntitle: \"Trip: plan\"\n---\nGo\n"])
        world.notes["n1"]?.folder = "x"
        try world.sync()
        #expect(Array(world.files.keys) == ["x/trip.md"])
        try world.notes["n1"]?.document.set(title: "Journey", by: "me")
        try world.sync()
        #expect(world.files == ["x/Journey.md": "---\ntitle: Journey\n---\nGo\n"])
    }

    @Test func `a file that is numbered when it moves states its title`() throws {
        var world = try world(["x/Plan.md": "one", "Plan.md": "two"])
        let id = try #require(world.known["x/Plan.md"]?.note)
        world.notes[id]?.folder = ""
        try world.sync()
        #expect(world.files == ["Plan.md": "two", "Plan 2.md": "---\ntitle: Plan\n---\none"])
    }

    @Test func `without a title in the file its name is the title`() throws {
        var world = try world(["a.md": "---\ntitle: X\ndate: 1\n---\ntext"])
        #expect(world.notes["n1"]?.document.title.text == "X")
        world.files["a.md"] = "---\ndate: 1\n---\ntext"
        try world.sync()
        #expect(world.notes["n1"]?.document.title.text == "a")
        #expect(world.files == ["a.md": "---\ndate: 1\n---\ntext"])
    }

    @Test func `tags that are not understood are left alone`() throws {
        let text = "---\ntags: &all [a, b]\n---\ntext\n"
        var world = try world(["a.md": text])
        #expect(world.notes["n1"]?.tags == [])
        world.notes["n1"]?.tags = ["c"]
        try world.notes["n1"]?.document.set(content: "more\n", by: "me")
        try world.sync()
        #expect(world.files["a.md"] == "---\ntags: &all [a, b]\n---\nmore\n")
        world.files["a.md"]? += "and more\n"
        try world.sync()
        #expect(world.notes["n1"]?.tags == ["c"])
    }

    /// Both sides edit, add, rename, move and delete at random.
    @Test(arguments: 0..<60)
    func `random changes on both sides converge and lose no sign`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: 900 + seed)
        var world = World()
        var next: UInt32 = 0x4E00
        func signs() -> String {
            var view = String.UnicodeScalarView()
            for _ in 0..<Int.random(in: 1...3, using: &generator) {
                if let sign = Unicode.Scalar(next) { view.append(sign) }
                next += 1
            }
            return String(view)
        }
        func insert(_ text: String) -> String {
            var scalars = Array(text.unicodeScalars)
            scalars.insert(
                contentsOf: Array(signs().unicodeScalars), at: Int.random(in: 0...scalars.count, using: &generator))
            return String(String.UnicodeScalarView(scalars))
        }
        let folders = ["", "x", "x/y"]
        for _ in 0..<30 {
            for _ in 0..<Int.random(in: 1...6, using: &generator) {
                let path = world.files.keys.sorted().randomElement(using: &generator)
                let id = world.notes.keys.sorted().randomElement(using: &generator)
                let name =
                    "\(folders[Int.random(in: 0..<3, using: &generator)])/N\(Int.random(in: 0..<12, using: &generator))"
                switch Int.random(in: 0..<9, using: &generator) {
                case 0:
                    let free = ByteString(name.drop { $0 == "/" } + ".md")
                    if world.files[free] == nil { world.files[free] = signs() }
                case 1, 2:
                    if let path, let text = world.files[path] {
                        var file = MarkdownFile(text: text)
                        file.content = insert(file.content)
                        world.files[path] = file.text
                    }
                case 3:
                    let free = ByteString(name.drop { $0 == "/" } + ".md")
                    if seed % 2 == 1, let path, world.files[free] == nil {
                        world.files[free] = world.files.removeValue(forKey: path)
                    }
                case 4:
                    var note = World.Note(folder: folders[Int.random(in: 0..<3, using: &generator)])
                    try note.document.set(
                        title: "N\(Int.random(in: 0..<12, using: &generator))", content: signs(), by: "me")
                    world.notes["m\(next)"] = note
                case 5, 6:
                    if let id, var note = world.notes[id], !note.isDeleted {
                        try note.document.set(content: insert(note.document.content.text), by: "me")
                        world.notes[id] = note
                    }
                case 7:
                    if let id {
                        try world.notes[id]?.document.set(
                            title: "N?\(Int.random(in: 0..<12, using: &generator))", by: "me")
                        world.notes[id]?.folder = folders[Int.random(in: 0..<3, using: &generator)]
                    }
                default: if let id { world.notes[id]?.tags = ["t\(Int.random(in: 0..<3, using: &generator))"] }
                }
            }
            try world.sync()
            #expect(world.plan().isEmpty)
            for (path, entry) in world.known {
                let file = MarkdownFile(text: try #require(world.files[path]))
                let note = try #require(world.notes[entry.note])
                #expect(file.content == note.document.content.text)
                #expect(file.frontMatter?[.title] ?? NoteFileName.parts(path).title == note.document.title.text)
                #expect((file.frontMatter?.list(.tags) ?? []) == note.tags)
                #expect(NoteFileName.parts(path).folder == note.folder)
            }
            #expect(world.known.count == world.files.count)
            #expect(world.known.count == world.notes.values.count { !$0.isDeleted })
        }
        let all = world.notes.values.map(\.document.content.text).joined()
        let isComplete = Set(all.unicodeScalars) == Set((0x4E00..<next).compactMap { Unicode.Scalar($0) })
        #expect(isComplete)
        // A file that is renamed and edited at once, and has no id, is another note; the old one is in the trash.
        if seed % 2 == 0 { #expect(all.unicodeScalars.count == Set(all.unicodeScalars).count) }
    }

    @Test func `ten thousand unchanged files cost linear time`() {
        Scaling.expectLinear("a round", size: 2000) { count in
            let known = (0..<count).map {
                MirroredFile(
                    path: "n\($0).md", hash: "h", note: "\($0)", version: NoteVersion(), title: "n\($0)", folder: "",
                    tags: [])
            }
            return (
                known, known.map { FolderFile(path: $0.path, content: .unchanged) },
                known.map { MirroredNote(id: $0.note, version: $0.version, title: $0.title) }
            )
        } _: { (input: ([MirroredFile], [FolderFile], [MirroredNote])) in
            #expect(MirrorEngine().actions(known: input.0, files: input.1, notes: input.2).isEmpty)
        }
    }
}
