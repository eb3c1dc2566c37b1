import NotesDomain
import TestSupport
import Testing
import Text

/// Front matter and names of files.
struct MarkdownTests {
    private static let foreign = """
        ---
        title: "A: b"   # of mine
        aliases:
          - x
          - 'it''s'
        tags: [one, "two, three"]
        nested:
            tags: [no]
        date: 2026-11-20
        # a comment

        weird line
        ---
        Text
        ---
        more
        """

    @Test func `values of others are read and kept byte for byte`() throws {
        let file = MarkdownFile(text: Self.foreign)
        let matter = try #require(file.frontMatter)
        #expect(matter[.title] == "A: b")
        #expect(matter.list(.tags) == ["one", "two, three"])
        #expect(matter[.id] == nil)
        #expect(file.content == "Text\n---\nmore")
        #expect(file.text == Self.foreign)
    }

    @Test func `setting a key changes its lines alone`() {
        var file = MarkdownFile(text: Self.foreign)
        file.update {
            $0.set(.title, "A: b")
            $0.set(.tags, ["one", "two, three"])
        }
        #expect(file.text == Self.foreign, "the same values")
        file.update {
            $0.set(.tags, ["x", "Łódź", "- y", "true"])
            $0.set(.id, "7kt")
        }
        let expected = Self.foreign.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            line.hasPrefix("tags:") ? #"tags: [x, Łódź, "- y", "true"]"# : String(line)
        }
        var lines = file.text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        #expect(lines.remove(at: 12) == #"hub-id: "7kt""#)
        #expect(lines == expected)
        #expect(file.frontMatter?.list(.tags) == ["x", "Łódź", "- y", "true"])
        #expect(file.frontMatter?[.id] == "7kt")
    }

    @Test func `lists of lines and line ends stay as they are`() {
        var file = MarkdownFile(text: "\u{FEFF}---\r\ntags:\r\n- a\r\n- b\r\nx: 1\r\n---\r\nText\r\n")
        #expect(file.frontMatter?.list(.tags) == ["a", "b"])
        file.update { $0.set(.tags, ["b", "c d"]) }
        #expect(file.text == "\u{FEFF}---\r\ntags:\r\n- b\r\n- c d\r\nx: 1\r\n---\r\nText\r\n")
        file.update { $0.set(.tags, []) }
        #expect(file.text == "\u{FEFF}---\r\nx: 1\r\n---\r\nText\r\n")
    }

    @Test(arguments: [
        "", "x", "---", "---\n", "---\na: b\n", "--- x\n---\n", "text\n---\na: b\n---\n", "----\n----\n",
    ])
    func `what is not front matter is text`(text: String) {
        let file = MarkdownFile(text: text)
        #expect(file.frontMatter == nil)
        #expect(file.content == text)
    }

    @Test func `front matter comes and goes with what is in it`() {
        var file = MarkdownFile(content: "Text")
        file.update { $0.set(.title, "T") }
        #expect(file.text == "---\ntitle: T\n---\nText")
        file.update { $0.set(.title, nil) }
        #expect(file.text == "Text")
        let empty = MarkdownFile(text: "---\n---\nText")
        #expect(empty.frontMatter?.isEmpty == true)
        #expect(empty.text == "---\n---\nText")
        #expect(MarkdownFile([0xFF, 0xFE]) == nil)
    }

    @Test func `any values come back as they were set, and any file is kept`() {
        var generator = SeededGenerator(seed: 12)
        let signs = Array("a:#\"'\\[],-{}|> \n\r\té\u{1F600}\u{85}\u{301}\u{600}".unicodeScalars)
        func text(_ count: Int) -> String {
            var view = String.UnicodeScalarView()
            for _ in 0..<count { view.append(signs[Int.random(in: 0..<signs.count, using: &generator)]) }
            return String(view)
        }
        for _ in 0..<2000 {
            let original =
                "---\n" + text(Int.random(in: 0...30, using: &generator)) + "\ntags:"
                + text(Int.random(in: 0...12, using: &generator)) + "\n---\n" + text(5)
            var file = MarkdownFile(text: original)
            let isReadable = file.frontMatter?.unreadableKeys.isEmpty ?? true
            #expect(file.text.unicodeScalars.elementsEqual(original.unicodeScalars))
            let (title, tag) = (
                text(Int.random(in: 1...8, using: &generator)), text(Int.random(in: 1...8, using: &generator))
            )
            file.update {
                $0.set(.title, title)
                $0.set(.tags, [tag, "x"])
            }
            guard isReadable else { continue }
            let again = MarkdownFile(text: file.text)
            let read = [again.frontMatter?[.title] ?? ""] + (again.frontMatter?.list(.tags) ?? [])
            let isSame = read.map { Array($0.unicodeScalars) } == [title, tag, "x"].map { Array($0.unicodeScalars) }
            #expect(isSame, "\(file.text)")
        }
    }

    @Test(arguments: [
        ("tags: [alpha,\n  beta, gamma]\n", ["alpha", "beta", "gamma"]),
        ("tags: [ # some\n  alpha, # first\n  'be''ta'\n]\n", ["alpha", "be'ta"]),
        ("tags:\n  - one # first\n\n  # comment\n  - \"two # 2\"\n", ["one", "two # 2"]),
        ("tags:   # mine\n- one\n# comment\n- two\nx: 1\n", ["one", "two"]),
        ("\"tags\": [a]\n", ["a"]), ("'tags' : a, b # c\n", ["a", "b"]), ("Tags:\n- a\n", ["a"]),
        ("tags:\n", []), ("tags: ~\n", []), ("tags: null # none\n", []), ("tags: []\n", []),
        ("tags: [\"\\x41\\u00e9\\e\"]\n", ["A\u{E9}\u{1B}"]), ("x: [tags: [no],\ny]\ntags: a#b\n", ["a#b"]),
    ])
    func `lists are read as YAML has them, and their lines stay`(lines: String, tags: [String]) {
        var file = MarkdownFile(text: "---\n\(lines)---\n")
        #expect(file.frontMatter?.list(.tags) == tags)
        file.update { $0.set(.tags, tags + ["new"]) }
        #expect(file.frontMatter?.list(.tags) == tags + ["new"])
        file.update { $0.set(.tags, tags) }
        #expect(file.frontMatter?.list(.tags) ?? [] == tags)
        let comments = lines.unicodeScalars.count { $0 == "#" }
        #expect(file.text.unicodeScalars.count { $0 == "#" } >= (tags.isEmpty ? 0 : comments), "\(file.text)")
        #expect(!file.text.contains("\ntags:") || lines.hasPrefix("tags") || lines.hasPrefix("x"), "no second key")
    }

    @Test(arguments: [
        "tags: [a, [b]]\n", "tags: {a: b}\n", "tags: &x [a]\n", "tags: !!seq [a]\n", "tags: [a\n", "tags: [a] b\n",
        "tags: |\n  a\n", "tags: a\n  b\n", "tags:\n  - a\n  - - b\n", "tags:\n  - a: b\n", "tags:\n  - a\n    b\n",
        "tags: \"a\n", "tags: \"\\q\"\n", "tags: [a]\ntags: [b]\n", "{tags: [a]}\n", "- tags\n", "tags: *x\n",
    ])
    func `what cannot be read exactly is never written over`(lines: String) {
        var file = MarkdownFile(text: "---\n\(lines)---\n")
        #expect(file.frontMatter?.unreadableKeys.contains(.tags) == true)
        #expect(file.frontMatter?.list(.tags) == nil)
        file.update {
            $0.set(.tags, ["x"])
            $0.set(.tags, [])
        }
        #expect(file.text == "---\n\(lines)---\n")
    }

    @Test func `elements that stay are left where they are`() {
        func changed(_ lines: String, _ tags: [String]) -> String {
            var file = MarkdownFile(text: "---\n\(lines)\n---\n")
            file.update { $0.set(.tags, tags) }
            return String(file.text.dropFirst(4).dropLast(5))
        }
        #expect(changed("tags: [a,\n  'b', c]", ["a", "c", "d"]) == "tags: [a,\n  c, d]")
        #expect(changed("tags: [a, b, c] # mine", ["b"]) == "tags: [b] # mine")
        #expect(
            changed("tags:\n  - a # first\n  # second\n  - b\n  - c", ["a", "c", "d"])
                == "tags:\n  - a # first\n  # second\n  - c\n  - d")
        #expect(changed("Tags: a # x", ["a", "b"]) == "Tags: [a, b] # x")
        #expect(changed("tags: # x\ny: 1", ["a"]) == "tags: [a] # x\ny: 1")
        #expect(changed("tags: [a, b]", ["b", "a"]) == "tags: [b, a]")
    }

    @Test(arguments: [
        ("Shopping", "Shopping"), ("a/b: c?", "a-b- c-"), ("..", "Untitled"), ("", "Untitled"),
        (" .hidden. ", "hidden"),
        ("con", "con_"), ("LPT1.txt", "LPT1.txt_"), ("a\nb\u{0}", "a b"), ("Łódź", "Łódź"),
    ])
    func `names that are safe everywhere`(title: String, stem: String) {
        #expect(NoteFileName.stem(title) == stem)
    }

    @Test func `names are cut between letters and numbered when taken`() {
        #expect(NoteFileName.stem(String(repeating: "é", count: 300)).utf8.count == 200)
        #expect(
            NoteFileName.path(title: "A", folder: "x/../y", isTaken: ["x/y/a.md", "x/y/a 2.md"].contains)
                == "x/y/A 3.md")
        #expect(NoteFileName.folder("/../a//.git/") == "a/git")
        let parts = NoteFileName.parts("x/y/A b.MD")
        #expect(parts.title == "A b")
        #expect(parts.folder == "x/y")
        let marked = NoteFileName.parts("x/\u{301}a.md")
        #expect(marked.folder == "x")
        #expect(marked.title.unicodeScalars.elementsEqual("\u{301}a".unicodeScalars))
        let notes: [ByteString] = ["a.md", ".git/a.md", "x/.a.md", ".md", "a.txt", "x/a.MD"].filter(NoteFileName.isNote)
        #expect(notes == ["a.md", "x/a.MD"])
    }

    @Test func `long front matter costs linear time`() {
        for (name, line) in [("keys", "x: y\n"), ("items", "- y\n"), ("commas", "tags: [a, \"\n"), ("quotes", "'")] {
            Scaling.expectLinear(name, size: 500) {
                "---\ntags:\n" + String(repeating: line, count: $0) + "\n---\n"
            } _: {
                var file = MarkdownFile(text: $0)
                file.update { $0.set(.tags, ["x"]) }
            }
        }
    }
}
