import Archive
import JSON
import NotesDomain
import TestSupport
import Testing
import Text
import Time

/// Imports of other programs: Joplin's links and properties, Evernote, Simplenote, Standard Notes and Notion. The exports are written by
/// hand after the descriptions of the formats.
@Suite(.timeLimit(.minutes(20)))
struct ImporterTests {
    private func imported(_ files: [PortableFile]) throws -> ImportedNotes {
        let unpacked = try NoteArchive.unpacked(files)
        return try #require(NoteFormat(sniffing: unpacked)).read(unpacked)
    }

    private func imported(_ name: String, _ text: String) throws -> ImportedNotes {
        try imported([PortableFile(ByteString(name), Array(text.utf8))])
    }

    private func zip(_ files: [(String, String)]) throws -> [UInt8] {
        let writer = try ZipWriter()
        for (path, text) in files { try writer.add(ArchiveEntry(path, Array(text.utf8))) }
        try writer.finish()
        return writer.take()
    }

    // MARK: Joplin

    private static func joplin(_ items: [(id: String, text: String)]) throws -> PortableFile {
        PortableFile(
            "x.jex", try TarWriter.write(items.map { PortableFile(ByteString($0.id + ".md"), Array($0.text.utf8)) }))
    }

    private static let first = "a0000000000000000000000000000001"
    private static let second = "a0000000000000000000000000000002"
    private static let items = [
        ("b0000000000000000000000000000001", "Work\n\nid: b0000000000000000000000000000001\nparent_id: \ntype_: 2"),
        (
            first,
            """
            First

            [second](:/\(second)#part) and [gone](:/f0000000000000000000000000000009)

            id: \(first)
            parent_id: b0000000000000000000000000000001
            user_updated_time: 2020-01-02T03:04:05.006Z
            source_url: https://example.org/a
            author: Ada: L.
            latitude: 52.50000000
            longitude: 0.00000000
            is_todo: 1
            todo_due: 1600000000000
            todo_completed: 1600000001000
            is_conflict: 0
            deleted_time: 0
            type_: 1
            """
        ),
        (
            second,
            """
            Second

            <h2>Head</h2><p>with <b>bold</b> and <a href=":/\(first)">a link</a></p>

            id: \(second)
            markup_language: 2
            deleted_time: 1600000002000
            is_conflict: 1
            type_: 1
            """
        ),
    ]

    @Test func `Joplin's links, to-dos, trash, sources and HTML are kept`() throws {
        let read = try imported([Self.joplin(Self.items)])
        let (one, two) = (read.notes[0], read.notes[1])
        #expect(one.content == "[second](../Second.md#part) and [gone](:/f0000000000000000000000000000009)")
        #expect(one.changedAt == Instant(milliseconds: 1_577_934_245_006) && one.deletedAt == nil)
        let matter = try #require(MarkdownFile(text: one.frontMatter ?? "").frontMatter)
        #expect(matter.text(of: "source") == "https://example.org/a" && matter.text(of: "author") == "Ada: L.")
        #expect(matter.text(of: "completed?") == "yes" && matter.text(of: "due") == "2020-09-13T12:26:40Z")
        #expect(two.content == "## Head\n\nwith **bold** and [a link](Work/First.md)\n")
        #expect(two.deletedAt == Instant(milliseconds: 1_600_000_002_000))
        #expect(MarkdownFile(text: two.frontMatter ?? "").frontMatter?.text(of: "conflict") == "yes")
        #expect(read.remarks == ["1 link to notes or files that are not in x.jex"])
    }

