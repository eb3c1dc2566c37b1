import HubKit
import Testing

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
    ])
    func `words joined and split are the same words`(words: [String]) {
        #expect(ShellWords.split(ShellWords.join(words)) == words)
    }

    @Test func `a line with an open quote has no words`() {
        for line in ["'a", "\"a", "a\\"] { #expect(ShellWords.split(line) == nil) }
        #expect(ShellWords.split("  a  'b c'd \"e\\\"f\" ''") == ["a", "b cd", "e\"f", ""])
    }

    @Test func `an id is shown as short as it is unique, never under three characters`() {
        let ids = ["7kt3", "7kt4", "7kx1", "8aaa"]
        let shown = ids.map { id in
            ShortIDs.shorten(id) { prefix in ids.filter { $0.hasPrefix(prefix) }.count == 1 }
        }
        #expect(shown == [4, 4, 3, 3])
        #expect(ShortIDs.shorten("7kt4", before: "7kt3", after: "7kx1") == 4)
        #expect(ShortIDs.shorten("8aaa", before: "7kx1", after: nil) == 3)
    }

    @Test(arguments: [
        (0, "now"), (-10, "10 s ago"), (-240, "4 min ago"), (-7200, "2 hours ago"), (-3700, "1 hour ago"),
        (-44_000, "yesterday"), (-86_400, "yesterday"), (-259_200, "3 days ago"),
        (-3_456_000, "2026-10-11"),
        (30, "in 30 s"), (600, "in 10 min"), (86_400, "tomorrow"), (432_000, "in 5 days"),
        (34_560_000, "2027-12-25"),
    ])
    func `moments are told in near words`(seconds: Int, words: String) {
        let now = Instant(milliseconds: 1_795_176_600_000)
        let instant = Instant(milliseconds: now.milliseconds + Int64(seconds) * 1000)
        #expect(RelativeTime(now: now, zone: .utc).words(for: instant) == words)
    }

    @Test(arguments: [
        ("0", "0"), ("999", "999"), ("1204", "1,204"), ("-1234567.891", "-1,234,567.891"), ("+1204.5", "+1,204.5"),
        ("abc", "abc"),
    ])
    func `thousands are parted and no digit is lost`(number: String, grouped: String) {
        #expect(Numerals.grouped(number) == grouped)
    }
}
