/// Writes HTML as Markdown: headings, emphasis, links, pictures, lists with boxes, tables, quotes and code. Of what Markdown has no
/// form for, the text stays.
struct HTMLMarkdown {
    /// What is written for an element that only one program knows, such as a file of Evernote; nil for nothing.
    typealias Media = (_ name: String, _ attributes: [HTMLScanner.Attribute]) -> String?

    /// Lists and quotes inside each other beyond this are taken as one.
    private static let maximumDepth = 20
    /// Elements inside each other beyond this have no effect.
    private static let maximumElements = 200

    private enum Container {
        case quote
        case list(number: Int?)
        case item(marker: String, isBegun: Bool)
    }

    /// Emphasis or a link, from a place of the line on.
    private struct Span {
        let opening: String
        let closing: String
        var start: Int
    }

    /// An open element, with the number of spans and containers that it began.
    private struct Element {
        let name: String
        let spans: Int
        let containers: Int
    }

    private var result = ""
    private var line: [Unicode.Scalar] = []
    /// The marks of a heading that the line is.
    private var heading = ""
    /// The box that the line begins with.
    private var task = ""
    private var spans: [Span] = []
    private var containers: [Container] = []
    private var elements: [Element] = []
    /// The rows of the table; nil outside of one.
    private var table: [[String]]?
    private var tableDepth = 0
    private var codeDepth = 0
    private var hiddenDepth = 0
    /// The number of containers around the empty line that comes before the next one; nil without one.
    private var blank: Int?
    private let media: Media

    /// Returns a document as Markdown.
    static func text(of html: [UInt8], media: @escaping Media = { _, _ in nil }) -> String {
        var writer = HTMLMarkdown(media: media)
        var scanner = HTMLScanner(html)
        while let token = scanner.next() {
            switch token {
            case .text(let range, let isRaw): writer.add(scanner.string(range, isRaw: isRaw))
            case .open(let name, let attributes, let isEmpty):
                writer.open(name, attributes)
                if isEmpty || voids.contains(name) { writer.close(name) }
            case .close(let name): writer.close(name)
            }
        }
        for element in writer.elements.reversed() { writer.end(element) }
        writer.endLine(withTask: true)
        return writer.result
    }

    private init(media: @escaping Media) { self.media = media }

    private static let voids: Set<String> = [
        "br", "hr", "img", "input", "en-todo", "en-media", "meta", "link", "col", "wbr",
    ]
    private static let hidden: Set<String> = ["head", "style", "script", "title", "template", "en-crypt"]
    /// Elements with an empty line around them.
    private static let blocks: Set<String> = [
        "p", "h1", "h2", "h3", "h4", "h5", "h6", "table", "ul", "ol", "blockquote", "pre", "hr", "dl", "figure",
    ]
    /// Elements that begin a line.
    private static let lines: Set<String> = [
        "div", "section", "article", "header", "footer", "main", "body", "html", "en-note", "dt", "dd", "figcaption",
        "address", "details", "summary", "li",
    ]

    // MARK: Elements

    private mutating func open(_ name: String, _ attributes: [HTMLScanner.Attribute]) {
        guard elements.count < Self.maximumElements else { return }
        closeImplied(by: name)
        let (spanCount, containerCount) = (spans.count, containers.count)
        if Self.hidden.contains(name) { hiddenDepth += 1 }
        if hiddenDepth == 0 { begin(name, attributes) }
        elements.append(
            Element(name: name, spans: spans.count - spanCount, containers: containers.count - containerCount))
    }

    /// Ends the elements whose end tags HTML allows to leave out.
    private mutating func closeImplied(by name: String) {
        let (ended, limits): (Set<String>, Set<String>)
        switch name {
        case "li": (ended, limits) = (["li"], ["ul", "ol"])
        case "td", "th": (ended, limits) = (["td", "th"], ["tr", "table"])
        case "tr": (ended, limits) = (["tr"], ["table"])
        default: return
        }
        for element in elements.reversed() {
            if limits.contains(element.name) { return }
            if ended.contains(element.name) { return close(element.name) }
        }
    }

