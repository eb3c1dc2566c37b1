/// The part of YAML that config files of one page use: maps and lists by indentation, plain and quoted scalars, lists in
/// brackets and maps in braces that end in their line, and comments. Anchors, tags and block scalars are refused.
indirect enum YAMLNode: Hashable, Sendable {
    case scalar(String, line: Int)
    case list([YAMLNode])
    case map([Member])

    struct Member: Hashable, Sendable {
        let key: String
        let value: YAMLNode
    }

    /// The value of a key of a map.
    subscript(key: String) -> YAMLNode? {
        guard case .map(let members) = self else { return nil }
        return members.first { $0.key == key }?.value
    }

    /// The elements of a list.
    var list: [YAMLNode] { if case .list(let elements) = self { elements } else { [] } }

    /// The text of a scalar that is not empty.
    var text: String? { if case .scalar(let text, _) = self, !text.isEmpty { text } else { nil } }

    /// The first line of the node; 0 for an empty one.
    var line: Int {
        switch self {
        case .scalar(_, let line): line
        case .list(let elements): elements.first?.line ?? 0
        case .map(let members): members.first?.value.line ?? 0
        }
    }
}

/// Reads ``YAMLNode``s.
struct YAMLReader {
    typealias Issue = PortfolioImport.Issue

    private struct Line {
        let number: Int
        var indent: Int
        var text: Substring
    }

    private static let maximumSize = 1 << 20
    private static let maximumDepth = 16

    private var lines: [Line] = []
    private var next = 0

    static func read(_ text: String) throws(Issue) -> YAMLNode {
        guard text.utf8.count <= maximumSize else { throw Issue(line: 1, message: "the file is larger than 1 MiB") }
        var reader = YAMLReader()
        let parts = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        for (index, part) in parts.enumerated() {
            let content = withoutComment(part)
            let indent = content.prefix { $0 == " " }.count
            let rest = content.dropFirst(indent)
            guard !rest.isEmpty, rest != "---" else { continue }
            if rest.first == "\t" {
                throw Issue(line: index + 1, message: "this line is indented with a tab; use spaces")
            }
            reader.lines.append(Line(number: index + 1, indent: indent, text: rest))
        }
        guard let first = reader.lines.first else { return .map([]) }
        let node = try reader.block(first.indent, depth: 0)
        if reader.next < reader.lines.count {
            throw Issue(
                line: reader.lines[reader.next].number, message: "the indentation does not match the lines above")
        }
        return node
    }

    /// The line without blanks at its end and without a comment, which begins with a blank and `#`.
    private static func withoutComment(_ line: Substring) -> Substring {
        var quote: Character?
        var previous: Character = " "
        var end = line.endIndex
        for index in line.indices {
            let character = line[index]
            if quote == nil, character == "#", previous.isWhitespace {
                end = index
                break
            }
            if character == quote {
                quote = nil
            } else if quote == nil, character == "\"" || character == "'",
                previous.isWhitespace || "[,-:".contains(previous)
            {
                quote = character
            }
            previous = character
        }
        var content = line[..<end]
        while content.last?.isWhitespace ?? false { content.removeLast() }
        return content
    }

    private mutating func block(_ indent: Int, depth: Int) throws(Issue) -> YAMLNode {
        let line = lines[next]
        guard depth < Self.maximumDepth else { throw Issue(line: line.number, message: "too many levels") }
        if Self.isElement(line.text) { return .list(try list(indent, depth)) }
        if Self.key(of: line.text) != nil { return .map(try map(indent, depth)) }
        next += 1
        return try Self.value(line.text, line.number)
    }

    private static func isElement(_ text: Substring) -> Bool { text == "-" || text.hasPrefix("- ") }

    private mutating func list(_ indent: Int, _ depth: Int) throws(Issue) -> [YAMLNode] {
        var elements: [YAMLNode] = []
        while next < lines.count, lines[next].indent == indent, Self.isElement(lines[next].text) {
            let rest = lines[next].text.dropFirst().drop { $0 == " " }
            if rest.isEmpty {
                elements.append(try nested(below: indent, depth))
            } else {
                // What follows the dash is a block of its own, indented as far as it is written.
                lines[next].indent += lines[next].text.count - rest.count
                lines[next].text = rest
                elements.append(try block(lines[next].indent, depth: depth + 1))
            }
        }
        return elements
    }

