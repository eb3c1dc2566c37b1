import NotesDomain
import Testing
import Text

/// Notes as one HTML file.
struct NoteHTMLTests {
    private func html(_ body: String, _ attachments: [NotesDomain.Attachment] = [], tags: [String] = []) -> String {
        let note = PortableNote(
            source: "", title: "A <b> & \"c\"", content: "text", folder: "trip", tags: tags, attachments: attachments)
        return String(decoding: NoteHTML.document([note]) { $0 == "text" ? body : nil }, as: UTF8.self)
    }

    @Test func `a title and tags are text, and nothing is loaded`() {
        let html = html("<p>x</p>\n", tags: ["<i>"])
        #expect(html.contains("<title>A &lt;b&gt; &amp; &quot;c&quot;</title>"))
        #expect(html.contains("<h1 dir=\"auto\">A &lt;b&gt; &amp; &quot;c&quot;</h1>"))
        #expect(html.contains("#&lt;i&gt;") && html.contains("default-src 'none'"))
        #expect(!html.contains("http://") && !html.contains("https://"))
    }

    @Test func `pictures of the note are inside, others are links or words`() {
        let file = NotesDomain.Attachment(path: "trip/img/map one.png", content: .bytes([1, 2, 3]))
        let picture = "<img src=\"data:image/png;base64,AQID\" alt=\"Map\">"
        #expect(html("<p><img src=\"img/map%20one.png\" alt=\"Map\" /></p>", [file]).contains("<p>\(picture)</p>"))
        #expect(
            html("<p>a ![[map one.png|300]] b</p>", [file]).contains("<p>a <img src=\"data:image/png;base64,AQID\""))
        let other = html("<img src=\"https://example.org/a?b&amp;c\" alt=\"\" /><img src=\"gone.png\" alt=\"Gone\" />")
        #expect(other.contains("<a href=\"https://example.org/a?b&amp;c\">https://example.org/a?b&amp;c</a>[Gone]"))
    }

    @Test func `a picture that could have scripts is not inside`() {
        let file = NotesDomain.Attachment(path: "trip/a.svg", content: .bytes(Array("<svg/>".utf8)))
        #expect(html("<img src=\"a.svg\" alt=\"A\" />", [file]).contains("[A]"))
    }

    @Test func `links to notes are their words, and code stays as it is`() {
        let body =
            "<p data-sourcepos=\"1:1-1:9\">[[Plan &amp; more|the &lt;plan&gt;]] [[x]]</p><pre><code>[[y|z]] &lt;</code></pre>"
        #expect(html(body).contains("<p>the &lt;plan&gt; x</p><pre><code>[[y|z]] &lt;</code></pre>"))
        #expect(html("<a href=\"other.md\">O</a><a href=\"#h\">H</a>").contains("<a>O</a><a href=\"#h\">H</a>"))
        #expect(html("<p>[[ [[a]] ]] [[</p>").contains("<p>[[ a ]] [[</p>"))
    }

    @Test func `without a parser the text stays as it is written`() {
        let note = PortableNote(source: "", title: "", content: "a < b")
        let html = String(decoding: NoteHTML.document([note]) { _ in nil }, as: UTF8.self)
        #expect(html.contains("<pre>a &lt; b</pre>") && !html.contains("<h1"))
    }
}
