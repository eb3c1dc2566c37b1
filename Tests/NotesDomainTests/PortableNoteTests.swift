import Glibc
import NotesDomain
import TestSupport
import Testing
import Text
import Time

/// Imports and exports: Joplin, Markdown folders and hub's own JSON.
@Suite(.timeLimit(.minutes(20)))
struct PortableNoteTests {
    private static let picture: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0, 255]

    private static let notes = [
        PortableNote(
            source: "joplin:0123456789abcdef0123456789abcdef", title: "Shopping: a/b",
            content: "- milk\n\n![p](pic.png)\n",
            folder: "home/kitchen", tags: ["food", "Łódź x"], isPinned: true, createdAt: Instant(milliseconds: 1000),
            changedAt: Instant(milliseconds: 1_700_000_000_123),
            attachments: [Attachment(path: "attachments/pic 1.png", content: .bytes(picture), link: "pic.png")]),
        PortableNote(source: "1ab", title: "", content: "", folder: ""),
        PortableNote(source: "2cd", title: "Title", content: "key: value\nid: x\ntype_: 1", folder: "home"),
        PortableNote(
            source: "3ef", title: "title", content: "same name, [a](x%20y.txt) [b](https://example.org/)",
            folder: "home",
            attachments: [
                Attachment(path: "attachments/x y.txt", content: .bytes(Array("other".utf8)), link: "x%20y.txt")
            ]),
    ]

    private func export(_ format: NoteFormat) throws -> ImportedNotes {
        let files = try format.write(Self.notes)
        #expect(NoteFormat(sniffing: files) == format)
        let imported = format.read(files)
        #expect(imported.problems.isEmpty)
        return imported
    }

    @Test func `hub's own JSON keeps everything`() throws {
        #expect(try export(.json).notes == Self.notes)
    }

    @Test func `Joplin's format keeps text, notebooks, tags, times and pictures`() throws {
        let read = try export(.jex).notes
        #expect(read.count == 4)
        for (note, original) in zip(read, Self.notes) {
            #expect(note.title == original.title)
            #expect(note.tags == original.tags.sorted())
            #expect(note.folder == (original.folder.isEmpty ? "Notes" : original.folder))
            #expect(note.attachments.map(\.bytes) == original.attachments.map(\.bytes))
            #expect(note.attachments.map(\.name) == original.attachments.map(\.name))
        }
        #expect(read[0].source == Self.notes[0].source)
        #expect(read[0].createdAt == Instant(milliseconds: 1000))
        #expect(read[0].changedAt == Instant(milliseconds: 1_700_000_000_123))
        #expect(read[0].content.hasPrefix("- milk\n\n![p](:/"))
        #expect(read[2].content == Self.notes[2].content)
        // What was read is written again as it was, so a second import finds the same notes.
        let again = try NoteFormat.jex.write(read)
        #expect(NoteFormat.jex.read(again).notes == read)
        #expect(try NoteFormat.jex.write(read) == again)
    }

    @Test func `a Markdown folder keeps text, folders, tags and pictures`() throws {
        let files = try NoteFormat.markdown.write(Self.notes)
        #expect(
            files.map(\.path).sorted() == [
                "Untitled.md", "attachments/pic 1.png", "attachments/x y.txt", "home/Title.md",
                "home/kitchen/Shopping- a-b.md", "home/title 2.md",
            ])
        let read = NoteFormat.markdown.read(files)
        #expect(read.problems.isEmpty)
        #expect(read.notes.map(\.title) == Self.notes.map(\.title))
        #expect(read.notes.map(\.tags) == Self.notes.map(\.tags))
        #expect(read.notes.map(\.folder) == Self.notes.map(\.folder))
        #expect(read.notes.map(\.isPinned) == Self.notes.map(\.isPinned))
        #expect(read.notes.map { $0.attachments.map(\.bytes) } == Self.notes.map { $0.attachments.map(\.bytes) })
        #expect(read.notes[0].content == "- milk\n\n![p](../../attachments/pic%201.png)\n")
        #expect(read.notes[3].content.contains("https://example.org/"))
        #expect(try NoteFormat.markdown.write(read.notes) == files, "front matter too")
    }

    /// Written by hand after the format's description; not by hub.
    private static let joplin: [(String, String)] = [
        ("b0000000000000000000000000000001.md", "Work\n\nid: b0000000000000000000000000000001\nparent_id: \ntype_: 2"),
        (
            "a0000000000000000000000000000001.md",
            """
            Plan

            First line

            ![x.png](:/c0000000000000000000000000000001)

            id: a0000000000000000000000000000001
            parent_id: b0000000000000000000000000000001
            created_time: 2026-11-20T14:30:00.500Z
            updated_time: 2026-11-20T14:31:00.000Z
            is_conflict: 0
            user_created_time: 2020-01-02T03:04:05.006Z
            user_updated_time: 2026-11-20T14:31:00.000Z
            encryption_applied: 0
            type_: 1
            """
        ),
        (
            "a0000000000000000000000000000002.md",
            "id: a0000000000000000000000000000002\nencryption_cipher_text: JED01\nencryption_applied: 1\ntype_: 1"
        ),
        (
            "c0000000000000000000000000000001.md",
            "x.png\n\nid: c0000000000000000000000000000001\nfile_extension: png\ntype_: 4"
        ),
        ("d0000000000000000000000000000001.md", "todo\n\nid: d0000000000000000000000000000001\ntype_: 5"),
        (
            "e0000000000000000000000000000001.md",
            """
            id: e0000000000000000000000000000001
            note_id: a0000000000000000000000000000001
            tag_id: d0000000000000000000000000000001
            type_: 6
            """
        ),
        ("resources/c0000000000000000000000000000001.png", "png"),
        ("broken.md", "no metadata"),
    ]

    @Test func `an export of Joplin is read, and what cannot be is named`() throws {
        let tar = try TarWriter.write(Self.joplin.map { PortableFile(ByteString($0.0), Array($0.1.utf8)) })
        let read = NoteFormat.jex.read([PortableFile("x.jex", tar)])
        #expect(
            read.notes == [
                PortableNote(
                    source: "joplin:a0000000000000000000000000000001", title: "Plan",
                    content: "First line\n\n![x.png](:/c0000000000000000000000000000001)", folder: "Work",
                    tags: ["todo"],
                    createdAt: Instant(milliseconds: 1_577_934_245_006),
                    changedAt: Instant(milliseconds: 1_795_185_060_000),
                    attachments: [
                        Attachment(
                            path: "attachments/x.png", content: .bytes(Array("png".utf8)),
                            link: ":/c0000000000000000000000000000001")
                    ])
            ])
        #expect(
            read.problems.map(\.file) == [
                "x.jex:broken.md", "x.jex:a0000000000000000000000000000002.md",
            ])
        // Cut off anywhere, what came before is there and nothing ends the process.
        for end in stride(from: 0, to: tar.count, by: 97) {
            _ = NoteFormat.jex.read([PortableFile("x.jex", Array(tar[..<end]))])
        }
    }

    private func run(_ script: String) -> [UInt8] {
        guard let pipe = popen(script, "r") else { return [] }
        defer { pclose(pipe) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while case let count = fread(&chunk, 1, chunk.count, pipe), count > 0 { bytes += chunk[..<count] }
        return bytes
    }

    @Test(arguments: ["gnu", "ustar", "pax", "v7"])
    func `archives of tar are read`(format: String) throws {
        let long =
            format == "v7" ? "short" : String(repeating: "d", count: 90) + "/" + String(repeating: "e", count: 60)
        let name = format == "gnu" || format == "pax" ? String(repeating: "n", count: 130) : "name"
        let script = """
            d=$(mktemp -d) && cd "$d" && mkdir -p '\(long)' && printf hello > '\(long)/\(name)' && : > empty \
            && tar --format=\(format) -cf - '\(long)' empty; rm -rf "$d"
            """
        let (files, error) = TarReader.read(run(script))
        #expect(error == nil)
        #expect(files == [PortableFile("\(long)/\(name)", Array("hello".utf8)), PortableFile("empty", [])])
    }

    @Test func `damaged archives are read up to the damage`() throws {
        let tar = try TarWriter.write([PortableFile("a", [1]), PortableFile("b", [2]), PortableFile("c", [3])])
        var damaged = tar
        damaged[1024 + 3] = 1
        let (files, error) = TarReader.read(damaged)
        #expect(files == [PortableFile("a", [1])])
        #expect(error == .broken(offset: 1024))
        #expect(throws: TarError.self) {
            try TarWriter.write([PortableFile(ByteString(String(repeating: "x", count: 101)), [])])
        }
        var generator = SeededGenerator(seed: 3)
        for _ in 0..<500 {
            var bytes = tar
            for _ in 0..<4 {
                bytes[Int.random(in: 0..<bytes.count, using: &generator)] = .random(in: 0...255, using: &generator)
            }
            _ = TarReader.read(bytes)
        }
    }

    @Test(arguments: [
        ("", 1), ("{", 1), (#"{"format":"hub-notes","version":2,"notes":[]}"#, 1),
        (#"{"format":"hub-notes","version":1,"notes":[{"title":"t"},{"title":"t","content":"c","tags":[1]}]}"#, 1),
    ])
    func `JSON with mistakes names them`(text: String, problems: Int) {
        let read = NoteFormat.json.read([PortableFile("n.json", Array(text.utf8))])
        #expect(read.problems.count == problems)
    }

    @Test func `links lead only into the folder`() {
        func attachments(_ text: String) -> [String] {
            NoteFormat.markdown.read([
                PortableFile("x/a.md", Array(text.utf8)), PortableFile("x/p.png", [1]), PortableFile("q (1).png", [2]),
            ]).notes.flatMap(\.attachments).map(\.name)
        }
        #expect(attachments("![a](p.png) ![b](./p.png \"title\") ![[p.png|100]]") == ["p.png"])
        #expect(attachments("[a](../q%20%281%29.png) [b](<../q (1).png>)") == ["q (1).png"])
        #expect(attachments("[a](/p.png) [b](../../x/p.png) [c](https://x/p.png) [d](p.pn\ng)").isEmpty)
    }

    @Test func `attachments are found as Obsidian finds them, and the others are named`() {
        let text = """
            ![[plan.png]] ![[media/map.svg|100]] ![x](par(1).png) <img width="3" src="media/a%20b.gif"> ![r][pic]
            ![[CAFE\u{301}.PNG]] ![[gone.png]] ![[A note]] [doc](lost.pdf) [other](b.md) [web](https://x/y.png) [z](v1.2)

            [pic]: <media/ref.jpg> "title"
            [^1]: foot.png
            """
        let files: [ByteString] = [
            "deep/down/plan.png", "media/map.svg", "x/par(1).png", "media/a b.gif", "media/ref.jpg", "caf\u{E9}.png",
            "alone.pdf",
        ]
        let read = NoteFormat.markdown.read(
            [PortableFile("x/a.md", Array(text.utf8)), PortableFile("x/b.md", [])] + files.map { PortableFile($0, [1]) }
        )
        #expect(
            read.notes.flatMap(\.attachments).map(\.name)
                == ["plan.png", "map.svg", "par(1).png", "a b.gif", "caf\u{E9}.png", "ref.jpg"])
        #expect(
            read.remarks == [
                "2 linked files not found: x/a.md: gone.png; x/a.md: lost.pdf",
                "1 file left out, since no note links to it",
            ])
    }

    @Test func `attachments whose names differ in their Unicode form alone are two`() throws {
        let text = "![a](caf\u{E9}.png) ![b](cafe\u{301}.png)"
        let read = NoteFormat.markdown.read([
            PortableFile("a.md", Array(text.utf8)), PortableFile("caf\u{E9}.png", [1]),
            PortableFile("cafe\u{301}.png", [2]),
        ])
        #expect(read.notes.flatMap(\.attachments).map(\.bytes) == [[1], [2]])
        let written = try NoteFormat.markdown.write(read.notes)
        let again = NoteFormat.markdown.read(written)
        #expect(again.notes.flatMap(\.attachments).map(\.bytes) == [[1], [2]])
    }

    @Test func `an exported file is as it was imported`() throws {
        let text = "\u{FEFF}---\ntitle: 'Trip: plan'\ndate: 2026-01-02\nhub-id: x\n---\nGo\n"
        var read = NoteFormat.markdown.read([PortableFile("trip.md", Array(text.utf8)), PortableFile("b.md", [])]).notes
        read[0].stem = "trip"
        let written = try NoteFormat.markdown.write(read)
        #expect(written.map(\.path) == ["trip.md", "b.md"])
        #expect(String(decoding: written[0].bytes, as: UTF8.self) == text.replacing("hub-id: x\n", with: ""))
    }

    @Test func `imports cost linear time`() {
        for (name, part) in [
            ("links", "](a "), ("embeds", "![["), ("brackets", "](<"), ("whole", "![a](b.png) "),
            ("pictures", "<img src"), ("definitions", "\n[a"), ("parentheses", "](("),
        ] {
            Scaling.expectLinear(name, size: 5000) {
                [PortableFile("a.md", repeated(part, $0))]
            } _: {
                _ = NoteFormat.markdown.read($0)
            }
        }
    }
}
