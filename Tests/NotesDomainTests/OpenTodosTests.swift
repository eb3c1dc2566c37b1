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

    @Test func `there are at most as many as asked for`() {
        let text = String(repeating: "- [ ] a\n", count: 100)
        #expect(OpenTodos.words(in: text, limit: 3).count == 3)
    }
}
