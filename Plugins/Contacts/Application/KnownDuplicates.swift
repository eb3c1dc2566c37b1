package import ContactsDomain

/// The duplicates as they were found last.
package struct KnownDuplicates: Sendable {
    /// The groups whose contacts have not changed since, most likely first.
    package let groups: [DuplicateGroup]
    /// Whether a search runs, because contacts have changed or none has run yet.
    package let isSearching: Bool
}

/// Keeps the duplicates that were found last, and runs one search at a time.
actor DuplicateCache {
    private struct Found {
        let groups: [DuplicateGroup]
        let fingerprint: Int
    }

    private var found: [DuplicateTier: Found] = [:]
    private var searches: [DuplicateTier: Task<Void, Never>] = [:]

    /// Returns what was found last down to `tier`, and starts `search` if that was found among contacts with another `fingerprint`.
    func groups(
        upTo tier: DuplicateTier, fingerprint: Int, search: @escaping @Sendable () async throws -> [DuplicateGroup]
    ) -> (groups: [DuplicateGroup], isSearching: Bool) {
        let last = found[tier]
        if last?.fingerprint == fingerprint { return (last?.groups ?? [], false) }
        if searches[tier] == nil {
            searches[tier] = Task {
                let groups = try? await search()
                finish(tier, groups.map { Found(groups: $0, fingerprint: fingerprint) })
            }
        }
        return (last?.groups ?? [], true)
    }

    private func finish(_ tier: DuplicateTier, _ result: Found?) {
        searches[tier] = nil
        if let result { found[tier] = result }
    }
}

extension ContactsPlugin {
    /// Returns the duplicates down to `tier` as they were found last, without waiting for a search, which takes seconds for
    /// ten thousand contacts.
    package func knownDuplicates(upTo tier: DuplicateTier) async throws -> KnownDuplicates {
        let fingerprint = try await contacts.read { try $0.duplicateFingerprint() }
        let (groups, isSearching) = await duplicates.groups(upTo: tier, fingerprint: fingerprint) {
            try await findDuplicates(upTo: tier)
        }
        let valid = isSearching ? try await unchanged(groups) : groups
        return KnownDuplicates(groups: valid, isSearching: isSearching)
    }

    /// The groups whose contacts are as they were when the group was found, and not marked as different people since.
    private func unchanged(_ groups: [DuplicateGroup]) async throws -> [DuplicateGroup] {
        try await contacts.read { transaction in
            let apart = try transaction.contactsApart()
            return try groups.filter { group in
                let ids = group.members.map(\.id)
                let isSplit = ids.indices.dropFirst().contains { apart.contains(ContactPair(ids[0], ids[$0])) }
                guard !isSplit else { return false }
                return try ids.allSatisfy { try transaction.revision(ofLiveContact: $0) == group.revisions[$0] }
            }
        }
    }
}