    @Test func `an export for Joplin that is imported again is the same`() throws {
        var notes = try imported([Self.joplin(Self.items)]).notes
        notes[1].deletedAt = nil
        notes[1].content += "[[First#Part|the first]] ![[First]] [[Nowhere]] [x](Work/First.md)\n"
        notes[1].folder = "Work"
        notes[0].content = notes[0].content.replacing("../Second", with: "Second")
        notes[1].content = notes[1].content.replacing("Work/First.md", with: "First.md")
        let files = try NoteFormat.jex.write(notes)
        let text = String(decoding: files[0].bytes, as: UTF8.self)
        #expect(
            text.contains(
                "[the first](:/\(Self.first) \"[[First#Part|the first]]\") ![[First]] [[Nowhere]] [x](:/\(Self.first))")
        )
        #expect(text.contains("is_todo: 1\ntodo_due: 1600000000000\ntodo_completed: 1600000001000"))
        let again = try imported(files).notes
        #expect(again.map(\.content) == notes.map(\.content))
        #expect(again.map(\.frontMatter) == notes.map(\.frontMatter))
        #expect(try NoteFormat.jex.write(again) == files)
    }

    // MARK: HTML

    @Test(arguments: [
        (
            "<h1>A &amp; b</h1><p>One <b>bold </b>and <i>it</i>.</p>x<br/>y",
            "# A & b\n\nOne **bold** and *it*.\n\nx\ny\n"
        ),
        ("<ul><li>a<li>b<ul><li>c</li></ul></li></ul><ol start=3><li>d</ol>", "- a\n- b\n  - c\n\n3. d\n"),
        (
            "<table><tr><th>a<th>b|c</tr><tr><td><b>1</b></td></tr></table>z",
            "| a | b\\|c |\n| --- | --- |\n| **1** |  |\n\nz\n"
        ),
        ("<pre>x\n  y &lt;\n</pre><blockquote><p>q</p><p>r</p></blockquote>", "```\nx\n  y <\n```\n\n> q\n>\n> r\n"),
        ("1. no list<br># none<br>a*b_c [d]", "1\\. no list\n\\# none\na\\*b_c \\[d\\]\n"),
        (
            "<a href=\"x (1).html\">w</a><img src=p.png alt=\"a]b\"><script>no</script>",
            "[w](x%20%281%29.html)![a\\]b](p.png)\n"
        ),
        ("a &nosuch; &#x20AC;&#0; <b", "a &nosuch; €&#0; \\<b\n"), ("", ""), ("<b></b><p></p>", ""),
    ])
    func `HTML is written as Markdown`(html: String, markdown: String) {
        let item = "T\n\n\(html)\n\nid: \(Self.first)\nmarkup_language: 2\ntype_: 1"
        let read = try? imported([Self.joplin([(Self.first, item)])])
        #expect(read?.notes.first?.content == markdown)
    }

    // MARK: Evernote

    private static let enex = """
        <?xml version="1.0" encoding="UTF-8"?>
        <!DOCTYPE en-export SYSTEM "http://xml.evernote.com/pub/evernote-export4.dtd" [<!ENTITY a "b">]>
        <en-export export-date="20261120T000000Z" application="Evernote" version="10">
          <note><title>Trip &amp; more</title><created>20130730T205204Z</created><updated>20130730T205624Z</updated>
            <tag>fun</tag><tag>Łódź</tag>
            <note-attributes><author>Ada</author><source-url>https://example.org/</source-url></note-attributes>
            <content><![CDATA[<?xml version="1.0"?><!DOCTYPE en-note SYSTEM "x"><en-note><div><en-todo checked="true"/>pack</div>
            <div><en-todo/>go</div><div><br/></div><div><en-media type="image/png" hash="900150983CD24FB0D6963F7D28E17F72"/></div>
            <div><a href="evernote:///view/1/s1/x/y/">Second</a> &a;</div><en-crypt>secret</en-crypt></en-note>]]></content>
            <resource><data encoding="base64">YW\nJj</data><mime>image/png</mime><resource-attributes><file-name>map/1.png</file-name></resource-attributes></resource>
            <resource><data encoding="base64">eA==</data><mime>application/pdf</mime></resource>
          </note>
          <note><title>Second</title><content><![CDATA[<en-note>text</en-note>]]></content><created>20130730T205204Z</created>
            <task><title>Call</title><taskStatus>open</taskStatus></task></note>
          <note><title>Second</title><content><![CDATA[<en-note/>]]></content><created>20130730T205204Z</created></note>
        </en-export>
        """

    @Test func `Evernote's notes come with files, boxes, tags, dates and links`() throws {
        let read = try imported("My notes.enex", Self.enex)
        #expect(read.problems.isEmpty && read.notes.count == 3)
        let note = read.notes[0]
        #expect(note.title == "Trip & more" && note.tags == ["fun", "Łódź"])
        #expect(
            note.content
                == "- [x] pack\n- [ ] go\n\n![map-1.png](attachments/map-1.png)\n[[Second]] &a;\n\n[9dd4e461.pdf](attachments/9dd4e461.pdf)\n"
        )
        #expect(note.attachments.map(\.bytes) == [Array("abc".utf8), Array("x".utf8)])
        #expect(note.createdAt == Instant(milliseconds: 1_375_217_524_000))
        #expect(note.changedAt == Instant(milliseconds: 1_375_217_784_000))
        #expect(note.frontMatter?.contains("author: Ada") == true)
        #expect(read.notes[1].content == "text\n\n- [ ] Call\n" && read.notes[2].content.isEmpty)
        #expect(Set(read.notes.map(\.source)).count == 3)
        #expect(read.remarks == ["1 encrypted text left out; decrypt in Evernote to import"])
    }

    @Test func `hostile exports of Evernote cost no more than they are long`() throws {
        let bytes = Array(Self.enex.utf8)
        for end in stride(from: 0, to: bytes.count, by: 41) {
            _ = NoteFormat.enex.read([PortableFile("x.enex", Array(bytes[..<end]))])
        }
        for text in [
            "<en-export>" + String(repeating: "<note>", count: 50_000),
            "<en-export><note><content><![CDATA[" + String(repeating: "<ul><li><b>", count: 50_000),
            "<en-export>" + String(repeating: "<![CDATA[", count: 50_000),
            "<en-export>" + String(repeating: "<a ", count: 50_000),
            "<!DOCTYPE en-export [<!ENTITY a \"aa\"><!ENTITY b '&a;&a;'>]><en-export><note><title>&b;</title></note></en-export>",
            "<en-export><note><title>T</title><resource><data>!!!</data></resource></note></en-export>",
        ] {
            let read = NoteFormat.enex.read([PortableFile("x.enex", Array(text.utf8))])
            #expect(read.notes.count <= 1)
        }
    }

    // MARK: Simplenote, Standard Notes, Notion

    @Test func `Simplenote's archive comes with tags, pins, dates, links and the trash`() throws {
        let json = #"""
            {"activeNotes":[{"id":"n1","content":"Shopping\r\n- milk\r\nsee [x](simplenote://note/n2)","creationDate":"2020-01-02T03:04:05.006Z",
            "lastModified":"2021-01-02T03:04:05.006Z","tags":["home"],"pinned":true},{"id":"n2","content":"# Other: one\n\ntext"},{"id":3}],
            "trashedNotes":[{"id":"n4","content":"old","lastModified":"2021-01-02T03:04:05.006Z"}]}
            """#
        for file in [
            PortableFile("notes.zip", try zip([("source/notes.json", json), ("Shopping.txt", "Shopping")])),
            PortableFile("export.json", Array(json.utf8)),
        ] {
            let read = try imported([file])
            #expect(read.notes.map(\.title) == ["Shopping", "Other: one", "old"])
            #expect(read.notes[0].content == "- milk\nsee [x](Other-%20one.md)" && read.notes[1].content == "text")
            #expect(read.notes[0].tags == ["home"] && read.notes[0].isPinned)
            #expect(read.notes[0].createdAt == Instant(milliseconds: 1_577_934_245_006))
            #expect(read.notes.map { $0.deletedAt != nil } == [false, false, true])
            #expect(read.problems.map(\.message) == ["note 3 has no content"])
        }
    }

    @Test func `a backup of Standard Notes comes with tags inside of tags, pins, dates and the trash`() throws {
        let json = #"""
            {"version":"004","items":[
            {"uuid":"1","content_type":"Note","created_at":"2020-01-02T03:04:05.006Z","content":{"title":"One","text":"a **b**","references":[],
            "appData":{"org.standardnotes.sn":{"client_updated_at":"2021-01-02T03:04:05.006Z","pinned":true,"archived":true}}}},
            {"uuid":"2","content_type":"Note","content":{"title":"Rich","text":"<p>x <b>y</b></p>","noteType":"rich-text","trashed":true}},
            {"uuid":"3","content_type":"Note","content":{"title":"Super","noteType":"super","text":"{\"root\":{\"children\":[{\"type\":\"heading\",\"tag\":\"h2\",\"children\":[{\"text\":\"H\"}]},{\"type\":\"list\",\"listType\":\"check\",\"children\":[{\"checked\":true,\"children\":[{\"text\":\"d\",\"format\":1}]},{\"children\":[{\"text\":\"o\"}]}]},{\"type\":\"paragraph\",\"children\":[{\"text\":\"p\"}]}]}}"}},
            {"uuid":"4","content_type":"Note","content":"004:secret"},
            {"uuid":"5","content_type":"Tag","content":{"title":"trips","references":[]}},
            {"uuid":"6","content_type":"Tag","content":{"title":"ideas","references":[{"uuid":"1","content_type":"Note"},{"uuid":"5","content_type":"Tag"}]}},
            {"uuid":"7","content_type":"SN|File","content":{}}]}
            """#
        let files = [("Standard Notes Backup and Import File.txt", json), ("Items/Note/One.txt", "a")]
        let read = try imported([PortableFile("b.zip", try zip(files))])
        #expect(try imported("b.json", json).notes == read.notes)
        #expect(read.notes.map(\.title) == ["One", "Rich", "Super"])
        #expect(read.notes[0].tags == ["trips/ideas", "archived"] && read.notes[0].isPinned)
        #expect(read.notes[0].changedAt == Instant(milliseconds: 1_609_556_645_006))
        #expect(read.notes[1].content == "x **y**\n" && read.notes[1].deletedAt != nil)
        #expect(read.notes[2].content == "## H\n\n- [x] **d**\n- [ ] o\n\np\n")
        #expect(read.problems.map(\.message) == ["1 note encrypted; make a decrypted backup in Standard Notes"])
        #expect(read.remarks == ["1 file left out, since a backup has only their names"])
    }

    @Test func `Notion's archive inside of an archive comes without ids, with links and files`() throws {
        let (page, sub) = ("0123456789abcdef0123456789abcdef", "fedcba9876543210fedcba9876543210")
        let inner = try zip([
            (
                "Export-x/Plan a tr \(page).md",
                "# Plan a trip to Rome\n\nStatus: open\n\n[Sub](Plan%20a%20tr%20\(page)/Sub%20\(sub).md) ![](Plan%20a%20tr%20\(page)/pic.png)\n"
            ),
            ("Export-x/Plan a tr \(page)/Sub \(sub).md", "# Sub\n\nback to [Plan](../Plan%20a%20tr%20\(page).md)\n"),
            ("Export-x/Plan a tr \(page)/pic.png", "PNG"), ("Export-x/Table \(sub)_all.csv", "a,b\n"),
        ])
        let writer = try ZipWriter()
        try writer.add(ArchiveEntry("Export-1-Part-1.zip", inner))
        try writer.finish()
        let read = try imported([PortableFile("Export.zip", writer.take())])
        #expect(read.notes.map(\.title) == ["Plan a trip to Rome", "Sub"])
        #expect(read.notes.map(\.folder) == ["", "Plan a tr"])
        #expect(read.notes[0].content == "Status: open\n\n[Sub](Plan%20a%20tr/Sub.md) ![](Plan%20a%20tr/pic.png)\n")
        #expect(read.notes[1].content == "back to [Plan](../Plan%20a%20trip%20to%20Rome.md)\n")
        #expect(read.notes[0].attachments.map(\.bytes) == [Array("PNG".utf8)])
        #expect(read.notes.map(\.source) == ["notion:\(page)", "notion:\(sub)"])
        #expect(read.remarks == ["1 file left out, since no note links to it"])
    }

    // MARK: Formats

    @Test func `what is in no known format is refused`() throws {
        for (name, text) in [
            ("x.zip", "PK nothing"), ("x.json", "{\"a\": 1}"), ("x.json", "[1]"), ("x.enex", "<other/>"),
            ("x.html", "<p>x</p>"),
            ("x.pdf", "%PDF"), ("x.jex", "no tar"), ("x.md", "a\u{0}b"), ("x", "\u{0}"),
        ] {
            #expect(NoteFormat(sniffing: [PortableFile(ByteString(name), Array(text.utf8))]) == nil, "\(name)")
        }
        for name in ["x.md", "x.txt", "README", "notes of 2020.11.20 and more"] {
            #expect(NoteFormat(sniffing: [PortableFile(ByteString(name), Array("text".utf8))]) == .markdown, "\(name)")
        }
        #expect(NoteFormat(sniffing: [PortableFile("a.png", []), PortableFile("b.csv", [])]) == nil)
        #expect(throws: ImportProblem.self) {
            try NoteArchive.unpacked([PortableFile("x.zip", [0x50, 0x4B, 3, 4, 1, 2])])
        }
        let bomb = try zip([("../../out.md", "x"), (".git/a.md", "x"), ("__MACOSX/b.md", "x"), ("a.md", "y")])
        #expect(try NoteArchive.unpacked([PortableFile("x.zip", bomb)]).map(\.path) == ["a.md"])
    }
}
