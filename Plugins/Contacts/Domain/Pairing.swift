/// A pairing of the old and new values of a list that was edited as text.
struct Pairing {
    /// Indices in the old and the new list of the same value, changed or not.
    private(set) var pairs: [(old: Int, new: Int)] = []
    /// Indices in the old list of removed values.
    private(set) var removed: [Int]
    /// Indices in the new list of added values.
    private(set) var added: [Int]

    /// Pairs equal values first, then equal texts with another label, then equal labels, then the rest in order.
    init(_ old: [LabeledValue], _ new: [LabeledValue]) {
        removed = Array(old.indices)
        added = Array(new.indices)
        pair(old, new) { [$0.label, $0.value] }
        pair(old, new) { $0.value }
        pair(old, new) { $0.label }
        pair(old, new) { _ in true }
        pairs.sort { $0.old < $1.old }
    }

    /// Pairs values with equal keys: each value of the old list with the first unpaired one of the new list.
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
