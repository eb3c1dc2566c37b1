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

    /// Returns the replaced ranges in order; they begin and end where words do. Where one of several words of `a` can be kept, it is
    /// one at a place that `isFavored` names.
    static func hunks(_ a: Scalars, _ b: Scalars, isFavored: (Int) -> Bool = { _ in false }) -> [Hunk] {
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
        let weights = ContiguousArray(
            zip(old, old.dropFirst()).map { start, end in
                weight(a[start..<end]) + (TextDiff.isWord(a[start]) && isFavored(start) ? favor : 0)
            })
        let costs = ContiguousArray(old.map { isLineEnd(a, $0) ? lineCost : cost })
        return AlignedDiff(old: first, new: second, weights: weights, costs: costs).align(hunks).map {
            Hunk(
                old: old[$0.old.lowerBound]..<old[$0.old.upperBound],
                new: new[$0.new.lowerBound]..<new[$0.new.upperBound])
        }
    }

    /// What a hunk costs, and one between lines, in the weight of what is kept.
    private static let (cost, lineCost) = (Int32(4), Int32(3))
    /// What a favored word weighs more: as much as a hunk costs, so that another one is not kept to save a hunk.
    private static let favor = cost

    /// What is kept weighs more if it is not found everywhere: a word always more than a hunk costs, what is between words less.
    private static func weight(_ word: Scalars.SubSequence) -> Int32 {
        TextDiff.isWord(word[word.startIndex]) ? cost + Int32(min(word.count, 8)) : 1
    }

    private static func isLineEnd(_ scalars: Scalars, _ place: Int) -> Bool {
        place == 0 || place == scalars.count || scalars[place] == 10 || scalars[place - 1] == 10
    }

    /// The places at which words begin, and the end.
    private static func boundaries(_ scalars: Scalars) -> [Int] {
        scalars.indices.filter { $0 == 0 || !isWithinWord(scalars[$0 - 1], scalars[$0]) } + [scalars.count]
    }
}
