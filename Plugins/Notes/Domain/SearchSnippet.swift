import Collation

/// The part of a note that shows why a search found it.
package struct SearchSnippet: Hashable, Sendable {
    /// The text in one line, with `…` where it was cut.
    package let text: String
    /// The matches in the text, as offsets of characters.
    package let matches: [Range<Int>]

    /// The beginning of a text that is searched, in characters; a match after it is found, but not shown.
    static let searchedLength = 64 << 10

    /// Returns the part of `text` with the most of `terms`, which are folded beginnings of words, in at most `width`
    /// characters; the beginning when none of them is there.
    package init(of text: String, terms: [String], width: Int = 80) {
        let characters = Array(text.prefix(SearchSnippet.searchedLength).map { $0.isNewline || $0 == "\t" ? " " : $0 })
        let hits = SearchSnippet.hits(characters, terms.filter { !$0.isEmpty })
        let width = max(width, 10)
        var start = 0
        if let best = SearchSnippet.bestWindow(hits, width) {
            // A quarter of the line stands before the first match.
            let first = hits[best].range.lowerBound
            start = first + hits[best].range.count + width / 2 < width ? 0 : max(0, first - width / 4)
            while start > 0, start < first, characters[start - 1] != " " { start += 1 }
        }
        let end = min(characters.count, start + width)
        var line: [Character] = start > 0 ? ["…"] : []
        var places: [Int] = []
        for index in start..<end {
            // Runs of blanks, as line ends leave them, become one.
            if characters[index] == " ", line.last == " " || line.isEmpty || line == ["…"] {
                places.append(line.count)
                continue
            }
            places.append(line.count)
            line.append(characters[index])
        }
        places.append(line.count)
        if end < characters.count || text.count > characters.count { line.append("…") }
        self.text = String(line)
        matches = hits.filter { $0.range.lowerBound >= start && $0.range.upperBound <= end }
            .map { places[$0.range.lowerBound - start]..<places[$0.range.upperBound - start] }
    }

    private static func hits(_ characters: [Character], _ terms: [String]) -> [(range: Range<Int>, term: Int)] {
        guard !terms.isEmpty else { return [] }
        var hits: [(range: Range<Int>, term: Int)] = []
        var index = 0
        while index < characters.count {
            guard characters[index].isLetter || characters[index].isNumber else {
                index += 1
                continue
            }
            let start = index
            while index < characters.count, characters[index].isLetter || characters[index].isNumber { index += 1 }
            let word = Transliterator.fold(String(characters[start..<index]))
            if let term = terms.firstIndex(where: { word.hasPrefix($0) }) { hits.append((start..<index, term)) }
        }
        return hits
    }

    /// The first hit of the window with the most different terms.
    private static func bestWindow(_ hits: [(range: Range<Int>, term: Int)], _ width: Int) -> Int? {
        var best: (index: Int, count: Int)?
        var counts: [Int: Int] = [:]
        var first = 0
        for last in hits.indices {
            counts[hits[last].term, default: 0] += 1
            while hits[last].range.upperBound - hits[first].range.lowerBound > width * 3 / 4, first < last {
                let term = hits[first].term
                counts[term] = counts[term] == 1 ? nil : (counts[term] ?? 1) - 1
                first += 1
            }
            if counts.count > best?.count ?? 0 { best = (first, counts.count) }
        }
        return best?.index
    }
}

extension SearchSnippet {
    /// The text without the marks of Markdown, which say nothing in one line: of headings, lists, tasks, links and emphasis.
    package var plainText: String {
        var words: [String] = []
        for word in text.split(separator: " ") {
            switch word {
            case "-", "*", "+", ">": continue
            // The two halves of an open task.
            case "[": words.append("[")
            case "]" where words.last == "[": words.removeLast()
            case "[x]", "[X]": words.append("✓")
            case _ where word.count <= 6 && word.allSatisfy { $0 == "#" }: continue
            default:
                let plain = ["[[", "]]", "**", "__", "`"].reduce(String(word)) { $0.replacing($1, with: "") }
                if !plain.isEmpty { words.append(plain) }
            }
        }
        return words.joined(separator: " ")
    }
}
