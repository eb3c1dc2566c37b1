/// Which value of a list became which, when a person hands back the list without saying so.
struct Pairing {
    /// Places in the old and the new list of the same value, changed or not.
    private(set) var pairs: [(old: Int, new: Int)] = []
    /// Places in the old list of values that are gone.
    private(set) var removed: [Int]
    /// Places in the new list of values that were not there.
    private(set) var added: [Int]

    /// Pairs equal values first, then equal texts of another kind, then equal kinds, then what is left, in order.
    init(_ old: [LabeledValue], _ new: [LabeledValue]) {
        removed = Array(old.indices)
        added = Array(new.indices)
        pair(old, new) { [$0.label, $0.value] }
        pair(old, new) { $0.value }
        pair(old, new) { $0.label }
        pair(old, new) { _ in true }
        pairs.sort { $0.old < $1.old }
    }

    /// Pairs what has equal keys: each value of the old list with the first of the new one that is still alone.
    private mutating func pair<Key: Hashable>(
        _ old: [LabeledValue], _ new: [LabeledValue], by key: (LabeledValue) -> Key
    ) {
        if removed.isEmpty || added.isEmpty { return }
        var free = Dictionary(grouping: added) { key(new[$0]) }.mapValues { $0[...] }
        var taken = Set<Int>()
        removed.removeAll { place in
            guard let index = free[key(old[place])]?.popFirst() else { return false }
            pairs.append((place, index))
            taken.insert(index)
            return true
        }
        added.removeAll(where: taken.contains)
    }
}
