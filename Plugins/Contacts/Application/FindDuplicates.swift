package import ContactsDomain
package import System

extension ContactsPlugin {
    /// The number of cards that are read in one snapshot, so that a long search does not keep old database pages alive.
    private static let duplicateBatch = 5000

    /// Returns groups of contacts that may be the same person, down to the tier `limit`, most likely first, at most
    /// `count`.
    ///
    /// The index rows of all contacts are sorted into buckets by blocking keys. Only cards that share a bucket with
    /// another are read, compared outside any transaction, and joined to groups.
    package func findDuplicates(upTo limit: DuplicateTier = .medium, count: Int? = nil) async throws -> [DuplicateGroup]
    {
        let (buckets, apart) = try await contacts.read { (try $0.duplicateBuckets(), try $0.contactsApart()) }
        let (profiles, places) = try await read(buckets)
        let clusters = await ContactsPlugin.compare(profiles, places, buckets, apart, limit)
        return try await groups(count.map { Array(clusters.prefix($0)) } ?? clusters, profiles)
    }

    /// The profiles of all contacts in buckets, and the position of each row number.
    private func read(_ buckets: [[Int]]) async throws -> ([DuplicateProfile], [Int: Int]) {
        let numbers = Set(buckets.joined()).sorted()
        let region = contacts.rules.callingCode
        var profiles: [DuplicateProfile] = []
        var places: [Int: Int] = [:]
        for start in stride(from: 0, to: numbers.count, by: ContactsPlugin.duplicateBatch) {
            let part = Array(numbers[start..<min(numbers.count, start + ContactsPlugin.duplicateBatch)])
            let cards = try await contacts.read { try $0.cards(inRows: part) }
            let half = cards.count / 2
            async let first = ContactsPlugin.profiles(of: cards[..<half], region)
            async let second = ContactsPlugin.profiles(of: cards[half...], region)
            for (number, profile) in await first + second {
                places[number] = profiles.count
                profiles.append(profile)
            }
        }
        return (profiles, places)
    }

    /// Parses cards on another thread.
    @concurrent
    private static func profiles(
        of cards: ArraySlice<(number: Int, id: String, card: [UInt8])>, _ region: CallingCode?
    ) async -> [(Int, DuplicateProfile)] {
        cards.map { number, id, bytes in
            let card = Card(bytes)
            return (number, DuplicateProfile(id: id, card.details, content: card.contentHash, region: region))
        }
    }

    /// Compares on a separate thread: takes a second for a hundred thousand contacts.
    @concurrent
    private static func compare(
        _ profiles: [DuplicateProfile], _ places: [Int: Int], _ buckets: [[Int]], _ apart: Set<ContactPair>,
        _ limit: DuplicateTier
    ) async -> [DuplicateCluster] {
        let finder = DuplicateFinder(profiles, apart: apart, upTo: limit)
        let links = finder.links(in: buckets.map { $0.compactMap { places[$0] } })
        return DuplicateClusters(profiles, apart: apart).clusters(of: links)
    }

    private func groups(
        _ clusters: [DuplicateCluster], _ profiles: [DuplicateProfile]
    ) async throws -> [DuplicateGroup] {
        let region = contacts.rules.callingCode
        return try await contacts.read { transaction in
            try clusters.compactMap { cluster in
                let live = try cluster.members.compactMap { try transaction.contact(profiles[$0].id) }
                    .filter { $0.deletedAt == nil }
                let most = live.map(\.card.fullness).max() ?? 0
                // The one that was revised last stays, but none that says less than half of what another one says.
                let rows = live.enumerated().sorted { one, other in
                    let (first, second) = (one.element, other.element)
                    let (isFull, isOtherFull) = (first.card.fullness * 2 >= most, second.card.fullness * 2 >= most)
                    if isFull != isOtherFull { return isFull }
                    return (second.lastRevised, one.offset) < (first.lastRevised, other.offset)
                }.map(\.element)
                // A contact may have been merged or removed meanwhile.
                guard rows.count == cluster.members.count else { return nil }
                let details = rows.map(\.card.details)
                return DuplicateGroup(
                    tier: cluster.tier, evidence: cluster.evidence.words(details, region: region),
                    members: zip(rows, details).map { ContactSummary(id: $0.id, $1) },
                    photos: Dictionary(uniqueKeysWithValues: rows.compactMap { row in row.photo.map { (row.id, $0) } }),
                    revisions: Dictionary(rows.map { ($0.id, $0.revision) }) { first, _ in first })
            }
        }
    }
}

extension Contact {
    /// A text that changes with the picture; nil for no picture.
    package var photo: String? { card.hasPicture ? "\(revision)" : nil }

    /// The time of the last revision: `REV` of the card, else the last change here. In milliseconds since 1970.
    fileprivate var lastRevised: Int64 { card.revisedAt ?? changedAt.milliseconds }
}

extension Card {
    /// The number of properties that say something of the person.
    fileprivate var fullness: Int { properties.count { Card.spoken.contains($0.kind) } }

    private static let spoken: Set<PropertyKind> = [
        .nickname, .phone, .email, .address, .organization, .title, .role, .birthday, .anniversary, .url, .messenger,
        .note,
        .categories, .related, .photo, .appleDate, .appleRelated,
    ]
}

/// Contacts that may be duplicates of each other.
package struct DuplicateGroup: Sendable {
    /// The likelihood.
    package let tier: DuplicateTier
    /// The matching fields, for output.
    package let evidence: [String]
    /// The contacts; the first is the one to keep: the one that was revised last of those that say much.
    package let members: [ContactSummary]
    /// Texts that change with the pictures, by the ids of the contacts that have one.
    package let photos: [String: String]
    /// The revisions of the contacts when they were read.
    let revisions: [String: Int]

    /// The contact to keep.
    package var keep: ContactSummary { members[0] }
    /// The contacts to merge into it.
    package var drop: [ContactSummary] { Array(members.dropFirst()) }
}

extension ContactsPlugin {
    /// Marks every pair of `ids`. Throws `not-found` if one does not exist.
    /// - Returns: the number of new pairs.
    @discardableResult
    package func markDistinct(_ ids: [String], operation: Operation) async throws -> Int {
        try await contacts.write(operation) { transaction in
            for id in ids { _ = try transaction.editableContact(id, expecting: nil) }
            var count = 0
            for (index, id) in ids.enumerated() {
                for other in ids[(index + 1)...] where other != id {
                    if try transaction.keepApart(id, other) { count += 1 }
                }
            }
            return count
        }
    }
}
