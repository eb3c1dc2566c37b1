/// The order of tokens, as far as its pages were read: the model of the store's places.
///
/// Ranks move while pages are read, so a token may be on two pages or on none. A token has one place here: a newer page takes
/// it from an older place, which stays empty until its own page is read again. What is shown are the filled places, numbered
/// without gaps.
struct Leaderboard: Hashable, Sendable {
    private var slots: [String?] = []
    private var places: [String: Int] = [:]

    /// The ids in their order.
    var ids: [String] { slots.compactMap { $0 } }

    /// Puts the ids of a page into its places.
    ///
    /// - Parameters:
    ///   - page: The number of the page, from 1.
    ///   - size: The number of places of a page.
    ///   - total: The number of all tokens, if the provider sends it. A page with fewer ids is the last.
    mutating func apply(page: Int, size: Int, ids: [String], total: Int? = nil) {
        var seen: Set<String> = []
        let fresh = ids.prefix(size).filter { seen.insert($0).inserted }
        let start = (page - 1) * size
        let end = start + fresh.count
        let isComplete = ids.count < size || total.map { start + size >= $0 } ?? false
        // Whatever the page held before leaves its place, and what the page holds now leaves its place elsewhere.
        let limit = isComplete ? end : max(total ?? Int.max, end)
        for place in slots.indices where (start..<start + size).contains(place) || place >= limit {
            if let id = slots[place] { (slots[place], places[id]) = (nil, nil) }
        }
        for id in fresh {
            if let place = places[id] { slots[place] = nil }
        }
        while slots.count < end { slots.append(nil) }
        for (place, id) in zip(start..., fresh) { (slots[place], places[id]) = (id, place) }
        if slots.count > limit { slots.removeLast(slots.count - limit) }
    }
}
