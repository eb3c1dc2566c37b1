import Text

/// A Markdown file: a byte order mark, front matter, both optional, and the text. It is written back byte for byte.
package struct MarkdownFile: Sendable {
    /// The front matter; nil without one.
    package var frontMatter: FrontMatter?
    /// The text after it.
    package var content: String
    /// Whether it begins with a byte order mark.
    private(set) var hasMark = false

    /// The byte order mark.
    static let mark = "\u{FEFF}"

    package init(frontMatter: FrontMatter? = nil, content: String) {
        self.frontMatter = frontMatter
        self.content = content
    }

    /// Reads a file; nil unless it is UTF-8.
    package init?(_ bytes: [UInt8]) {
        guard let text = String(validating: bytes, as: UTF8.self) else { return nil }
        self.init(text: text)
    }

    /// Reads the text of a file.
    package init(text: String) {
        var rest = text.unicodeScalars[...]
        if rest.first == "\u{FEFF}" {
            hasMark = true
            rest = rest.dropFirst()
        }
        if let (frontMatter, content) = MarkdownFile.split(rest) {
            (self.frontMatter, self.content) = (frontMatter, String(content))
        } else {
            content = String(rest)
        }
    }

    /// The text of the file.
    package var text: String { head + content }

    /// What the file has before the text of the note: the byte order mark and the front matter.
    package var head: String { (hasMark ? Self.mark : "") + (frontMatter?.text ?? "") }

    /// Sets what hub keeps in front matter. It is made when needed, and dropped when nothing remains of it.
    package mutating func update(_ change: (inout FrontMatter) -> Void) {
        var changed = frontMatter ?? FrontMatter()
        change(&changed)
        if changed != frontMatter { frontMatter = changed.isEmpty ? nil : changed }
    }

    private typealias Scalars = Substring.UnicodeScalarView

    private static func split(_ text: Scalars) -> (FrontMatter, Scalars)? {
        var rest = text
        let opening = line(&rest)
        guard isFence(opening, ["---"]) else { return nil }
        var lines: [String] = []
        var size = 0
        while !rest.isEmpty {
            let next = line(&rest)
            if isFence(next, ["---", "..."]) {
                return (FrontMatter(opening: String(opening), lines: lines, closing: String(next)), rest)
            }
            lines.append(String(next))
            size += next.count
            guard size <= FrontMatter.maximumSize else { return nil }
        }
        return nil
    }

    /// Takes a line with its end off the front.
    private static func line(_ rest: inout Scalars) -> Scalars {
        let end = rest.firstIndex(of: "\n").map { rest.index(after: $0) } ?? rest.endIndex
        defer { rest = rest[end...] }
        return rest[..<end]
    }

    private static func isFence(_ line: Scalars, _ fences: [String]) -> Bool {
        guard line.count < 100 else { return false }
        var bare = line
        while let last = bare.last, last == "\n" || last == "\r" || last == " " || last == "\t" { bare.removeLast() }
        return fences.contains(String(bare))
    }
}

extension MarkdownFile: Hashable {
    /// Compares by bytes.
    package static func == (a: MarkdownFile, b: MarkdownFile) -> Bool { a.text.hasSameBytes(as: b.text) }

    /// Hashes what equal files share.
    package func hash(into hasher: inout Hasher) { hasher.combine(ByteString(text)) }
}
