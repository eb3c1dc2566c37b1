import CMarkGFM

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
