import Collation
import Text

/// A link in a text to another note: `[[Note]]`, `[[folder/Note#Heading|shown text]]`, `![[Note]]` to embed it, or as Markdown writes
/// it, `[shown text](../folder/Note.md#heading)`.
package struct WikiLink: Hashable, Sendable {
    /// The maximum length between the brackets, in scalars; in Markdown that of the target.
    package static let maximumLength = 400

    /// The title, alias or path of the note that it leads to, as it is written, without percent escapes; empty for a heading of the
    /// same note.
    package var title: String
    /// What follows `#`: a heading, several inside each other with `#` between them, or `^` and the id of a block; nil without one.
    package var heading: String?
    /// The text to show after `|`; nil without one.
    package var label: String?
    /// Whether the target is shown in place.
    package var isEmbedded = false
    /// Whether it is written with `](…)`.
    package var isMarkdown = false

    package init(
        title: String, heading: String? = nil, label: String? = nil, isEmbedded: Bool = false, isMarkdown: Bool = false
    ) {
        self.title = title
        self.heading = heading
        self.label = label
        self.isEmbedded = isEmbedded
        self.isMarkdown = isMarkdown
    }

    /// A link with the place of its title in the text, in scalars.
    package struct Place: Hashable, Sendable {
        /// The link.
        package let link: WikiLink
        /// Where its title is, as it is written.
        package let title: Range<Int>
    }

    /// Whether it is broken when it leads to no note. In Markdown, only a target that ends in `.md` surely means one.
    package var namesNote: Bool { !isMarkdown || title.lowercased().hasSuffix(".md") }

    /// Returns the form in which titles are compared: without case, accents and extra blanks.
    package static func key(_ title: some StringProtocol) -> String {
        let folded = Transliterator.fold(String(title))
        return isPlain(folded) ? folded : folded.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    /// Whether a text is of ASCII, with single blanks between words and nowhere else. A mirror asks for each name of each note, and looking
    /// for blanks letter by letter takes many times longer.
    private static func isPlain(_ text: String) -> Bool {
        var isAfterBlank = true
        for byte in text.utf8 {
            let isBlank = byte == 0x20
            guard byte < 0x80, byte >= 0x20, !(isBlank && isAfterBlank) else { return false }
            isAfterBlank = isBlank
        }
        return !isAfterBlank
    }

    /// Returns the links of a Markdown text in their order; code is not searched.
    package static func links(in text: String) -> [WikiLink] { places(in: text).map(\.link) }

    /// Returns the links of a Markdown text with their places, in their order.
    package static func places(in text: String) -> [Place] {
        guard text.withBytes({ $0.contains(UInt8(ascii: "[")) }) else { return [] }
        var parser = WikiLinkParser(text)
        return parser.parse()
    }
}

/// Reads a text once, line by line; the cost is linear.
private struct WikiLinkParser {
    private let scalars: [Unicode.Scalar]
    private var fence: (scalar: Unicode.Scalar, count: Int)?
    private var found: [WikiLink.Place] = []

    init(_ text: String) { scalars = Array(text.unicodeScalars) }

    mutating func parse() -> [WikiLink.Place] {
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
        var index = definition(range) ?? range.lowerBound
        while index < range.upperBound {
            if let end = codeEnds[index] {
                index = end
            } else if scalars[index] == "\\" {
                index += 2
            } else if scalars[index] == "[", index + 1 < range.upperBound, scalars[index + 1] == "[",
                let end = link(at: index, range)
            {
                index = end
            } else if scalars[index] == "]", index + 1 < range.upperBound, scalars[index + 1] == "(" {
                index = target(at: index + 2, range) ?? index + 1
            } else {
                index += 1
            }
        }
    }

    /// Takes the target of `[label]: target` (CommonMark 4.7), and returns its end; nil for any other line.
    private mutating func definition(_ line: Range<Int>) -> Int? {
        var index = line.lowerBound
        while index < line.upperBound, index - line.lowerBound < 4, scalars[index] == " " { index += 1 }
        guard index + 1 < line.upperBound, scalars[index] == "[", scalars[index + 1] != "^", scalars[index + 1] != "["
        else { return nil }
        guard let close = scalars[index..<line.upperBound].firstIndex(of: "]"), close + 1 < line.upperBound,
            scalars[close + 1] == ":"
        else { return nil }
        index = close + 2
        while index < line.upperBound, scalars[index] == " " || scalars[index] == "\t" { index += 1 }
        return target(at: index, line, endsAtBracket: false)
    }

    /// Takes the target of a link of Markdown if it may be a note, and returns its end (CommonMark 6.3); nil where it does not end.
    private mutating func target(at start: Int, _ line: Range<Int>, endsAtBracket: Bool = true) -> Int? {
        let isAngled = start < line.upperBound && scalars[start] == "<"
        let first = isAngled ? start + 1 : start
        var (end, depth) = (first, 0)
        scan: while end < line.upperBound, end - first <= WikiLink.maximumLength {
            switch scalars[end] {
            case ">" where isAngled: break scan
            case _ where isAngled: break
            case " ", "\t", "\r": break scan
            case "(": depth += 1
            case ")" where endsAtBracket:
                if depth == 0 { break scan }
                depth -= 1
            default: break
            }
            end += 1
        }
        guard end - first <= WikiLink.maximumLength, end < line.upperBound || (!endsAtBracket && !isAngled) else {
            return nil
        }
        let hash = scalars[first..<end].firstIndex(of: "#") ?? end
        let written = string(first..<hash)
        guard Self.mayBeNote(written), hash > first || hash + 1 < end else { return end }
        let link = WikiLink(
            title: PercentEscapes.text(written),
            heading: hash < end ? PercentEscapes.text(string(hash + 1..<end)) : nil,
            isMarkdown: true)
        found.append(WikiLink.Place(link: link, title: first..<hash))
        return end
    }

    /// Whether a target may be a note, rather than a URL or another file: it ends in `.md`, or its last name has no dot.
    private static func mayBeNote(_ target: String) -> Bool {
        guard !target.hasPrefix("//"), !target.contains("?") else { return false }
        let name = target.utf8.split(separator: UInt8(ascii: "/")).last ?? target.utf8[...]
        guard !target.utf8.prefix(while: { $0 != UInt8(ascii: "/") }).contains(UInt8(ascii: ":")) else { return false }
        return name.suffix(3).elementsEqual([0x2E, 0x6D, 0x64]) { $0 | 0x20 == $1 }
            || !name.contains(UInt8(ascii: "."))
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
        // In a table the bar is escaped.
        let isEscaped = bar < inner.upperBound && hash == bar && bar > inner.lowerBound && scalars[bar - 1] == "\\"
        let title = trimmed(inner.lowerBound..<(isEscaped ? hash - 1 : hash))
        let heading = hash < bar ? string(trimmed(hash + 1..<(scalars[bar - 1] == "\\" ? bar - 1 : bar))) : nil
        let label = bar < inner.upperBound ? string(trimmed(bar + 1..<inner.upperBound)) : nil
        guard !title.isEmpty || heading?.isEmpty == false else { return nil }
        let link = WikiLink(
            title: string(title), heading: heading, label: label?.isEmpty == true ? nil : label,
            isEmbedded: start > line.lowerBound && scalars[start - 1] == "!")
        found.append(WikiLink.Place(link: link, title: title))
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

/// Percent escapes in the targets of links.
package enum PercentEscapes {
    /// Returns a text with its escapes decoded; as it is where they are not UTF-8.
    package static func text(_ text: String) -> String {
        guard text.utf8.contains(UInt8(ascii: "%")) else { return text }
        return String(validating: decoded(Array(text.utf8)), as: UTF8.self) ?? text
    }

    /// Returns bytes with their escapes decoded; an incomplete one stays.
    package static func decoded(_ bytes: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        var rest = bytes[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), rest.count >= 2,
                let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
            {
                result.append(value)
                rest = rest.dropFirst(2)
            } else {
                result.append(byte)
            }
        }
        return result
    }
}
