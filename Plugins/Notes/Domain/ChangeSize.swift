/// How much someone has changed a text, by what they have most likely done: the numbers of scalars that they inserted and deleted.
///
/// One piece that was inserted or deleted counts as it is, within a word too. Where more differs, words count as a whole, since the letters
/// that two words share by chance mean nothing; a long run of letters, as in a language without spaces, counts by letters.
struct ChangeSize: Hashable {
    private typealias Hunk = SequenceDiff.Hunk

    /// The number of letters from which on a run of them does not count as a word.
    private static let longRun = 16
    /// The number of letters up to which those between two changes of a long run are the same by chance.
    private static let chance = 4

    private(set) var inserted = 0
    private(set) var deleted = 0
    /// The number of inserted letters and digits.
    private(set) var letters = 0

    /// The number of scalars that differ.
    var total: Int { inserted + deleted }

    private mutating func add(_ hunk: Hunk, _ text: TextDiff.Scalars) {
        inserted += hunk.new.count
        deleted += hunk.old.count
        letters += text[hunk.new].count { TextDiff.isWord($0) }
    }

    /// Compares two texts; nil if more than `most` scalars differ, or `budget` is used up. Takes linear time for what is equal.
    init?(
        from a: TextDiff.Scalars, to b: TextDiff.Scalars, atMost most: Int = SequenceDiff.maximumDistance,
        budget: inout Int
    ) {
        budget -= (a.count + b.count) / 8
        let rest = Self.rest(Hunk(old: a.indices, new: b.indices), a, b)
        guard !rest.old.isEmpty, !rest.new.isEmpty else {
            add(rest, b)
            if total > most { return nil }
            return
        }
        if Self.leastTotal(rest, a, b) > most { return nil }
        guard let hunks = Self.words(Self.untorn(rest, a, b), a, b, atMost: most, budget: &budget) else { return nil }
        for hunk in hunks {
            guard Self.hasLongRun(hunk.old, a) || Self.hasLongRun(hunk.new, b) else {
                add(hunk, b)
                continue
            }
            guard let letters = Self.letters(hunk, a, b, atMost: most, budget: &budget) else { return nil }
            for hunk in letters { add(hunk, b) }
        }
        if total > most { return nil }
    }

    /// The size of a change of which only the ends are looked at.
    init(betweenEndsOf a: TextDiff.Scalars, _ b: TextDiff.Scalars) {
        add(Self.rest(Hunk(old: a.indices, new: b.indices), a, b), b)
    }

    /// Returns a number of scalars that differ at most.
    static func mostTotal(from a: TextDiff.Scalars, to b: TextDiff.Scalars) -> Int {
        let rest = rest(Hunk(old: a.indices, new: b.indices), a, b)
        let hunk = rest.old.isEmpty || rest.new.isEmpty ? rest : untorn(rest, a, b)
        return hunk.old.count + hunk.new.count
    }

    /// Returns a number of scalars that differ at least.
    static func leastTotal(from a: TextDiff.Scalars, to b: TextDiff.Scalars) -> Int {
        leastTotal(rest(Hunk(old: a.indices, new: b.indices), a, b), a, b)
    }

    /// Returns a hunk with the whole words at its ends.
    private static func untorn(_ hunk: Hunk, _ a: TextDiff.Scalars, _ b: TextDiff.Scalars) -> Hunk {
        var (start, newStart) = (hunk.old.lowerBound, hunk.new.lowerBound)
        var (end, newEnd) = (hunk.old.upperBound, hunk.new.upperBound)
        while start > 0, isTorn(start, a) || isTorn(newStart, b) { (start, newStart) = (start - 1, newStart - 1) }
        while end < a.count, isTorn(end, a) || isTorn(newEnd, b) { (end, newEnd) = (end + 1, newEnd + 1) }
        return Hunk(old: start..<end, new: newStart..<newEnd)
    }

