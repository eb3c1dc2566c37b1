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
        pair(old, new) { $0 == $1 }
        pair(old, new) { $0.value == $1.value }
        if isSingle {
            pair(old, new) { _, _ in true }
        } else {
            pair(old, new) { $0.label == $1.label && !$0.label.isEmpty }
            pair(old, new) { $0.label == $1.label }
        }
    }

    private mutating func pair(
        _ old: [CardItem], _ new: [CardItem], where matches: (CardItem.Content, CardItem.Content) -> Bool
    ) {
        for place in old.indices where partner[place] == nil {
            let found = new.indices.first { origin[$0] == nil && matches(old[place].content, new[$0].content) }
            guard let found else { continue }
            partner[place] = found
            origin[found] = place
        }
    }
}

extension PropertyKind {
    /// Whether a card may have several of it, each by itself.
    var isRepeated: Bool {
        switch self {
        case .phone, .email, .address, .addressLabel, .url, .messenger, .socialProfile, .related, .member,
            .appleMember, .appleDate, .key, .sound:
            true
        default: false
        }
    }
}
