/// Compares the contacts of each bucket and returns possible duplicates.
package struct DuplicateFinder: Sendable {
    /// The number of neighbours that a contact is compared with in a very large bucket: there contacts are sorted by
    /// name, so that equal names are neighbours and thousands of contacts with one number take only seconds.
    package static let window = 200

    private let profiles: [DuplicateProfile]
    private let apart: Set<ContactPair>
    private let limit: DuplicateTier
    /// The place of each profile's name in the order of names; equal names have the same.
    private let nameRanks: [Int]
    private var links: [UInt64: DuplicateLink] = [:]

    /// `apart` are the pairs that were marked as different people; `limit` is the lowest tier to return.
    package init(_ profiles: [DuplicateProfile], apart: Set<ContactPair>, upTo limit: DuplicateTier) {
        self.profiles = profiles
        self.apart = apart
        self.limit = limit
        nameRanks = DuplicateFinder.ranks(of: profiles)
    }

    private static func ranks(of profiles: [DuplicateProfile]) -> [Int] {
        let places = Dictionary(grouping: profiles.indices) { profiles[$0].name }
        let inOrder = places.sorted { left, right in
            if left.key.sorted == right.key.sorted { return left.value[0] < right.value[0] }
            return left.key.sorted.lexicographicallyPrecedes(right.key.sorted)
        }
        var ranks = [Int](repeating: 0, count: profiles.count)
        for (rank, name) in inOrder.enumerated() { for place in name.value { ranks[place] = rank } }
        return ranks
    }

    /// Returns the links in the given buckets, most likely first; buckets contain indices of profiles.
    package consuming func links(in buckets: [[Int]]) -> [DuplicateLink] {
        for bucket in buckets { compare(bucket) }
        return links.values.sorted {
            ($0.tier, -$0.similarity, $0.first, $0.second) < ($1.tier, -$1.similarity, $1.first, $1.second)
        }
    }

    /// Compares the different names of a bucket, then the contacts whose names match.
    private mutating func compare(_ bucket: [Int]) {
        let places = bucket.sorted { nameRanks[$0] < nameRanks[$1] }
        // The contacts of each name.
        let groups = places.chunked { nameRanks[$0] == nameRanks[$1] }
        for (index, group) in groups.enumerated() {
            let name = profiles[group[group.startIndex]].name
            for (distance, other) in groups[index...].prefix(DuplicateFinder.window + 1).enumerated() {
                let relation = NameRelation(name, profiles[other[other.startIndex]].name)
                // Cards with equal content have equal names.
                guard relation.isAlike || distance == 0 else { continue }
                compare(group, other, isSame: distance == 0, relation)
            }
        }
    }

    private mutating func compare(
        _ left: ArraySlice<Int>, _ right: ArraySlice<Int>, isSame: Bool, _ relation: NameRelation
    ) {
        for (index, place) in left.enumerated() {
            for other in right.dropFirst(isSame ? index + 1 : 0).prefix(DuplicateFinder.window) {
                link(min(place, other), max(place, other), relation)
            }
        }
    }

    private mutating func link(_ first: Int, _ second: Int, _ relation: NameRelation) {
        guard first != second, let found = profiles[first].judge(profiles[second], relation), found.tier <= limit,
            apart.isEmpty || !apart.contains(ContactPair(profiles[first].id, profiles[second].id))
        else { return }
        links[UInt64(first) << 32 | UInt64(second)] = DuplicateLink(
            first: first, second: second, tier: found.tier, similarity: relation.similarity, evidence: found.evidence)
    }
}

extension Array {
    /// The slices of neighbours of which each two satisfy `belong`.
    fileprivate func chunked(by belong: (Element, Element) -> Bool) -> [ArraySlice<Element>] {
        var chunks: [ArraySlice<Element>] = []
        var start = startIndex
        for index in indices.dropFirst() where !belong(self[index - 1], self[index]) {
            chunks.append(self[start..<index])
            start = index
        }
        if start < endIndex { chunks.append(self[start...]) }
        return chunks
    }
}

/// An unordered pair of contacts.
package struct ContactPair: Hashable, Sendable {
    /// The smaller id.
    package let first: String
    /// The larger id.
    package let second: String

    /// Creates the pair of two ids in any order.
    package init(_ left: String, _ right: String) {
        first = min(left, right)
        second = max(left, right)
    }
}
