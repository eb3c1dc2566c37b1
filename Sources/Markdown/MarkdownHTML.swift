import CMarkGFM
import Glibc

/// Markdown (CommonMark with GitHub's tables, task lists, strikethrough and bare links) as HTML.
package enum MarkdownHTML {
    /// Returns the HTML of a text. HTML in the text is left out, as are addresses of links and pictures that are not safe to
    /// follow. Each block has the place of its source in `data-sourcepos`, as `line:column-line:column`.
    package static func text(of markdown: String) -> String {
        MarkdownParser.withDocument(markdown, extensions: ["table", "strikethrough", "tasklist", "autolink"]) {
            document in
            guard let html = cmark_render_html(document, CMARK_OPT_SOURCEPOS, nil) else { return "" }
            defer { free(html) }
            return String(cString: html)
        } ?? ""
    }
}
