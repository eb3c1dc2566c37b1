import CMarkGFM
import Text

/// Markdown (CommonMark with GitHub's tables, task lists and strikethrough) drawn as plain lines for a terminal.
package enum MarkdownText {
    /// Returns the lines of a text; nothing is wrapped without a width.
    package static func lines(of markdown: String, width: Int? = nil) -> [String] {
        guard let parser = MarkdownParser.shared else { return plain(markdown) }
        let library = parser.library
        return parser.withDocument(markdown) { document in
            var renderer = MarkdownRenderer(parser, width: width)
            guard let iterator = library.cmark_iter_new(document) else { return plain(markdown) }
            defer { library.cmark_iter_free(iterator) }
            while true {
                let event = library.cmark_iter_next(iterator)
                guard event != CMARK_EVENT_DONE, let node = library.cmark_iter_get_node(iterator) else { break }
                if event == CMARK_EVENT_ENTER { renderer.enter(node) } else { renderer.exit(node) }
            }
            return renderer.lines
        } ?? plain(markdown)
    }

    /// The lines as they are written, when cmark-gfm is not installed or there is no memory for a document.
    private static func plain(_ markdown: String) -> [String] {
        markdown.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }
}

/// Takes the nodes of a document in their order and makes lines; the cost is linear, whatever the depth.
private struct MarkdownRenderer {
    private typealias Node = OpaquePointer

    /// The beginning of lines in a quotation or a list item.
    private struct Prefix {
        var first: String
        let rest: String
    }

    /// Containers inside each other beyond this are not indented further.
    private static let maximumDepth = 24

    private let library: lazy_cmark
    private let extensions: lazy_cmark_extensions
    private let width: Int?
    private(set) var lines: [String] = []
    private var prefixes: [Prefix] = []
    private var skipped = 0
    /// The next number of each open list; nil for bullets.
    private var numbers: [Int?] = []
    private var tight: [Bool] = []
    private var inline = ""
    private var imageDepth = 0
    private var rows: [[String]] = []
    /// Whether the next block follows another one, so that a blank line separates them.
    private var needsBlank = false

    init(_ parser: MarkdownParser, width: Int?) {
        (library, extensions, self.width) = (parser.library, parser.extensions, width)
    }

    mutating func enter(_ node: OpaquePointer) {
        switch library.cmark_node_get_type(node) {
        case CMARK_NODE_BLOCK_QUOTE: push("> ", "> ")
        case CMARK_NODE_LIST:
            let isOrdered = library.cmark_node_get_list_type(node) == CMARK_ORDERED_LIST
            numbers.append(isOrdered ? Int(library.cmark_node_get_list_start(node)) : nil)
            tight.append(library.cmark_node_get_list_tight(node) != 0)
        // The items of a task list are items with a name of their own.
        case CMARK_NODE_ITEM where name(node) == "tasklist":
            item(extensions.cmark_gfm_extensions_get_tasklist_item_checked(node) ? "[x] " : "[ ] ")
        case CMARK_NODE_ITEM: item(nil)
        case CMARK_NODE_PARAGRAPH, CMARK_NODE_HEADING: inline = ""
        case CMARK_NODE_CODE_BLOCK: block(text(node).split(separator: "\n", omittingEmptySubsequences: false), "    ")
        case CMARK_NODE_HTML_BLOCK: block(text(node).split(separator: "\n", omittingEmptySubsequences: false), "")
        case CMARK_NODE_THEMATIC_BREAK: block([String(repeating: "-", count: 3)[...]], "")
        case CMARK_NODE_TEXT, CMARK_NODE_HTML_INLINE: inline += text(node)
        case CMARK_NODE_CODE: inline += "`\(text(node))`"
        case CMARK_NODE_SOFTBREAK: inline += " "
        case CMARK_NODE_LINEBREAK: inline += "\n"
        case CMARK_NODE_EMPH: inline += "_"
        case CMARK_NODE_STRONG: inline += "*"
        case CMARK_NODE_IMAGE: inline += "[image: "
        default: enterExtension(node)
        }
    }

    private mutating func enterExtension(_ node: Node) {
        switch name(node) {
        case "table": rows = []
        case "table_row", "table_header": rows.append([])
        case "table_cell": inline = ""
        case "strikethrough": inline += "~"
        default: break
        }
    }

