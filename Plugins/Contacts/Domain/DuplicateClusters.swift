/// A group of possible duplicates.
package struct DuplicateCluster: Hashable, Sendable {
    /// Their indices in the profiles, in order.
    package let members: [Int]
    /// The tier of the weakest link.
    package let tier: DuplicateTier
    /// The evidence of all links.
    package let evidence: DuplicateEvidence
}

/// Joins links to clusters, most likely first.
package struct DuplicateClusters {
    private let profiles: [DuplicateProfile]
    private let apart: Set<ContactPair>
    private var parent: [Int: Int] = [:]
    private var clusters: [Int: (members: [Int], tier: DuplicateTier, evidence: DuplicateEvidence)] = [:]

    /// The maximum number of comparisons for joining two clusters; larger groups could not be reviewed anyway.
    private static let maximumComparisons = 10_000

    package init(_ profiles: [DuplicateProfile], apart: Set<ContactPair>) {
        self.profiles = profiles
        self.apart = apart
    }

    /// Returns the clusters of `links`, most likely first; no cluster has two contacts that are certainly different.
    package consuming func clusters(of links: [DuplicateLink]) -> [DuplicateCluster] {
        for link in links { join(link) }
        return clusters.values.map {
            DuplicateCluster(members: $0.members.sorted(), tier: $0.tier, evidence: $0.evidence)
        }
        .sorted { ($0.tier, $0.members[0]) < ($1.tier, $1.members[0]) }
    }

    private mutating func join(_ link: DuplicateLink) {
        let (left, right) = (root(of: link.first), root(of: link.second))
        guard left != right else {
            clusters[left]?.evidence.formUnion(link.evidence)
            return
        }
        let (mine, theirs) = (clusters[left], clusters[right])
        let (members, others) = (mine?.members ?? [left], theirs?.members ?? [right])
        guard canJoin(members, others, isCertain: link.tier == .certain) else { return }
        // The smaller one is merged into the larger.
        let (small, large) = members.count < others.count ? (left, right) : (right, left)
        parent[small] = large
        clusters[small] = nil
        let tiers = [mine?.tier, theirs?.tier, link.tier].compactMap { $0 }
        let evidence = [mine?.evidence, theirs?.evidence].compactMap { $0 }.reduce(link.evidence) { $0.union($1) }
        let joined = members.count < others.count ? others + members : members + others
        clusters[large] = (joined, tiers.max() ?? link.tier, evidence)
    }

    /// Whether no contact of the first is certainly different from one of the second.
    private func canJoin(_ members: [Int], _ others: [Int], isCertain: Bool) -> Bool {
        if isCertain, apart.isEmpty { return true }
        guard members.count * others.count <= DuplicateClusters.maximumComparisons else { return false }
        return members.allSatisfy { member in others.allSatisfy { !isApart(profiles[member], profiles[$0]) } }
    }

    private func isApart(_ left: DuplicateProfile, _ right: DuplicateProfile) -> Bool {
        if apart.contains(ContactPair(left.id, right.id)) { return true }
        if let mine = left.birthday, let theirs = right.birthday, mine != theirs { return true }
        return left.kind != right.kind || NameRelation(left.name, right.name).isApart(left.name, right.name)
    }

    private mutating func root(of place: Int) -> Int {
        var place = place
        while let next = parent[place] { place = next }
        return place
    }
}
