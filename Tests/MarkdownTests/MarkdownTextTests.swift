import Testing

@testable import Markdown

struct MarkdownTextTests {
    @Test func `blocks are separated by blank lines, and lists are tight where they were`() {
        let text = """
            # Shopping

            For **Sunday**, _maybe_ ~~Monday~~.

            - oat milk
            - [x] bread
              1. rye
              2. wheat

            > quoted
            > text

                code  stays

            | item | price |
            |---|---|
            | milk | 1.20 |

            See [hub](https://example.org) and <https://example.org/a>.
            """
        #expect(
            MarkdownText.lines(of: text, width: 60) == [
                "Shopping", "========", "", "For *Sunday*, _maybe_ ~Monday~.", "", "- oat milk", "- [x] bread",
                "      1. rye", "      2. wheat", "", "> quoted text", "", "    code  stays", "", "item  price",
                "----  -----", "milk  1.20", "", "See hub <https://example.org> and https://example.org/a.",
            ])
    }

    @Test func `paragraphs are wrapped behind the marks of their container`() {
        let lines = MarkdownText.lines(of: "- one two three four five six seven", width: 20)
        #expect(lines == ["- one two three four", "  five six seven"])
        #expect(MarkdownText.lines(of: "one two", width: nil) == ["one two"])
    }

    @Test func `deep nesting costs no stack and no width`() {
        let deep = String(repeating: "> ", count: 5000) + "text"
        let lines = MarkdownText.lines(of: deep, width: 80)
        #expect(lines == [String(repeating: "> ", count: 24) + "text"])
    }

    @Test func `an empty text has no lines`() {
        #expect(MarkdownText.lines(of: "", width: 80) == [])
        #expect(MarkdownText.lines(of: "-", width: 80) == ["-"])
    }
}
