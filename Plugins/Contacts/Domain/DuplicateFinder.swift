/// Compares contacts that share a heap, and says which may be one.
package struct DuplicateFinder: Sendable {
    /// How many neighbours a contact is compared with in a heap of a great many: there the names stand in order, so that
    /// equal ones are neighbours, and a book in which thousands share one number is done in seconds too.
    package static let window = 200

    private let profiles: [DuplicateProfile]
    private let apart: Set<ContactPair>
    private let limit: DuplicateTier
    private var links: [UInt64: DuplicateLink] = [:]

    /// `apart` are those of whom a person has said that they are not one; `limit` is the least sure tier asked for.
    package init(_ profiles: [DuplicateProfile], apart: Set<ContactPair>, upTo limit: DuplicateTier) {
        self.profiles = profiles
        self.apart = apart
        self.limit = limit
    }

    /// The links in the heaps given, the surest first; heaps hold places in the profiles.
    package consuming func links(in heaps: [[Int]]) -> [DuplicateLink] {
        for heap in heaps { compare(heap) }
        return links.values.sorted {
            ($0.tier, -$0.similarity, $0.first, $0.second) < ($1.tier, -$1.similarity, $1.first, $1.second)
        }
    }

    /// Compares the names of a heap, each once, and then those contacts whose names can mean one.
    private mutating func compare(_ heap: [Int]) {
        var byName: [ComparableName: [Int]] = [:]
        for place in heap { byName[profiles[place].name, default: []].append(place) }
        let names = byName.keys.sorted { $0.sorted.lexicographicallyPrecedes($1.sorted) }
        for (index, name) in names.enumerated() {
            for other in names[index...].prefix(DuplicateFinder.window + 1) {
                let relation = NameRelation(name, other)
                // Equal cards have equal names.
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

/// Two contacts, whichever is named first.
package struct ContactPair: Hashable, Sendable {
    /// The id that comes first in order.
    package let first: String
    /// The other one.
    package let second: String

    package init(_ left: String, _ right: String) {
        first = min(left, right)
        second = max(left, right)
    }
}
