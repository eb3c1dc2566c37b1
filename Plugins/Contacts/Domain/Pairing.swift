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
        pair { old[$0].label == new[$1].label && old[$0].value == new[$1].value }
        pair { old[$0].value == new[$1].value }
        pair { old[$0].label == new[$1].label }
        pair { _, _ in true }
        pairs.sort { $0.old < $1.old }
    }

    private mutating func pair(where matches: (Int, Int) -> Bool) {
        removed.removeAll { old in
            guard let index = added.firstIndex(where: { matches(old, $0) }) else { return false }
            pairs.append((old, added.remove(at: index)))
            return true
        }
    }
}
