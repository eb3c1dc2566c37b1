import CMarkGFM
import Glibc

/// Parses CommonMark with GitHub's tables, task lists, strikethrough and bare links.
enum MarkdownParser {
    /// The extensions are registered once in a process.
    private static let areRegistered: Void = cmark_gfm_core_extensions_ensure_registered()

    /// Returns what `body` makes of the document, which is freed afterwards; nil when there is no memory for it.
    static func withDocument<T>(
        _ markdown: String, extensions: [String] = ["table", "strikethrough", "tasklist"], _ body: (OpaquePointer) -> T
    ) -> T? {
        _ = areRegistered
        guard let parser = cmark_parser_new(CMARK_OPT_DEFAULT) else { return nil }
        defer { cmark_parser_free(parser) }
        for name in extensions {
            if let found = cmark_find_syntax_extension(name) { cmark_parser_attach_syntax_extension(parser, found) }
        }
        var text = markdown
        text.withUTF8 { bytes in
            bytes.withMemoryRebound(to: CChar.self) { cmark_parser_feed(parser, $0.baseAddress, $0.count) }
        }
        guard let document = cmark_parser_finish(parser) else { return nil }
        defer { cmark_node_free(document) }
        return body(document)
    }
}

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
