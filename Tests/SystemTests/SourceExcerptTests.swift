import System
import Testing

@Suite struct SourceExcerptTests {
    @Test func `an excerpt has a gutter, marks and a note`() {
        let excerpt = SourceExcerpt(
            lines: ["birthday:  31.02.1985"], line: 4, columns: 12..<22, note: "February 1985 has 28 days")
        #expect(
            excerpt.rendered == [
                "    4 │ birthday:  31.02.1985",
                "      │            ^^^^^^^^^^ February 1985 has 28 days",
            ])
    }

    @Test func `lines before the marked one are shown with their numbers`() {
        let excerpt = SourceExcerpt(lines: ["z", "a", "b", "c"], line: 100_001, columns: 1..<2, note: "")
        #expect(excerpt.rendered == [" 99999 │ a", "100000 │ b", "100001 │ c", "       │ ^"])
    }

    @Test(arguments: [
        ("日本 = x", 6..<7, "日本 = x", "       ^ why"),
        ("e\u{301}a", 3..<4, "e\u{301}a", " ^ why"),
        ("a\u{1B}[31mb", 2..<3, "a\\e[31mb", " ^^ why"),
        ("\tkey", 2..<5, " key", " ^^^ why"),
        ("a\u{202E}b", 3..<4, "a\\u{202E}b", "         ^ why"),
        ("short", 6..<7, "short", "     ^ why"),
        ("", 1..<1, "", "^ why"),
        ("short", 40..<50, "short", "     ^ why"),
        ("abc", -3..<0, "abc", "^ why"),
    ])
    func `marks stand below what is shown`(line: String, columns: Range<Int>, text: String, marks: String) {
        let excerpt = SourceExcerpt(lines: [line], line: 1, columns: columns, note: "why")
        #expect(excerpt.rendered == ["    1 │ " + text, "      │ " + marks])
    }

    @Test func `of a long line the part around the marks is shown`() {
        let line = String(repeating: "x", count: 5_000_000) + "HERE" + String(repeating: "y", count: 5_000_000)
        let rows = SourceExcerpt(lines: [line], line: 1, columns: 5_000_001..<5_000_005, note: "why").rendered
        #expect(
            rows[0] == "    1 │ …" + String(repeating: "x", count: 30) + "HERE" + String(repeating: "y", count: 66)
                + "…")
        #expect(rows[1] == "      │ " + String(repeating: " ", count: 31) + "^^^^ why")
    }

    @Test func `marks of a long part end with what is shown`() {
        let line = String(repeating: "x", count: 400)
        let rows = SourceExcerpt(lines: [line], line: 1, columns: 1..<401, note: "").rendered
        #expect(rows[1] == "      │ " + String(repeating: "^", count: 100))
    }
}