    mutating func exit(_ node: OpaquePointer) {
        switch library.cmark_node_get_type(node) {
        case CMARK_NODE_BLOCK_QUOTE, CMARK_NODE_ITEM: pop()
        case CMARK_NODE_LIST:
            numbers.removeLast()
            tight.removeLast()
            needsBlank = true
        case CMARK_NODE_PARAGRAPH: paragraph(inline)
        case CMARK_NODE_HEADING: heading(Int(library.cmark_node_get_heading_level(node)))
        case CMARK_NODE_EMPH: inline += "_"
        case CMARK_NODE_STRONG: inline += "*"
        case CMARK_NODE_LINK: link(node)
        case CMARK_NODE_IMAGE:
            inline += "]"
            link(node)
        default: exitExtension(node)
        }
    }

    private mutating func exitExtension(_ node: Node) {
        switch name(node) {
        case "table": table()
        case "table_cell": if !rows.isEmpty { rows[rows.count - 1].append(inline) }
        case "strikethrough": inline += "~"
        default: break
        }
    }

    // MARK: Containers

    private mutating func item(_ box: String?) {
        var mark = "- "
        if let last = numbers.indices.last, let number = numbers[last] {
            mark = "\(number). "
            numbers[last] = number + 1
        }
        mark += box ?? ""
        push(mark, String(repeating: " ", count: mark.count))
    }

    private mutating func push(_ first: String, _ rest: String) {
        if prefixes.count >= Self.maximumDepth {
            skipped += 1
            return
        }
        separate()
        prefixes.append(Prefix(first: first, rest: rest))
    }

    private mutating func pop() {
        if skipped > 0 {
            skipped -= 1
            return
        }
        // An empty item still has its mark.
        if let last = prefixes.last, last.first != last.rest { emit([""]) }
        prefixes.removeLast()
        needsBlank = !(tight.last ?? false)
    }

    // MARK: Blocks

    /// Adds the blank line between two blocks.
    private mutating func separate() {
        if needsBlank, !lines.isEmpty { lines.append(trimmedEnd(prefixes.map(\.rest).joined())) }
        needsBlank = false
    }

    private mutating func emit(_ texts: [String]) {
        for text in texts {
            var start = ""
            for index in prefixes.indices {
                start += prefixes[index].first
                prefixes[index].first = prefixes[index].rest
            }
            lines.append(trimmedEnd(start + text))
        }
    }

    private mutating func block(_ texts: [Substring], _ indent: String) {
        separate()
        let texts = texts.last?.isEmpty == true ? texts.dropLast() : texts[...]
        emit(texts.map { indent + $0 })
        needsBlank = true
    }

    private mutating func paragraph(_ text: String) {
        separate()
        emit(text.split(separator: "\n", omittingEmptySubsequences: false).flatMap { wrap(String($0)) })
        needsBlank = !(tight.last ?? false)
    }

    private mutating func heading(_ level: Int) {
        separate()
        let title = level < 3 ? wrap(inline) : wrap(String(repeating: "#", count: level) + " " + inline)
        emit(title)
        if level < 3 {
            let length = title.map { DisplayWidth.of($0) }.max() ?? 0
            emit([String(repeating: level == 1 ? "=" : "-", count: length)])
        }
        needsBlank = true
    }

    private mutating func table() {
        separate()
        let columns = rows.map(\.count).max() ?? 0
        let widths = (0..<columns).map { column in
            rows.map { column < $0.count ? DisplayWidth.of($0[column]) : 0 }.max() ?? 0
        }
        for (index, row) in rows.enumerated() {
            let cells = row.enumerated().map { column, cell in
                cell.padded(to: widths[column])
            }
            emit([cells.joined(separator: "  ")])
            if index == 0 { emit([widths.map { String(repeating: "-", count: $0) }.joined(separator: "  ")]) }
        }
        rows = []
        needsBlank = true
    }

    private mutating func link(_ node: Node) {
        guard let found = library.cmark_node_get_url(node) else { return }
        let url = String(cString: found)
        if url.isEmpty || inline.hasSuffix(url) { return }
        inline += " <\(url)>"
    }

    // MARK: Text

    private func wrap(_ text: String) -> [String] {
        guard let width else { return [text] }
        let used = prefixes.reduce(0) { $0 + $1.rest.count }
        return TextWrapping.lines(of: text, indent: 0, width: max(20, width - used))
    }

    private func text(_ node: Node) -> String {
        library.cmark_node_get_literal(node).map { String(cString: $0) } ?? ""
    }

    private func name(_ node: Node) -> String {
        library.cmark_node_get_type_string(node).map { String(cString: $0) } ?? ""
    }

    private func trimmedEnd(_ text: String) -> String {
        var text = text[...]
        while text.last == " " { text.removeLast() }
        return String(text)
    }
}
