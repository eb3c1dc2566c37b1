/// Which item of one card became which item of another.
///
/// Properties of one name are a multiset: equal ones are paired first, then those with equal values, then those of the
/// same kind in people's words. What a card has once (`FN`, `NOTE`) is paired whatever it says.
struct ItemPairing {
    /// The place of the partner in the new list, by the place in the old one.
    private(set) var partner: [Int: Int] = [:]
    /// The same the other way round.
    private(set) var origin: [Int: Int] = [:]

    init(_ old: [CardItem], _ new: [CardItem], isSingle: Bool) {
        pair(old, new) { $0 }
        pair(old, new) { $0.value }
        if isSingle {
            pair(old, new) { _ in 0 }
        } else {
            pair(old, new) { $0.label }
        }
    }

    /// Pairs what is left and has equal keys, in the order of the lists. One pass over each, however long they are.
    private mutating func pair<Key: Hashable>(
        _ old: [CardItem], _ new: [CardItem], by key: (CardItem.Content) -> Key
    ) {
        var free: [Key: ArraySlice<Int>] = [:]
        for place in new.indices where origin[place] == nil { free[key(new[place].content), default: []].append(place) }
        for place in old.indices where partner[place] == nil {
            guard let found = free[key(old[place].content)]?.popFirst() else { continue }
            partner[place] = found
            origin[found] = place
        }
    }
}

extension PropertyKind {
    /// Whether a card may have several of it, each by itself.
    var isRepeated: Bool {
        switch self {
        case .phone, .email, .address, .addressLabel, .url, .messenger, .socialProfile, .serviceMessenger, .related,
            .member,
            .appleMember, .appleDate, .key, .sound:
            true
        default: false
        }
    }
}
