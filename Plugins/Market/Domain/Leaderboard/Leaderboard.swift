/// The order of tokens, as far as its pages were read.
///
/// Ranks move while pages are read, so a token may be on two pages or on none. A token has one place here: a newer page takes
/// it from an older place, which stays empty until its own page is read again. What is shown are the filled places, numbered
/// without gaps.
package struct Leaderboard: Hashable, Sendable {
    /// The maximum number of places.
    package static let maximumCount = 20_000

    private var slots: [String?] = []
    private var places: [String: Int] = [:]

    /// The number of tokens that the provider says it has; nil when it does not.
    package private(set) var total: Int?
    /// Whether the last page was read.
    package private(set) var isComplete = false

    package init() {}

    /// The ids in their order.
    package var ids: [String] { slots.compactMap { $0 } }

    /// The number of tokens.
    package var count: Int { places.count }

    /// The number of places read so far, filled or not: where the next page begins.
    package var depth: Int { slots.count }

    /// Whether the token is on a page that was read.
    package func contains(_ id: String) -> Bool { places[id] != nil }

    /// Puts the ids of a page into its places and returns the ids that are gone: those that the page had before and that no
    /// other page has.
    ///
    /// - Parameters:
    ///   - page: The number of the page, from 1.
    ///   - size: The number of places of a page.
    ///   - total: The number of all tokens, if the provider sends it.
    ///   - isLast: Whether no page follows; nil for a page with fewer ids, counting repeated ones, than places.
    package mutating func apply(
        page: Int, size: Int, ids: [String], total: Int? = nil, isLast: Bool? = nil
    ) -> Set<String> {
        guard page >= 1, size >= 1, page <= Leaderboard.maximumCount / size + 1 else { return [] }
        var seen: Set<String> = []
        let fresh = ids.prefix(size).filter { seen.insert($0).inserted }
        let start = (page - 1) * size
        let end = start + fresh.count
        isComplete = isLast ?? (ids.count < size) || total.map { start + size >= $0 } ?? false
        self.total = total ?? self.total

        // Whatever the page held before leaves its place, and what the page holds now leaves its place elsewhere.
        var gone: Set<String> = []
        let limit = isComplete ? end : max(total ?? Int.max, end)
        for place in slots.indices where (start..<start + size).contains(place) || place >= limit {
            guard let id = slots[place] else { continue }
            (slots[place], places[id]) = (nil, nil)
            gone.insert(id)
        }
        for id in fresh {
            if let place = places[id] { slots[place] = nil }
        }
        while slots.count < end { slots.append(nil) }
        for (place, id) in zip(start..., fresh) { (slots[place], places[id]) = (id, place) }
        if slots.count > limit { slots.removeLast(slots.count - limit) }
        return gone.subtracting(fresh)
    }
}
