/// The lines that differ between two texts, as a reader compares them.
package struct LineDiff: Sendable {
    /// What became of a line.
    package enum Kind: Sendable {
        case unchanged, removed, added
    }

    /// One line of either text.
    package struct Line: Hashable, Sendable {
        /// What became of it.
        package let kind: Kind
        /// The line without its end.
        package let text: String
        /// The index of the line in its own text: the old one for a removed line, else the new one.
        package let index: Int
    }

    /// All lines; removed ones before those that were added in their place.
    package let lines: [Line]

    /// Compares two texts line by line, by their scalars: two spellings of `é` differ.
    package init(from old: String, to new: String) {
        // An empty text has no line: nothing was there before the first words.
        func split(_ text: String) -> [String] {
            text.isEmpty
                ? [] : text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false).map { String($0) }
        }
        var numbers: [[UInt8]: Int] = [:]
        func number(_ line: String) -> Int {
            let (key, next) = (Array(line.utf8), numbers.count)
            if let known = numbers[key] { return known }
            numbers[key] = next
            return next
        }
        let (a, b) = (split(old), split(new))
        let (first, second) = (ContiguousArray(a.map(number)), ContiguousArray(b.map(number)))
        var budget = 4_000_000
        let hunks =
            SequenceDiff.hunks(first, first.indices, second, second.indices, budget: &budget)
            ?? [SequenceDiff.Hunk(old: first.indices, new: second.indices)]
        var lines: [Line] = []
        var next = 0
        for hunk in hunks + [SequenceDiff.Hunk(old: a.count..<a.count, new: b.count..<b.count)] {
            for index in next..<hunk.new.lowerBound {
                lines.append(Line(kind: .unchanged, text: b[index], index: index))
            }
            for index in hunk.old { lines.append(Line(kind: .removed, text: a[index], index: index)) }
            for index in hunk.new { lines.append(Line(kind: .added, text: b[index], index: index)) }
            next = hunk.new.upperBound
        }
        self.lines = lines
    }
}
