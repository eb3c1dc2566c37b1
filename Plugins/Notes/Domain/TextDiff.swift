package import TextCRDT

/// The edits between two texts, with as few deleted scalars as can be found in bounded time.
///
/// What is in both texts should not be deleted and inserted again: two writers who do so would double it, and words typed
/// between would lose their place. So scalars are compared, not lines; where that costs too much, lines that occur
/// once in both texts divide the work, then words. Of equal scripts the one at a line or a word is taken.
package enum TextDiff {
    typealias Scalars = ContiguousArray<UInt32>
    typealias Hunk = SequenceDiff.Hunk

    /// The steps that each of the three stages may take, beside some for each scalar.
    static let steps = 4_000_000

    /// Returns the edits that turn `old` into `new`, from the beginning to the end; each position is relative to the edits
    /// before it.
    package static func edits(from old: String, to new: String) -> [TextEdit] {
        if old == new, old.unicodeScalars.elementsEqual(new.unicodeScalars) { return [] }
        let (a, b) = (scalars(of: old), scalars(of: new))
        var shift = 0
        return hunks(a, b).map { hunk in
            defer { shift += hunk.new.count - hunk.old.count }
            return TextEdit(
                position: hunk.old.lowerBound + shift, deletedCount: hunk.old.count, inserted: string(b[hunk.new]))
        }
    }

    /// Returns the replaced ranges in order; they neither touch nor overlap.
    static func hunks(_ a: Scalars, _ b: Scalars) -> [Hunk] {
        let whole = Hunk(old: 0..<a.count, new: 0..<b.count)
        let budget = steps + 4 * (a.count + b.count)
        var (lineBudget, wordBudget) = (budget, budget)
        let found = compare([whole], a, b, budget: budget) { gap in
            compare(between(anchors(gap, a, b, lines), gap), a, b, budget: &lineBudget) { gap in
                compare(wordGaps(gap, a, b, &wordBudget), a, b, budget: &wordBudget) { gap in subsequence(gap, a, b) }
            }
        }
        var hunks: [Hunk] = []
        for (index, hunk) in found.enumerated() {
            let next = index + 1 < found.count ? found[index + 1] : whole.end
            hunks.append(aligned(hunk, after: hunks.last, before: next, a, b))
        }
        return joined(hunks)
    }

    private static func compare(
        _ gaps: [Hunk], _ a: Scalars, _ b: Scalars, budget: Int, _ otherwise: (Hunk) -> [Hunk]
    ) -> [Hunk] {
        var budget = budget
        return compare(gaps, a, b, budget: &budget, otherwise)
    }

    /// Compares gaps scalar by scalar, without what is equal at their ends; `otherwise` gets those that are too different.
    private static func compare(
        _ gaps: [Hunk], _ a: Scalars, _ b: Scalars, budget: inout Int, _ otherwise: (Hunk) -> [Hunk]
    ) -> [Hunk] {
        var hunks: [Hunk] = []
        for gap in gaps {
            let rest = trimmed(gap, a, b)
            if rest.old.isEmpty && rest.new.isEmpty { continue }
            hunks += SequenceDiff.hunks(a, rest.old, b, rest.new, budget: &budget) ?? otherwise(rest)
        }
        return hunks
    }

    private static func trimmed(_ gap: Hunk, _ a: Scalars, _ b: Scalars) -> Hunk {
        var (low, newLow) = (gap.old.lowerBound, gap.new.lowerBound)
        while low < gap.old.upperBound, newLow < gap.new.upperBound, a[low] == b[newLow] {
            (low, newLow) = (low + 1, newLow + 1)
        }
        var (high, newHigh) = (gap.old.upperBound, gap.new.upperBound)
        while high > low, newHigh > newLow, a[high - 1] == b[newHigh - 1] { (high, newHigh) = (high - 1, newHigh - 1) }
        return Hunk(old: low..<high, new: newLow..<newHigh)
    }

    // MARK: Anchors

    /// Lines with their ends.
    private static func lines(_ scalars: Scalars, _ range: Range<Int>) -> [Range<Int>] {
        pieces(scalars, range) { before, _ in before == 10 }
    }

    /// Words, and what is between them scalar by scalar.
    private static func words(_ scalars: Scalars, _ range: Range<Int>) -> [Range<Int>] {
        pieces(scalars, range) { !(isWord($0) && isWord($1)) }
    }

    private static func pieces(
        _ scalars: Scalars, _ range: Range<Int>, cut: (_ before: UInt32, _ after: UInt32) -> Bool
    ) -> [Range<Int>] {
        var pieces: [Range<Int>] = []
        var start = range.lowerBound
        for index in range.dropFirst() where cut(scalars[index - 1], scalars[index]) {
            pieces.append(start..<index)
            start = index
        }
        if start < range.upperBound { pieces.append(start..<range.upperBound) }
        return pieces
    }

    /// The longest chain of pieces that occur once in both parts, in the order of both (patience diff).
    private static func anchors(
        _ gap: Hunk, _ a: Scalars, _ b: Scalars, _ cut: (Scalars, Range<Int>) -> [Range<Int>]
    ) -> [Hunk] {
        let (old, new) = (cut(a, gap.old), cut(b, gap.new))
        // The index of each piece that occurs once; -1 for those that occur again.
        func places(_ scalars: Scalars, _ pieces: [Range<Int>]) -> [ArraySlice<UInt32>: Int] {
            Dictionary(pieces.enumerated().map { (scalars[$0.element], $0.offset) }) { _, _ in -1 }
        }
        let (inOld, inNew) = (places(a, old), places(b, new))
        let pairs = inOld.compactMap { piece, index in
            if let other = inNew[piece], index >= 0, other >= 0 { (old: index, new: other) } else { nil }
        }
        .sorted { $0.old < $1.old }
        return longestChain(pairs.map(\.new)).map { Hunk(old: old[pairs[$0].old], new: new[pairs[$0].new]) }
    }

    /// The indices of a longest increasing subsequence.
    private static func longestChain(_ values: [Int]) -> [Int] {
        var tails: [Int] = []
        var previous = [Int](repeating: -1, count: values.count)
        for (index, value) in values.enumerated() {
            var (low, high) = (0, tails.count)
            while low < high {
                let middle = (low + high) / 2
                if values[tails[middle]] < value { low = middle + 1 } else { high = middle }
            }
            if low > 0 { previous[index] = tails[low - 1] }
            if low == tails.count { tails.append(index) } else { tails[low] = index }
        }
        var chain: [Int] = []
        var next = tails.last ?? -1
        while next >= 0 {
            chain.append(next)
            next = previous[next]
        }
        return chain.reversed()
    }

    /// What lies between anchors.
    private static func between(_ anchors: [Hunk], _ gap: Hunk) -> [Hunk] {
        var gaps: [Hunk] = []
        var (old, new) = (gap.old.lowerBound, gap.new.lowerBound)
        for anchor in anchors + [gap.end] {
            gaps.append(Hunk(old: old..<anchor.old.lowerBound, new: new..<anchor.new.lowerBound))
            (old, new) = (anchor.old.upperBound, anchor.new.upperBound)
        }
        return gaps
    }

    /// What a comparison of words leaves to compare.
    private static func wordGaps(_ gap: Hunk, _ a: Scalars, _ b: Scalars, _ budget: inout Int) -> [Hunk] {
        let (old, new) = (words(a, gap.old), words(b, gap.new))
        var numbers: [ArraySlice<UInt32>: Int] = [:]
        func number(_ word: ArraySlice<UInt32>) -> Int {
            if let known = numbers[word] { return known }
            numbers[word] = numbers.count
            return numbers.count - 1
        }
        let first = ContiguousArray(old.map { number(a[$0]) })
        let second = ContiguousArray(new.map { number(b[$0]) })
        guard let hunks = SequenceDiff.hunks(first, first.indices, second, second.indices, budget: &budget) else {
            return between(anchors(gap, a, b, words), gap)
        }
        func range(_ pieces: [Range<Int>], _ range: Range<Int>, _ end: Int) -> Range<Int> {
            let low = range.lowerBound < pieces.count ? pieces[range.lowerBound].lowerBound : end
            return low..<(range.isEmpty ? low : pieces[range.upperBound - 1].upperBound)
        }
        return hunks.map {
            Hunk(old: range(old, $0.old, gap.old.upperBound), new: range(new, $0.new, gap.new.upperBound))
        }
    }

    /// The last resort: only insertions or only deletions where one part has all of the other in its order, else one
    /// replacement.
    private static func subsequence(_ gap: Hunk, _ a: Scalars, _ b: Scalars) -> [Hunk] {
        if let hunks = insertions(a, gap.old, b, gap.new) { return hunks }
        if let hunks = insertions(b, gap.new, a, gap.old) { return hunks.map { Hunk(old: $0.new, new: $0.old) } }
        return [gap]
    }

    private static func insertions(_ a: Scalars, _ old: Range<Int>, _ b: Scalars, _ new: Range<Int>) -> [Hunk]? {
        var hunks: [Hunk] = []
        var (index, start) = (old.lowerBound, new.lowerBound)
        for place in new where index < old.upperBound && b[place] == a[index] {
            if start < place { hunks.append(Hunk(old: index..<index, new: start..<place)) }
            (index, start) = (index + 1, place + 1)
        }
        guard index == old.upperBound else { return nil }
        if start < new.upperBound { hunks.append(Hunk(old: index..<index, new: start..<new.upperBound)) }
        return hunks
    }

    // MARK: Alignment

    /// Moves a pure insertion or deletion, within what leaves the result the same, to the end or beginning of a line or else of a
    /// word; of equal places the last one is taken, since most text is added after what is there.
    private static func aligned(_ hunk: Hunk, after: Hunk?, before: Hunk, _ a: Scalars, _ b: Scalars) -> Hunk {
        guard hunk.old.isEmpty || hunk.new.isEmpty else { return hunk }
        let isInsertion = hunk.old.isEmpty
        let (text, range) = isInsertion ? (b, hunk.new) : (a, hunk.old)
        let longest = 256
        let left = min(hunk.old.lowerBound - (after?.old.upperBound ?? 0), longest)
        let right = min(before.old.lowerBound - hunk.old.upperBound, longest)
        var (low, high) = (0, 0)
        while -low < left, text[range.lowerBound + low - 1] == text[range.upperBound + low - 1] { low -= 1 }
        while high < right, text[range.lowerBound + high] == text[range.upperBound + high] { high += 1 }
        func score(_ shift: Int) -> Int {
            TextDiff.score(text, range.lowerBound + shift..<range.upperBound + shift)
        }
        var best = (shift: low, score: score(low))
        for shift in low...high where score(shift) >= best.score { best = (shift, score(shift)) }
        let shift = best.shift
        return Hunk(
            old: hunk.old.lowerBound + shift..<hunk.old.upperBound + shift,
            new: hunk.new.lowerBound + shift..<hunk.new.upperBound + shift)
    }

    /// How much a piece looks like what someone typed or removed as a whole: lines, else words at an end of a line, else words.
    private static func score(_ text: Scalars, _ piece: Range<Int>) -> Int {
        func isBoundary(_ place: Int) -> Bool {
            place == 0 || place == text.count || !(isWord(text[place - 1]) && isWord(text[place]))
        }
        let (start, end) = (piece.lowerBound, piece.upperBound)
        let beginsLine = start == 0 || text[start - 1] == 10
        let endsLine = end == text.count || text[end] == 10
        if beginsLine && text[end - 1] == 10 || endsLine && text[start] == 10 { return 4 }
        guard isBoundary(start), isBoundary(end) else { return 0 }
        return beginsLine || endsLine ? 3 : isWord(text[start]) ? 2 : 1
    }

    /// Hunks that touch become one.
    private static func joined(_ hunks: [Hunk]) -> [Hunk] {
        var joined: [Hunk] = []
        for hunk in hunks {
            if let last = joined.last, last.old.upperBound == hunk.old.lowerBound,
                last.new.upperBound == hunk.new.lowerBound
            {
                joined[joined.count - 1] = Hunk(
                    old: last.old.lowerBound..<hunk.old.upperBound, new: last.new.lowerBound..<hunk.new.upperBound)
            } else {
                joined.append(hunk)
            }
        }
        return joined
    }

    /// Whether a scalar is part of a word.
    static func isWord(_ value: UInt32) -> Bool {
        if value < 128 { return (48...57).contains(value) || (65...90).contains(value) || (97...122).contains(value) }
        guard let properties = Unicode.Scalar(value)?.properties else { return false }
        return properties.isAlphabetic || properties.numericType != nil
    }

    /// Returns the scalars of a text, fast where all are of ASCII.
    static func scalars(of text: String) -> Scalars {
        let ascii = text.utf8.withContiguousStorageIfAvailable { bytes in
            guard bytes.allSatisfy({ $0 < 0x80 }) else { return nil as Scalars? }
            return Scalars(unsafeUninitializedCapacity: bytes.count) { scalars, count in
                for (index, byte) in bytes.enumerated() { scalars.initializeElement(at: index, to: UInt32(byte)) }
                count = bytes.count
            }
        }
        if case let scalars?? = ascii { return scalars }
        var scalars = Scalars()
        scalars.reserveCapacity(text.utf8.count)
        for scalar in text.unicodeScalars { scalars.append(scalar.value) }
        return scalars
    }

    /// Returns the scalars of a title and a content as one text.
    static func scalars(ofTitle title: Scalars, _ content: Scalars) -> Scalars {
        var scalars = Scalars()
        scalars.reserveCapacity(title.count + 1 + content.count)
        scalars.append(contentsOf: title)
        scalars.append(0x0A)
        scalars.append(contentsOf: content)
        return scalars
    }

    private static func string(_ scalars: some Sequence<UInt32>) -> String {
        var view = String.UnicodeScalarView()
        for value in scalars { view.append(Unicode.Scalar(value) ?? "\u{FFFD}") }
        return String(view)
    }
}

extension SequenceDiff.Hunk {
    /// The empty place behind the hunk.
    fileprivate var end: SequenceDiff.Hunk {
        SequenceDiff.Hunk(old: old.upperBound..<old.upperBound, new: new.upperBound..<new.upperBound)
    }
}
