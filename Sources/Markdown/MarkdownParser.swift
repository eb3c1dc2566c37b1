import CMarkGFM
import Glibc

/// Parses CommonMark with GitHub's tables, task lists, strikethrough and bare links.
///
/// Sendable: the tables of functions are filled once, before anybody has them, and are constant from then on.
struct MarkdownParser: @unchecked Sendable {
    /// The functions of cmark-gfm.
    let library: lazy_cmark
    /// Those of its extensions.
    let extensions: lazy_cmark_extensions

    /// The parser of the process, whose extensions are registered; nil when a library is not installed.
    static let shared: MarkdownParser? = {
        guard let library = lazy_cmark_load(nil), let extensions = lazy_cmark_extensions_load(nil) else { return nil }
        extensions.pointee.cmark_gfm_core_extensions_ensure_registered()
        return MarkdownParser(library: library.pointee, extensions: extensions.pointee)
    }()

    /// Returns what `body` makes of the document, which is freed afterwards; nil when there is no memory for it.
    func withDocument<T>(
        _ markdown: String, extensions: [String] = ["table", "strikethrough", "tasklist"], _ body: (OpaquePointer) -> T
    ) -> T? {
        guard let parser = library.cmark_parser_new(CMARK_OPT_DEFAULT) else { return nil }
        defer { library.cmark_parser_free(parser) }
        for name in extensions {
            guard let found = library.cmark_find_syntax_extension(name) else { continue }
            _ = library.cmark_parser_attach_syntax_extension(parser, found)
        }
        var text = markdown
        text.withUTF8 { bytes in
            bytes.withMemoryRebound(to: CChar.self) { library.cmark_parser_feed(parser, $0.baseAddress, $0.count) }
        }
        guard let document = library.cmark_parser_finish(parser) else { return nil }
        defer { library.cmark_node_free(document) }
        return body(document)
    }
}

/// Markdown (CommonMark with GitHub's tables, task lists, strikethrough and bare links) as HTML.
package enum MarkdownHTML {
    /// Returns the HTML of a text; nil when cmark-gfm is not installed. HTML in the text is left out, as are addresses of links
    /// and pictures that are not safe to follow. Each block has the place of its source in `data-sourcepos`, as
    /// `line:column-line:column`.
    package static func text(of markdown: String) -> String? {
        guard let parser = MarkdownParser.shared else { return nil }
        return parser.withDocument(markdown, extensions: ["table", "strikethrough", "tasklist", "autolink"]) {
            document in
            guard let html = parser.library.cmark_render_html(document, CMARK_OPT_SOURCEPOS, nil) else { return "" }
            defer { free(html) }
            return String(cString: html)
        } ?? ""
    }
}