    private mutating func begin(_ name: String, _ attributes: [HTMLScanner.Attribute]) {
        if Self.blocks.contains(name) {
            if !(isInItem && (name == "ul" || name == "ol")) { block() } else { endLine() }
        } else if Self.lines.contains(name) {
            endLine()
        }
        switch name {
        case "br": breakLine()
        case "hr": write("---")
        case "h1", "h2", "h3", "h4", "h5", "h6":
            heading = String(repeating: "#", count: Int(name.dropFirst()) ?? 1) + " "
        case "b", "strong": span("**")
        case "i", "em", "cite": span("*")
        case "s", "del", "strike": span("~~")
        case "code", "tt", "kbd", "samp":
            if codeDepth == 0 { span("`") }
        case "span", "font":
            let style = (attributes["style"] ?? "").lowercased().filter { $0 != " " }
            if style.contains("font-weight:bold") || style.contains("font-weight:700") { span("**") }
            if style.contains("font-style:italic") { span("*") }
            if style.contains("line-through") { span("~~") }
        case "a":
            if let target = attributes["href"], !target.isEmpty {
                spans.append(Span(opening: "[", closing: "](\(Self.target(target)))", start: line.count))
            }
        case "img":
            if let source = attributes["src"], !source.isEmpty {
                append("![\(Self.label(attributes["alt"] ?? ""))](\(Self.target(source)))")
            }
        case "input":
            if attributes["type"]?.lowercased() == "checkbox" { box(attributes["checked"] != nil) }
        case "en-todo": box(attributes["checked"] == "true")
        case "ul", "ol": push(.list(number: name == "ol" ? attributes["start"].flatMap { Int($0) } ?? 1 : nil))
        case "li":
            item()
            // A list with boxes in newer notes of Evernote.
            if attributes["style"]?.contains("--en-checked") == true {
                box(attributes["style"]?.contains("--en-checked:true") == true)
            }
        case "blockquote": push(.quote)
        case "pre":
            codeDepth += 1
            if codeDepth == 1 { write("```") }
        case "table":
            tableDepth += 1
            if tableDepth == 1 { table = [] }
        case "tr":
            if tableDepth == 1 { table?.append([]) }
        case "td", "th":
            if tableDepth == 1 { line = [] }
        default:
            if let text = media(name, attributes) { append(text) }
        }
    }

    private mutating func close(_ name: String) {
        guard let place = elements.lastIndex(where: { $0.name == name }) else { return }
        for element in elements[place...].reversed() { end(element) }
        elements.removeSubrange(place...)
    }

    private mutating func end(_ element: Element) {
        let name = element.name
        if Self.hidden.contains(name) {
            hiddenDepth -= 1
            return
        }
        guard hiddenDepth == 0 else { return }
        for _ in 0..<element.spans { endSpan() }
        switch name {
        case "td", "th":
            if tableDepth == 1 { endCell() }
        case "table":
            if tableDepth == 1 { endTable() }
            tableDepth -= 1
        case "pre":
            endLine()
            codeDepth -= 1
            if codeDepth == 0 { write("```") }
        default: break
        }
        if Self.blocks.contains(name) || Self.lines.contains(name) { endLine(withTask: true) }
        containers.removeLast(element.containers)
        if Self.blocks.contains(name), !(isInItem && (name == "ul" || name == "ol")) { needBlank() }
    }

    private var isInItem: Bool { containers.contains { if case .item = $0 { true } else { false } } }

    private mutating func push(_ container: Container) {
        if containers.count < Self.maximumDepth { containers.append(container) }
    }

    private mutating func item() {
        var marker = "- "
        if case .list(let number?) = containers.last {
            marker = "\(number). "
            containers[containers.count - 1] = .list(number: number &+ 1)
        }
        push(.item(marker: marker, isBegun: false))
    }

    private mutating func box(_ isChecked: Bool) {
        let box = isChecked ? "[x] " : "[ ] "
        if line.isEmpty { task = box } else { append(box) }
    }

    // MARK: Text

