/// A named list of tokens in the user's order, each once.
package struct Watchlist: Hashable, Sendable {
    /// The name.
    package let name: String
    /// The ids in their order.
    package private(set) var ids: [String]

    /// Creates a list; an id that comes twice keeps its first place.
    package init(name: String, ids: [String] = []) {
        var seen: Set<String> = []
        self.name = name
        self.ids = ids.filter { seen.insert($0).inserted }
    }

    /// Adds a token at the end, and returns whether it was missing.
    package mutating func add(_ id: String) -> Bool {
        guard !ids.contains(id) else { return false }
        ids.append(id)
        return true
    }

    /// Removes a token, and returns whether it was there.
    package mutating func remove(_ id: String) -> Bool {
        guard let index = ids.firstIndex(of: id) else { return false }
        ids.remove(at: index)
        return true
    }

    /// Moves a token to a place, from 0; places past the end are the end. Returns whether it is in the list.
    package mutating func move(_ id: String, to place: Int) -> Bool {
        guard remove(id) else { return false }
        ids.insert(id, at: min(max(place, 0), ids.count))
        return true
    }
}
