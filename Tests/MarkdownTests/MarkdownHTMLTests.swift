import Testing

@testable import Markdown

struct MarkdownHTMLTests {
    @Test func `blocks have the place of their source`() throws {
        #expect(
            try #require(MarkdownHTML.text(of: "# Head\n\n- [x] milk\n"))
                .contains(#"<li data-sourcepos="3:1-3:10"><input type="checkbox" checked="" disabled="" /> milk"#))
    }

    @Test func `HTML and unsafe addresses are left out`() throws {
        let html = try #require(
            MarkdownHTML.text(
                of:
                    "<script>a</script>\n\n<b onclick=\"a\">raw</b> [x](javascript:a) ![y](data:text/html,a) <https://example.org>"
            ))
        for word in ["<script", "onclick", "javascript:", "data:text"] { #expect(!html.contains(word), "\(word)") }
        #expect(html.contains(#"href="https://example.org""#))
    }
}