    private mutating func add(_ text: String) {
        guard hiddenDepth == 0 else { return }
        if codeDepth > 0 {
            for (index, part) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
                if index > 0 { writeCode() }
                line += Array(part.unicodeScalars)
            }
            return
        }
        let isCode = spans.contains { $0.opening == "`" }
        for scalar in text.unicodeScalars {
            if scalar.properties.isWhitespace {
                if let last = line.last, last != " " { line.append(" ") }
                continue
            }
            let isEscaped =
                switch scalar {
                case "\\", "*", "`", "[", "]", "<": !isCode
                case "_": !isCode && !(line.last?.properties.isAlphabetic ?? false)
                default: false
                }
            if isEscaped { line.append("\\") }
            line.append(scalar)
        }
    }

    private mutating func append(_ text: String) { line += Array(text.unicodeScalars) }

    private mutating func span(_ mark: String) {
        guard !spans.contains(where: { $0.opening == mark }) else { return }
        spans.append(Span(opening: mark, closing: mark, start: line.count))
    }

    private mutating func endSpan() {
        if let span = spans.popLast() { wrap(span) }
    }

    /// Puts the marks of a span around what the line has since its beginning, without blanks at the ends.
    private mutating func wrap(_ span: Span) {
        var (low, high) = (min(span.start, line.count), line.count)
        while low < high, line[low] == " " { low += 1 }
        while high > low, line[high - 1] == " " { high -= 1 }
        guard low < high else { return }
        line.insert(contentsOf: Array(span.closing.unicodeScalars), at: high)
        line.insert(contentsOf: Array(span.opening.unicodeScalars), at: low)
    }

    /// Ends the spans for now; they begin again in the next line.
    private mutating func wrapAll() {
        for span in spans.reversed() { wrap(span) }
        for index in spans.indices { spans[index].start = 0 }
    }

    // MARK: Lines

    private mutating func breakLine() {
        if table != nil {
            if let last = line.last, last != " " { line.append(" ") }
        } else if line.isEmpty, task.isEmpty {
            needBlank()
        } else {
            endLine()
        }
    }

    private mutating func block() {
        endLine()
        if !isAtItem { needBlank() }
    }

    private mutating func needBlank() {
        if table == nil, !result.isEmpty { blank = min(blank ?? .max, containers.count) }
    }

    /// Writes the line, if there is one. A box alone waits for its words, unless `withTask`.
    private mutating func endLine(withTask: Bool = false) {
        if codeDepth > 0 {
            if !line.isEmpty { writeCode() }
            return
        }
        guard table == nil else {
            if let last = line.last, last != " " { line.append(" ") }
            return
        }
        wrapAll()
        while line.last == " " { line.removeLast() }
        guard !line.isEmpty || (withTask && !task.isEmpty) else {
            heading = ""
            return
        }
        var text = String(String.UnicodeScalarView(line))
        text = heading.isEmpty ? Self.escapedStart(text) : heading + text
        if !task.isEmpty { text = (isAtItem ? "" : "- ") + task + text }
        (line, heading, task) = ([], "", "")
        write(text)
    }

    /// Whether the next line is the first one of an item.
    private var isAtItem: Bool { if case .item(_, isBegun: false) = containers.last { true } else { false } }

    private mutating func writeCode() {
        let text = String(String.UnicodeScalarView(line))
        line = []
        write(text)
    }

    private mutating func write(_ text: String) {
        var (prefix, blankPrefix) = ("", "")
        for (index, container) in containers.enumerated() {
            switch container {
            case .quote:
                prefix += "> "
                if index < blank ?? 0 { blankPrefix += "> " }
            case .list: break
            case .item(let marker, let isBegun):
                let indent = String(repeating: " ", count: marker.utf8.count)
                prefix += isBegun ? indent : marker
                if index < blank ?? 0 { blankPrefix += indent }
                containers[index] = .item(marker: marker, isBegun: true)
            }
        }
        if blank != nil {
            while blankPrefix.last == " " { blankPrefix.removeLast() }
            result += blankPrefix + "\n"
        }
        blank = nil
        result += text.isEmpty ? "\n" : prefix + text + "\n"
    }

    /// A line of text that does not begin as Markdown would begin something else.
    private static func escapedStart(_ text: String) -> String {
        switch text.unicodeScalars.first {
        case "#", ">": return "\\" + text
        case "-", "+": return text.dropFirst().first == " " ? "\\" + text : text
        case let digit? where ("0"..."9").contains(digit):
            let digits = text.prefix { $0.isASCII && $0.isNumber }
            let rest = text.dropFirst(digits.count)
            return digits.count < 10 && (rest.hasPrefix(". ") || rest.hasPrefix(") ")) ? digits + "\\" + rest : text
        default: return text
        }
    }

    // MARK: Tables

    private mutating func endCell() {
        wrapAll()
        var text = task + String(String.UnicodeScalarView(line))
        (line, task) = ([], "")
        while text.last == " " { text.removeLast() }
        if table?.isEmpty == true { table?.append([]) }
        if let last = table?.indices.last { table?[last].append(text.replacing("|", with: "\\|")) }
    }

    private mutating func endTable() {
        let rows = (table ?? []).filter { !$0.isEmpty }
        (table, line) = (nil, [])
        let columns = rows.map(\.count).max() ?? 0
        for (index, row) in rows.enumerated() {
            let cells = row + Array(repeating: "", count: columns - row.count)
            write("| " + cells.joined(separator: " | ") + " |")
            if index == 0 { write("|" + String(repeating: " --- |", count: columns)) }
        }
    }

    // MARK: Targets

    private static func target(_ target: String) -> String {
        target.filter { $0 != "\n" }.replacing(" ", with: "%20").replacing("(", with: "%28").replacing(")", with: "%29")
    }

    /// Words between the brackets of a link.
    static func label(_ words: String) -> String {
        words.replacing("\\", with: "\\\\").replacing("[", with: "\\[").replacing("]", with: "\\]")
            .replacing("\n", with: " ")
    }
}
