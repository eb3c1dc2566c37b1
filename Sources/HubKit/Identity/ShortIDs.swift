/// Finds how many characters of an id must be shown so that they name only it.
package enum ShortIDs {
    /// The fewest characters an id is shown with.
    package static let minimum = 3

    /// The shortest beginning of `id`, of three characters or more, that no other id begins with.
    ///
    /// Shortens an id; `isUnique` returns whether exactly one id begins with the given text, usually with one index
    /// look-up.
    package static func shorten(_ id: String, isUnique: (Substring) throws -> Bool) rethrows -> Int {
        for length in minimum..<max(id.count, minimum) where try isUnique(id.prefix(length)) { return length }
        return id.count
    }

    /// Returns the number of characters that distinguish `id` from its neighbours in the order of all ids, the
    /// cheapest way for an index.
    package static func shorten(_ id: String, before: String?, after: String?) -> Int {
        let shared = [before, after].compactMap(\.self).map { sharedCount($0, id) }.max() ?? 0
        return min(max(shared + 1, minimum), id.count)
    }

    /// How many characters each of `ids` needs among them all, in the same order.
    package static func lengths(_ ids: [String]) -> [Int] {
        let order = ids.indices.sorted { ids[$0] < ids[$1] }
        var lengths = Array(repeating: minimum, count: ids.count)
        for (place, index) in order.enumerated() {
            let before = place > 0 ? ids[order[place - 1]] : nil
            let after = place + 1 < order.count ? ids[order[place + 1]] : nil
            lengths[index] = shorten(ids[index], before: before, after: after)
        }
        return lengths
    }

    private static func sharedCount(_ left: String, _ right: String) -> Int {
        zip(left.utf8, right.utf8).prefix { $0 == $1 }.count
    }
}
