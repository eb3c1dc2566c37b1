/// Finds what was probably meant by a mistyped word.
package enum Suggestion {
    /// The candidate nearest to `word`, or nil when none is near.
    ///
    /// Near means two edits or fewer (one for words of up to three letters), counting a swap of neighbours as one edit,
    /// or a beginning of at least two letters. Case and leading dashes do not count. Of two that are equally near, the
    /// one that begins more alike is meant.
    package static func nearest(to word: String, in candidates: some Sequence<String>) -> String? {
        let wanted = normalized(word)
        guard !wanted.isEmpty, wanted.count <= 64 else { return nil }
        var best: (candidate: String, distance: Int, shared: Int)?
        for candidate in candidates {
            let other = normalized(candidate)
            guard let distance = nearness(wanted, other) else { continue }
            let shared = zip(wanted, other).prefix { $0 == $1 }.count
            if let best, (best.distance, -best.shared) <= (distance, -shared) { continue }
            best = (candidate, distance, shared)
        }
        return best?.candidate
    }

    private static func normalized(_ word: String) -> [Character] { Array(word.lowercased().drop { $0 == "-" }) }

    private static func nearness(_ wanted: [Character], _ other: [Character]) -> Int? {
        let allowed = min(wanted.count, other.count) <= 3 ? 1 : 2
        let distance = editDistance(wanted, other, limit: allowed)
        if distance <= allowed { return distance }
        return wanted.count >= 2 && other.starts(with: wanted) ? allowed + 1 : nil
    }

    /// The number of insertions, deletions, replacements and swaps of neighbours that turn one word into the other
    /// (optimal string alignment), or something above `limit`.
    private static func editDistance(_ left: [Character], _ right: [Character], limit: Int) -> Int {
        guard abs(left.count - right.count) <= limit else { return limit + 1 }
        var beforeLast: [Int] = []
        var last = Array(0...right.count)
        for (row, character) in left.enumerated() {
            var current = [row + 1]
            for (column, other) in right.enumerated() {
                var cost = min(last[column + 1], current[column]) + 1
                cost = min(cost, last[column] + (character == other ? 0 : 1))
                if row > 0, column > 0, character == right[column - 1], left[row - 1] == other {
                    cost = min(cost, beforeLast[column - 1] + 1)
                }
                current.append(cost)
            }
            (beforeLast, last) = (last, current)
        }
        return last[right.count]
    }
}