    private mutating func map(_ indent: Int, _ depth: Int) throws(Issue) -> [YAMLNode.Member] {
        var members: [YAMLNode.Member] = []
        while next < lines.count, lines[next].indent == indent, !Self.isElement(lines[next].text) {
            let line = lines[next]
            guard let (key, rest) = Self.key(of: line.text) else {
                throw Issue(line: line.number, message: "a key and a colon are missing")
            }
            if rest.isEmpty {
                members.append(.init(key: key, value: try nested(below: indent, depth, allowsList: true)))
            } else {
                next += 1
                members.append(.init(key: key, value: try Self.value(rest, line.number)))
            }
        }
        return members
    }

    /// The block below a line that ends in a dash or a colon; an empty scalar if there is none.
    private mutating func nested(below indent: Int, _ depth: Int, allowsList: Bool = false) throws(Issue) -> YAMLNode {
        let number = lines[next].number
        next += 1
        guard next < lines.count else { return .scalar("", line: number) }
        let line = lines[next]
        // A list may stand as far left as the key that it belongs to.
        guard line.indent > indent || allowsList && line.indent == indent && Self.isElement(line.text) else {
            return .scalar("", line: number)
        }
        return try block(line.indent, depth: depth + 1)
    }

    private static func key(of text: Substring) -> (String, Substring)? {
        guard let colon = text.firstIndex(of: ":"), colon > text.startIndex, !"\"'[{".contains(text[text.startIndex]),
            text.index(after: colon) == text.endIndex || text[text.index(after: colon)] == " "
        else { return nil }
        return (String(text[..<colon]), text[text.index(after: colon)...].drop { $0 == " " })
    }

    private static func value(_ text: Substring, _ line: Int) throws(Issue) -> YAMLNode {
        guard text.first == "[" || text.first == "{" else { return .scalar(try scalar(text, line), line: line) }
        var rest = text
        let node = try flow(&rest, line, depth: 0)
        guard rest.allSatisfy(\.isWhitespace) else {
            throw Issue(line: line, message: "\"\(rest.prefix(20))\" follows the end of a list or map")
        }
        return node
    }

    /// A list in brackets, a map in braces, or a scalar that ends before a comma or an end of these.
    private static func flow(_ text: inout Substring, _ line: Int, depth: Int) throws(Issue) -> YAMLNode {
        guard depth < maximumDepth else { throw Issue(line: line, message: "too many levels") }
        text = text.drop(while: \.isWhitespace)
        guard let open = text.first, open == "[" || open == "{" else {
            return .scalar(try scalar(word(&text, until: ",]}"), line), line: line)
        }
        let close: Character = open == "[" ? "]" : "}"
        text.removeFirst()
        var (elements, members): ([YAMLNode], [YAMLNode.Member]) = ([], [])
        while true {
            text = text.drop(while: \.isWhitespace)
            if text.first == close { break }
            if open == "[" {
                elements.append(try flow(&text, line, depth: depth + 1))
            } else {
                let key = try scalar(word(&text, until: ":,}"), line)
                guard text.first == ":" else { throw Issue(line: line, message: "a key and a colon are missing") }
                text.removeFirst()
                members.append(.init(key: key, value: try flow(&text, line, depth: depth + 1)))
            }
            text = text.drop(while: \.isWhitespace)
            if text.first == "," { text.removeFirst() } else if text.first != close { break }
        }
        guard text.first == close else {
            throw Issue(line: line, message: "a list or map must end in its line with \(close)")
        }
        text.removeFirst()
        return open == "[" ? .list(elements) : .map(members)
    }

    /// Takes what stands before one of `ends` outside quotes, without blanks around it.
    private static func word(_ text: inout Substring, until ends: String) -> Substring {
        text = text.drop(while: \.isWhitespace)
        var quote = text.first.flatMap { "\"'".contains($0) ? $0 : nil }
        let end =
            text.indices.dropFirst(quote == nil ? 0 : 1).first { index in
                if let open = quote {
                    if text[index] == open { quote = nil }
                    return false
                }
                return ends.contains(text[index])
            } ?? text.endIndex
        var word = text[..<end]
        text = text[end...]
        while word.last?.isWhitespace ?? false { word.removeLast() }
        return word
    }

    private static func scalar(_ text: Substring, _ line: Int) throws(Issue) -> String {
        guard let first = text.first else { return "" }
        if first == "\"" || first == "'" {
            guard text.count >= 2, text.last == first else { throw Issue(line: line, message: "a quote is not closed") }
            let inner = text.dropFirst().dropLast()
            guard !inner.contains(first), !(first == "\"" && inner.contains("\\")) else {
                throw Issue(line: line, message: "quotes and backslashes inside quotes cannot be read")
            }
            return String(inner)
        }
        guard !"&*!|>{}%@`".contains(first) else {
            throw Issue(
                line: line, message: "\"\(first)\" begins unsupported YAML; put the text in quotes")
        }
        return String(text)
    }
}
