import NotesDomain
import TestSupport
import Testing
import TextCRDT
import Time

/// Links, tags, snippets, names and order of notes.
struct NoteTests {
    private func links(_ text: String) -> [String] {
        WikiLink.links(in: text).map {
            [
                $0.isEmbedded ? "!" : "",
                $0.isMarkdown && $0.title.hasSuffix(".md") ? String($0.title.dropLast(3)) : $0.title,
                $0.heading.map { "#" + $0 } ?? "", $0.label.map { "|" + $0 } ?? "",
            ]
            .joined()
        }
    }

    @Test(arguments: [
        ("see [[Shopping]].", ["Shopping"]), ("[[ A b ]][[c]]", ["A b", "c"]), ("[[A#Head|shown]]", ["A#Head|shown"]),
        ("![[pic.png]]", ["!pic.png"]), ("[[#Here]]", ["#Here"]), ("[[]] [[ ]] [[|x]]", []), ("[[a]b]]", []),
        ("[[a\nb]]", []), ("[[[a]]]", ["a"]), ("[a](b) [[x]", ["b"]),
        ("[a](c%20d/B.md#H \"t\") ![](<e f.md>) [r]: g.md", ["c d/B#H", "e f"]),
        ("[r]: ../g%23.md\n[^1]: h.md", ["../g#"]),
        ("[a](http:b) [](x.png) [](//h/x) [](a?b) [](#c) [](d(1).md)", ["#c", "d(1)"]),
        ("| [[a\\|b]] [[c#d\\|e]] |", ["a|b", "c#d|e"]), ("`[a](b.md)`", []), ("[a](b", []), ("\\[[a]]", []),
        ("`[[a]]` [[b]]", ["b"]),
        ("`` ` [[a]] `` [[b]] `[[c]]", ["b", "c"]), ("```\n[[a]]\n```\n[[b]]", ["b"]),
        ("~~~x\n[[a]]\n```\n~~~\n[[b]]", ["b"]),
        ("    [[indented]]", ["indented"]), ("é[[ü]]", ["ü"]),
    ])
    func `links of a text`(text: String, expected: [String]) {
        #expect(links(text) == expected)
    }

    @Test func `tags are compared folded and keep their spelling`() {
        #expect(
            NoteTag.changed(["Büro", "b"], adding: ["#buro", "New, tag", ""], removing: ["B"]) == ["Büro", "New tag"])
        #expect(NoteTag.cleaned("  # a\u{0}b ") == "a b")
        #expect(NoteTag.cleaned(String(repeating: "x", count: 201)) == nil)
    }

    @Test(arguments: [
        ("", "", "Untitled"), ("  ", "\n\n# Hi  there\nx", "Hi there"), ("T", "x", "T"), ("", "###", "Untitled"),
    ])
    func `the name in lists`(title: String, content: String, expected: String) {
        #expect(NoteRecord.displayName(title: title, content: content) == expected)
    }

    @Test func `pinned notes come first, then the latest`() {
        func note(_ id: String, _ changed: Int64, _ isPinned: Bool) -> NoteRecord {
            NoteRecord(
                id: id, title: "", content: "", access: NoteAccess(owner: ""), isPinned: isPinned, revision: 1,
                createdAt: Instant(milliseconds: 0), changedAt: Instant(milliseconds: changed))
        }
        let notes = [note("a", 1, false), note("b", 2, false), note("c", 0, true), note("d", 2, false)]
        #expect(notes.sorted { $0.comes(before: $1) }.map(\.id) == ["c", "b", "d", "a"])
    }

    @Test func `a snippet shows the matches with their surroundings`() {
        let text = "One\n\ntwo  Straße three " + String(repeating: "far away ", count: 30) + "straße and Łódź end"
        let both = SearchSnippet(of: text, terms: ["strasse", "lodz"], width: 40)
        #expect(both.text.hasPrefix("…"))
        #expect(both.matches.map { String(Array(both.text)[$0]) } == ["straße", "Łódź"])
        let first = SearchSnippet(of: text, terms: ["two"], width: 20)
        #expect(first.text == "One two Straße thr…")
        #expect(first.matches.map { String(Array(first.text)[$0]) } == ["two"])
        #expect(SearchSnippet(of: "short", terms: ["x"]).text == "short")
        let marked = "# V60 at **94 °C** - [x] bread - [ ] see [[Coffee]] > `quoted` [ 1"
        #expect(SearchSnippet(of: marked, terms: []).plainText == "V60 at 94 °C ✓ bread see Coffee quoted [ 1")
        #expect(SearchSnippet(of: "", terms: ["x"]).text.isEmpty)
    }

    @Test func `each line has its authors and the time of the latest`() throws {
        var text = ReplicatedText()
        try text.apply(TextEdit(position: 0, inserted: "one\ntwo\n"), by: "a")
        try text.apply(TextEdit(position: 3, inserted: "!"), by: "b")
        try text.apply(TextEdit(position: 9, inserted: "three"), by: "b")
        let journal = EditJournal([
            EditBatch(agent: "a", sequences: 0..<8, person: "ada", at: Instant(milliseconds: 10), change: 1),
            EditBatch(agent: "b", sequences: 0..<1, person: "bob", at: Instant(milliseconds: 20), change: 2),
        ])
        let lines = LineAuthorship.lines(of: text, journal)
        #expect(lines.map(\.text) == ["one!", "two", "three"])
        #expect(lines[0].authors.map(\.person) == ["ada", "bob"])
        #expect(lines[0].authors.map(\.count) == [3, 1])
        #expect(lines[0].authors.map { $0.at?.milliseconds } == [10, 20])
        #expect(lines[2].authors.map(\.person) == [""])
        #expect(try text.text(at: journal.version(at: Instant(milliseconds: 15))) == "one\ntwo\n")
        #expect(try text.text(at: journal.version(afterChange: 2)) == "one!\ntwo\n")
        #expect(journal.agents(afterChange: 1) == ["b"])
        #expect(journal.version(at: Instant(milliseconds: 0)) == Version([]))
    }

    @Test func `long texts cost linear time`() {
        Scaling.expectLinear("links", size: 2000) {
            String(repeating: "`a [[b]] `` [[c|d]] [[[ ", count: $0)
        } _: {
            _ = WikiLink.links(in: $0)
        }
        Scaling.expectLinear("one long line of brackets", size: 20_000) {
            String(repeating: "[", count: $0)
        } _: {
            _ = WikiLink.links(in: $0)
        }
        Scaling.expectLinear("a snippet", size: 500) {
            String(repeating: "word ", count: $0)
        } _: {
            _ = SearchSnippet(of: $0, terms: ["wo"])
        }
    }
}