    /// Returns a hunk without what is equal at its ends.
    private static func rest(_ hunk: Hunk, _ a: TextDiff.Scalars, _ b: TextDiff.Scalars) -> Hunk {
        var (start, newStart) = (hunk.old.lowerBound, hunk.new.lowerBound)
        var (end, newEnd) = (hunk.old.upperBound, hunk.new.upperBound)
        while start < end, newStart < newEnd, a[start] == b[newStart] { (start, newStart) = (start + 1, newStart + 1) }
        while end > start, newEnd > newStart, a[end - 1] == b[newEnd - 1] { (end, newEnd) = (end - 1, newEnd - 1) }
        return Hunk(old: start..<end, new: newStart..<newEnd)
    }

    /// Returns a number of scalars that differ at least, by how often each of ASCII is there: much faster than a comparison.
    private static func leastTotal(_ hunk: Hunk, _ a: TextDiff.Scalars, _ b: TextDiff.Scalars) -> Int {
        withUnsafeTemporaryAllocation(of: Int.self, capacity: 128) { counts in
            counts.initialize(repeating: 0)
            for scalar in a[hunk.old] where scalar < 128 { counts[Int(scalar)] -= 1 }
            for scalar in b[hunk.new] where scalar < 128 { counts[Int(scalar)] += 1 }
            return counts.reduce(0) { $0 + abs($1) }
        }
    }

    /// Whether a place is within a word.
    private static func isTorn(_ place: Int, _ text: TextDiff.Scalars) -> Bool {
        place > 0 && place < text.count && WordDiff.isWithinWord(text[place - 1], text[place])
    }

    private static func words(
        _ hunk: Hunk, _ a: TextDiff.Scalars, _ b: TextDiff.Scalars, atMost most: Int, budget: inout Int
    ) -> [Hunk]? {
        func starts(_ range: Range<Int>, _ text: TextDiff.Scalars) -> [Int] {
            range.filter { $0 == range.lowerBound || !isTorn($0, text) } + [range.upperBound]
        }
        let (old, new) = (starts(hunk.old, a), starts(hunk.new, b))
        var numbers: [ArraySlice<UInt32>: Int] = [:]
        func words(_ starts: [Int], _ text: TextDiff.Scalars) -> ContiguousArray<Int> {
            ContiguousArray(
                zip(starts, starts.dropFirst()).map { start, end in
                    let word = ArraySlice(text[start..<end])
                    if let known = numbers[word] { return known }
                    numbers[word] = numbers.count
                    return numbers.count - 1
                })
        }
        let (first, second) = (words(old, a), words(new, b))
        return SequenceDiff.hunks(
            first, first.indices, second, second.indices, atMost: max(most, longRun), budget: &budget)?
            .map {
                Hunk(
                    old: old[$0.old.lowerBound]..<old[$0.old.upperBound],
                    new: new[$0.new.lowerBound]..<new[$0.new.upperBound])
            }
    }

    private static func hasLongRun(_ range: Range<Int>, _ text: TextDiff.Scalars) -> Bool {
        var count = 0
        for place in range {
            count = isTorn(place, text) ? count + 1 : 1
            if count >= longRun { return true }
        }
        return false
    }

    /// Compares a part letter by letter; a few equal ones between changes do not count.
    private static func letters(
        _ hunk: Hunk, _ a: TextDiff.Scalars, _ b: TextDiff.Scalars, atMost most: Int, budget: inout Int
    ) -> [Hunk]? {
        let hunk = rest(hunk, a, b)
        let found = SequenceDiff.hunks(a, hunk.old, b, hunk.new, atMost: most, budget: &budget)
        return found?.reduce(into: []) { hunks, next in
            guard let last = hunks.last, next.old.lowerBound - last.old.upperBound < chance else {
                return hunks.append(next)
            }
            hunks[hunks.count - 1] = Hunk(
                old: last.old.lowerBound..<next.old.upperBound, new: last.new.lowerBound..<next.new.upperBound)
        }
    }
}
