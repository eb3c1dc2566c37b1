/// The similarity of names, for suggestions and for duplicates.
package enum NameSimilarity {
    /// The maximum number of bytes that are compared.
    static let maximumLength = 128

    /// The Jaro-Winkler similarity of two folded texts, 0...1, with scale 0.1 and a common prefix of at most four
    /// letters.
    package static func jaroWinkler(_ left: String, _ right: String) -> Double {
        jaroWinkler(
            left.utf8.span.extracting(first: maximumLength), right.utf8.span.extracting(first: maximumLength))
    }

    /// The similarity of two texts of at most 128 bytes, without allocation, since it is called millions of times.
    static func jaroWinkler(_ left: Span<UInt8>, _ right: Span<UInt8>) -> Double {
        if left.isEmpty || right.isEmpty { return left.isEmpty && right.isEmpty ? 1 : 0 }
        let window = max(0, max(left.count, right.count) / 2 - 1)
        // One bit for each matched letter.
        var (mine, theirs): (UInt128, UInt128) = (0, 0)
        for index in left.indices {
            let letter = left[unchecked: index]
            var place = max(0, index - window)
            let end = min(right.count, index + window + 1)
            while place < end, right[unchecked: place] != letter || theirs >> UInt128(place) & 1 == 1 { place += 1 }
            guard place < end else { continue }
            mine |= 1 << UInt128(index)
            theirs |= 1 << UInt128(place)
        }
        let count = Double(mine.nonzeroBitCount)
        if count == 0 { return 0 }
        var swapped = 0
        while mine != 0 {
            if left[mine.trailingZeroBitCount] != right[theirs.trailingZeroBitCount] { swapped += 1 }
            mine &= mine - 1
            theirs &= theirs - 1
        }
        let transposed = Double(swapped) / 2
        let jaro = (count / Double(left.count) + count / Double(right.count) + (count - transposed) / count) / 3
        var beginning = 0
        while beginning < min(4, left.count, right.count), left[beginning] == right[beginning] { beginning += 1 }
        return jaro + Double(beginning) * 0.1 * (1 - jaro)
    }

    /// The restricted Damerau-Levenshtein distance of two texts (insertions, deletions, replacements and
    /// transpositions), or `limit + 1` if it is larger.
    package static func editDistance(_ left: String, _ right: String, limit: Int) -> Int {
        let (left, right) = (Array(left.utf8.prefix(128)), Array(right.utf8.prefix(128)))
        if abs(left.count - right.count) > limit { return limit + 1 }
        var before: [Int] = []
        var previous = Array(0...right.count)
        for row in left.indices {
            var current = [row + 1]
            for column in right.indices {
                var cost = min(previous[column + 1] + 1, current[column] + 1)
                cost = min(cost, previous[column] + (left[row] == right[column] ? 0 : 1))
                if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
                    cost = min(cost, before[column - 1] + 1)
                }
                current.append(cost)
            }
            if let best = current.min(), best > limit { return limit + 1 }
            (before, previous) = (previous, current)
        }
        return min(previous[right.count], limit + 1)
    }

    /// The similarity of a query to a name, 0...1, or nil if they differ too much.
    ///
    /// Each word of the query must be close to a word of the name: one typo in four letters, two in eight, three in
    /// longer words. The first word of the name has a slightly higher weight, as in a search.
    package static func nearness(query: String, name: String) -> Double? {
        let typed = SearchText.words(query)
        let words = SearchText.words(name)
        if typed.isEmpty || words.isEmpty { return nil }
        var sum = 0.0
        for word in typed {
            let limit = word.utf8.count < 4 ? 0 : word.utf8.count < 8 ? 1 : word.utf8.count < 12 ? 2 : 3
            let best = words.enumerated()
                .map { index, name in
                    let weight = index == 0 ? 1 : 0.99
                    return (
                        distance: editDistance(word, name, limit: limit), nearness: jaroWinkler(word, name) * weight
                    )
                }
                .min { ($0.distance, -$0.nearness) < ($1.distance, -$1.nearness) }
            guard let best, best.distance <= limit else { return nil }
            sum += best.nearness
        }
        return sum / Double(typed.count)
    }
}
