import NotesDomain
import Testing

struct OpenTodosTests {
    @Test(arguments: [
        ("- [ ] milk\n- [x] bread\n* [ ] plums\n  + [ ]  nested", ["milk", "plums", "nested"]),
        ("```\n- [ ] code\n```\n- [ ] after\n~~~\n```\n- [ ] code\n~~~\n- [ ] last", ["after", "last"]),
        ("-[ ] none\n- [ ]none\n- [ ] \ntext - [ ] none\n[ ] none", []), ("", []),
    ])
    func `open boxes are to-dos`(text: String, todos: [String]) {
        #expect(OpenTodos.words(in: text, limit: 10) == todos)
    }

    @Test(arguments: [
        ("call **Ada** about _tea_ and ~~coffee~~", "call Ada about tea and coffee"),
        ("read [the *plan*](https://example.org/a_b) with ![a map](map.png)", "read the plan with a map"),
        ("ask [[Ada Lovelace]] and [[People/Jan|Jan]], see [[#Later]]", "ask Ada Lovelace and Jan, see Later"),
        ("run `make *all*` then ``a`b``", "run make *all* then a`b"), ("***both*** \\*kept\\*", "both *kept*"),
        ("mail <ann@example.org> or <https://example.org/x>", "mail ann@example.org or https://example.org/x"),
        ("2 * 3 * 4, snake_case_name, a*b, [x], [open](no", "2 * 3 * 4, snake_case_name, a*b, [x], [open](no"),
        ("`open and **open and [[open", "`open and **open and [[open"), ("**a *b** c*", "a *b c*"), ("", ""),
        ("  a \t b  ", "a b"),
    ])
    func `a to-do reads as plain words`(line: String, words: String) {
        #expect(PlainWords.of(line) == words)
    }

    @Test func `marks without partners stay, and a long line is cut`() {
        for mark in ["*", "[", "`", "_a ", "[[", "![", "<", "[a]("] {
            #expect(PlainWords.of(String(repeating: mark, count: 5000)).count <= 1000)
        }
    }

    @Test func `there are at most as many as asked for`() {
        let text = String(repeating: "- [ ] a\n", count: 100)
        #expect(OpenTodos.words(in: text, limit: 3).count == 3)
    }
}
