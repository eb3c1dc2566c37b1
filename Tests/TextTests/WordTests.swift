import Testing
import Text

@Suite struct WordTests {
    @Test(arguments: [
        ("contatcs", "contacts"), ("serch", "search"), ("--limt", "--limit"), ("LIST", "list"), ("sear", "search"),
        ("sho", "show"), ("lsit", "list"), ("rmm", "rm"),
    ])
    func `the nearest word is suggested`(typed: String, meant: String) {
        #expect(Suggestion.nearest(to: typed, in: ["contacts", "search", "show", "list", "rm", "--limit"]) == meant)
    }

    @Test(arguments: ["", "zebra", "x", "-", String(repeating: "a", count: 1000)])
    func `nothing is suggested when nothing is near`(typed: String) {
        #expect(Suggestion.nearest(to: typed, in: ["contacts", "search", "list"]) == nil)
    }

    @Test(arguments: [
        ["contacts", "list"], ["a b", "it's", "\"x\"", ""], ["$HOME", "`x`", "a;b", "*", "~"],
        ["Łukasz", "日本", "\u{1F600}"],
        ["back\\slash", "tab\there", "line\nend"],
        // A quote is one character with a combining mark, or after a prepended sign.
        ["it'\u{301}s; reboot", "\u{600}'x", "\"\u{301} \\\u{301}", " \u{301}"],
    ])
    func `words joined and split are the same words`(words: [String]) {
        #expect(ShellWords.split(ShellWords.join(words)) == words)
    }

    @Test func `a quote with a combining mark is quoted as any other`() {
        #expect(ShellWords.quote("a'\u{301}b").unicodeScalars.elementsEqual("'a'\\''\u{301}b'".unicodeScalars))
        #expect(
            "\"\u{301}\"".replacing(scalar: "\"", with: "-").unicodeScalars.elementsEqual("-\u{301}-".unicodeScalars))
    }

    @Test func `a line with an open quote has no words`() {
        for line in ["'a", "\"a", "a\\"] { #expect(ShellWords.split(line) == nil) }
        #expect(ShellWords.split("  a  'b c'd \"e\\\"f\" ''") == ["a", "b cd", "e\"f", ""])
    }

    @Test(arguments: [
        ("0", "0"), ("999", "999"), ("1204", "1,204"), ("-1234567.891", "-1,234,567.891"), ("+1204.5", "+1,204.5"),
        ("abc", "abc"),
    ])
    func `thousands are parted and no digit is lost`(number: String, grouped: String) {
        #expect(NumberFormat.grouped(number) == grouped)
    }
}
