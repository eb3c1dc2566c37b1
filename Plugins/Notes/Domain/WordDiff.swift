/// A comparison of two texts by whole words, so that letters that two words happen to share mean nothing.
enum WordDiff {
    typealias Scalars = TextDiff.Scalars
    typealias Hunk = SequenceDiff.Hunk

    /// The scalars from which on one stands for a word or a syllable, but for a few.
    private static let firstIdeograph: UInt32 = 0x2E80

    /// Whether two scalars beside each other belong to one word.
    static func isWithinWord(_ before: UInt32, _ after: UInt32) -> Bool {
        before < firstIdeograph && after < firstIdeograph && TextDiff.isWord(before) && TextDiff.isWord(after)
    }

    /// Whether a piece of text is hardly the same by chance: a long one, or one with a whole word, which an ideograph is.
    static func isTelling(_ scalars: some Collection<UInt32>) -> Bool {
        if scalars.count >= 8 { return true }
        var letters = 0
        for scalar in scalars {
            if scalar >= firstIdeograph { return true }
            letters = TextDiff.isWord(scalar) ? letters + 1 : 0
            if letters >= 4 { return true }
        }
        return false
    }

    /// Whether a range is one word, or a part of one.
    static func isWord(_ scalars: Scalars, _ range: Range<Int>) -> Bool {
        !range.isEmpty && TextDiff.isWord(scalars[range.lowerBound])
            && range.dropFirst().allSatisfy { isWithinWord(scalars[$0 - 1], scalars[$0]) }
    }

    /// Returns the replaced ranges in order; they begin and end where words do.
    static func hunks(_ a: Scalars, _ b: Scalars) -> [Hunk] {
        let (old, new) = (boundaries(a), boundaries(b))
        var numbers: [ArraySlice<UInt32>: Int] = [:]
        func words(_ scalars: Scalars, _ boundaries: [Int]) -> ContiguousArray<Int> {
            ContiguousArray(
                zip(boundaries, boundaries.dropFirst()).map { start, end in
                    let word = ArraySlice(scalars[start..<end])
                    if let known = numbers[word] { return known }
                    numbers[word] = numbers.count
                    return numbers.count - 1
                })
        }
        let (first, second) = (words(a, old), words(b, new))
        var budget = TextDiff.steps + 4 * (a.count + b.count)
        guard let hunks = SequenceDiff.hunks(first, first.indices, second, second.indices, budget: &budget) else {
            return TextDiff.hunks(a, b)
        }
        return joined(hunks, first, second).map {
            Hunk(
                old: old[$0.old.lowerBound]..<old[$0.old.upperBound],
                new: new[$0.new.lowerBound]..<new[$0.new.upperBound])
        }
    }

    /// Moves pure insertions and deletions to the hunk before them where that leaves the result the same, so that what was changed at once
    /// is one hunk.
    private static func joined(_ hunks: [Hunk], _ a: ContiguousArray<Int>, _ b: ContiguousArray<Int>) -> [Hunk] {
        var joined: [Hunk] = []
        for hunk in hunks {
            guard let last = joined.last, hunk.old.isEmpty || hunk.new.isEmpty else {
                joined.append(hunk)
                continue
            }
            let (words, range) = hunk.old.isEmpty ? (b, hunk.new) : (a, hunk.old)
            let gap = hunk.old.lowerBound - last.old.upperBound
            let canMove =
                gap < range.count
                && (1...max(gap, 1)).allSatisfy {
                    gap == 0 || words[range.lowerBound - $0] == words[range.upperBound - $0]
                }
            if canMove {
                joined[joined.count - 1] = Hunk(
                    old: last.old.lowerBound..<hunk.old.upperBound - gap,
                    new: last.new.lowerBound..<hunk.new.upperBound - gap)
            } else {
                joined.append(hunk)
            }
        }
        return joined
    }

    /// The places at which words begin, and the end.
    private static func boundaries(_ scalars: Scalars) -> [Int] {
        scalars.indices.filter { $0 == 0 || !isWithinWord(scalars[$0 - 1], scalars[$0]) } + [scalars.count]
    }
}
