/// The lines of a text that show another note, or a part of it, in place: `![[note]]`, `![[note#heading]]`.
package enum NoteEmbeds {
    /// Returns a text in which `body` replaces each such line, by its link; nil leaves a line as it is.
    package static func replacing(in text: String, _ body: (WikiLink) throws -> String?) rethrows -> String {
        var places = WikiLink.places(in: text).filter { $0.link.isEmbedded && !$0.link.isMarkdown }[...]
        guard !places.isEmpty else { return text }
        var start = 0
        var lines: [String] = []
        for scalars in text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false) {
            let line = String(scalars)
            let end = start + scalars.count
            let own = places.prefix { $0.title.lowerBound < end }
            places = places.dropFirst(own.count)
            start = end + 1
            guard own.count == 1, let link = own.first?.link, isAlone(line), let shown = try body(link) else {
                lines.append(line)
                continue
            }
            lines.append(shown)
        }
        return lines.joined(separator: "\n")
    }

    private static func isAlone(_ line: String) -> Bool {
        var rest = Substring(line).drop(while: \.isWhitespace)
        while let last = rest.last, last.isWhitespace { rest.removeLast() }
        return rest.hasPrefix("![[") && rest.hasSuffix("]]")
    }

    /// Returns a text as a quotation, which ends before the next line.
    package static func quotation(of text: String) -> String {
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        while let last = lines.last, last.allSatisfy(\.isWhitespace) { lines.removeLast() }
        return lines.map { $0.isEmpty ? ">\n" : "> \($0)\n" }.joined()
    }
}
