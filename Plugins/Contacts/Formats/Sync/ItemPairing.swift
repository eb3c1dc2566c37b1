/// A pairing of the items of two cards.
///
/// Properties of one name are a multiset: equal ones are paired first, then those with equal values, then those with
/// equal labels. A property that may occur once (`FN`, `NOTE`) is always paired.
struct ItemPairing {
    /// The index in the new list, by the index in the old one.
    private(set) var partner: [Int: Int] = [:]
    /// The index in the old list, by the index in the new one.
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

    /// Pairs the remaining items with equal keys, in order, in one pass over each list.
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
    /// Whether a card may have several independent properties of this name.
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
