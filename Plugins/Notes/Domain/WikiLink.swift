import Collation

/// A link to another note by its title: `[[Title]]`, `[[Title#Heading]]`, `[[Title|shown text]]`, or `![[…]]` to embed it.
package struct WikiLink: Hashable, Sendable {
    /// The maximum length between the brackets, in scalars.
    package static let maximumLength = 400

    /// The title of the note that it leads to; empty for a heading of the same note.
    package var title: String
    /// The heading after `#`; nil without one.
    package var heading: String?
    /// The text to show after `|`; nil without one.
    package var label: String?
    /// Whether the target is shown in place.
    package var isEmbedded: Bool

    /// The form in which titles are compared: without case, accents and extra blanks.
    package var key: String { WikiLink.key(title) }

    /// Returns the form in which titles are compared.
    package static func key(_ title: some StringProtocol) -> String {
        Transliterator.fold(String(title)).split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    /// Returns the links of a Markdown text in their order; code is not searched.
    package static func links(in text: String) -> [WikiLink] {
        guard text.utf8.contains(UInt8(ascii: "[")) else { return [] }
        var parser = WikiLinkParser(text)
        return parser.parse()
    }
}

/// Reads a text once, line by line; the cost is linear.
private struct WikiLinkParser {
    private let scalars: [Unicode.Scalar]
    private var fence: (scalar: Unicode.Scalar, count: Int)?
    private var found: [WikiLink] = []

    init(_ text: String) { scalars = Array(text.unicodeScalars) }

    mutating func parse() -> [WikiLink] {
        var start = 0
        while start < scalars.count {
            var end = start
            while end < scalars.count, scalars[end] != "\n" { end += 1 }
            line(start..<end)
            start = end + 1
        }
        return found
    }

    private mutating func line(_ range: Range<Int>) {
        if let mark = fenceMark(range) {
            if let open = fence {
                if open.scalar == mark.scalar, mark.count >= open.count, mark.isBare { fence = nil }
            } else {
                fence = (mark.scalar, mark.count)
            }
            return
        }
        if fence == nil { text(range) }
    }

    /// The marks of a fenced code block at the beginning of a line (CommonMark 4.5).
    private func fenceMark(_ range: Range<Int>) -> (scalar: Unicode.Scalar, count: Int, isBare: Bool)? {
        var index = range.lowerBound
        while index < range.upperBound, index - range.lowerBound < 4, scalars[index] == " " { index += 1 }
        guard index - range.lowerBound < 4, index < range.upperBound else { return nil }
        let scalar = scalars[index]
        guard scalar == "`" || scalar == "~" else { return nil }
        let start = index
        while index < range.upperBound, scalars[index] == scalar { index += 1 }
        let rest = scalars[index..<range.upperBound]
        guard index - start >= 3, scalar == "~" || !rest.contains("`") else { return nil }
        return (scalar, index - start, rest.allSatisfy { $0 == " " || $0 == "\t" || $0 == "\r" })
    }

    private mutating func text(_ range: Range<Int>) {
        let codeEnds = codeSpans(range)
        var index = range.lowerBound
        while index < range.upperBound {
            if let end = codeEnds[index] {
                index = end
            } else if scalars[index] == "\\" {
                index += 2
            } else if scalars[index] == "[", index + 1 < range.upperBound, scalars[index + 1] == "[",
                let end = link(at: index, range)
            {
                index = end
            } else {
                index += 1
            }
        }
    }

    /// The code spans of a line, from their first backtick to their end: runs of equally many backticks match.
    private func codeSpans(_ range: Range<Int>) -> [Int: Int] {
        var runs: [(start: Int, count: Int)] = []
        var index = range.lowerBound
        while index < range.upperBound {
            guard scalars[index] == "`" else {
                index += 1
                continue
            }
            let start = index
            while index < range.upperBound, scalars[index] == "`" { index += 1 }
            runs.append((start, index - start))
        }
        guard runs.count > 1 else { return [:] }
        var ends: [Int: Int] = [:]
        var next: [Int: Int] = [:]
        for run in runs.reversed() {
            if let closing = next[run.count] { ends[run.start] = closing + run.count }
            next[run.count] = run.start
        }
        return ends
    }

    private mutating func link(at start: Int, _ line: Range<Int>) -> Int? {
        var index = start + 2
        // Of three brackets the inner two count.
        if index < line.upperBound, scalars[index] == "[" { return nil }
        let limit = min(line.upperBound - 1, index + WikiLink.maximumLength)
        while index < limit, scalars[index] != "]", scalars[index] != "[" { index += 1 }
        guard index < limit, scalars[index] == "]", scalars[index + 1] == "]" else { return nil }
        let inner = start + 2..<index
        let bar = scalars[inner].firstIndex(of: "|") ?? inner.upperBound
        let hash = scalars[inner.lowerBound..<bar].firstIndex(of: "#") ?? bar
        let title = trimmed(inner.lowerBound..<hash)
        let heading = hash < bar ? string(trimmed(hash + 1..<bar)) : nil
        let label = bar < inner.upperBound ? string(trimmed(bar + 1..<inner.upperBound)) : nil
        guard !title.isEmpty || heading?.isEmpty == false else { return nil }
        found.append(
            WikiLink(
                title: string(title), heading: heading, label: label?.isEmpty == true ? nil : label,
                isEmbedded: start > line.lowerBound && scalars[start - 1] == "!"))
        return index + 2
    }

    private func trimmed(_ range: Range<Int>) -> Range<Int> {
        var (low, high) = (range.lowerBound, range.upperBound)
        while low < high, scalars[low].properties.isWhitespace { low += 1 }
        while high > low, scalars[high - 1].properties.isWhitespace { high -= 1 }
        return low..<high
    }

    private func string(_ range: Range<Int>) -> String {
        var view = String.UnicodeScalarView()
        view.append(contentsOf: scalars[range])
        return String(view)
    }
}
