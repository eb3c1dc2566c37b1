/// Compares the contacts of each bucket and returns possible duplicates.
package struct DuplicateFinder: Sendable {
    /// The number of neighbours that a contact is compared with in a very large bucket: there contacts are sorted by
    /// name, so that equal names are neighbours and thousands of contacts with one number take only seconds.
    package static let window = 200

    private let profiles: [DuplicateProfile]
    private let apart: Set<ContactPair>
    private let limit: DuplicateTier
    private var links: [UInt64: DuplicateLink] = [:]

    /// `apart` are the pairs that were marked as different people; `limit` is the lowest tier to return.
    package init(_ profiles: [DuplicateProfile], apart: Set<ContactPair>, upTo limit: DuplicateTier) {
        self.profiles = profiles
        self.apart = apart
        self.limit = limit
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
        var byName: [ComparableName: [Int]] = [:]
        for place in bucket { byName[profiles[place].name, default: []].append(place) }
        let names = byName.keys.sorted { $0.sorted.lexicographicallyPrecedes($1.sorted) }
        for (index, name) in names.enumerated() {
            for other in names[index...].prefix(DuplicateFinder.window + 1) {
                let relation = NameRelation(name, other)
                // Cards with equal content have equal names.
                guard relation.isAlike || name == other else { continue }
                compare(byName[name] ?? [], byName[other] ?? [], isSame: name == other, relation)
            }
        }
    }

    private mutating func compare(_ left: [Int], _ right: [Int], isSame: Bool, _ relation: NameRelation) {
        for (index, place) in left.enumerated() {
            let start = isSame ? index + 1 : 0
            for other in right[min(start, right.count)...].prefix(DuplicateFinder.window) {
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
