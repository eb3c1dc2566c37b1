/// Computes a merge: groups the items by property name and decides on each.
struct CardMerger {
    private let ours: Card
    private let theirs: Card
    private let choices: CardMerge.Choices
    private var patch: CardPatch
    private var lists: [PropertyKind: [String]] = [:]
    private var hasPatches = false
    private(set) var conflicts: [CardMerge.Conflict] = []
    private var known: Set<CardMerge.Conflict> = []

    init(ours: Card, theirs: Card, choices: CardMerge.Choices) {
        self.ours = ours
        self.theirs = theirs
        self.choices = choices
        patch = CardPatch(ours)
    }

    /// The merged card; the same bytes if nothing was applied.
    var result: Card {
        let card = hasPatches ? Card(patch.bytes()) : ours
        if lists.isEmpty { return card }
        var details = card.details
        if let tags = lists[.categories] { details.tags = tags }
        if let nicknames = lists[.nickname] { details.nicknames = nicknames }
        return card.updated(to: details, at: nil).card
    }

    mutating func merge(ourBase: Card, theirBase: Card) {
        let sides = [theirBase, theirs, ourBase, ours].map { Dictionary(grouping: $0.items) { $0.content.slot } }
        var slots: [String] = []
        var known: Set<String> = []
        for card in [theirs, theirBase] {
            for item in card.items where known.insert(item.content.slot).inserted { slots.append(item.content.slot) }
        }
        for slot in slots {
            let found = sides.map { $0[slot] ?? [] }
            guard let kind = found.lazy.compactMap(\.first?.kind).first else { continue }
            if kind == .categories || kind == .nickname {
                mergeList(kind, from: theirBase)
            } else {
                let isSingle = !kind.isRepeated && found.allSatisfy { $0.count <= 1 }
                mergeSlot(
                    SlotSides(
                        theirBase: found[0], theirs: found[1], ourBase: found[2], ours: found[3], isSingle: isSingle))
            }
        }
    }

    /// A list of words is a set: remotely added words are added, removed ones are removed.
    private mutating func mergeList(_ kind: PropertyKind, from theirBase: Card) {
        func words(_ card: Card) -> [String] { card.all(kind).flatMap { card.list(card.properties[$0]) } }
        let (base, new, old) = (words(theirBase), words(theirs), words(ours))
        let (wasThere, isThere, isHere) = (Set(base), Set(new), Set(old))
        let added = new.filter { !wasThere.contains($0) && !isHere.contains($0) }
        let merged = old.filter { isThere.contains($0) || !wasThere.contains($0) } + added
        if merged != old { lists[kind] = merged }
    }

    private mutating func mergeSlot(_ slot: SlotSides) {
        var sides = slot
        for place in sides.theirBase.indices { mergeKnown(place, &sides) }
        for place in sides.theirs.indices where sides.theirChange.origin[place] == nil {
            mergeAdded(sides.theirs[place], &sides)
        }
    }

    /// Merges an item of the common base.
    private mutating func mergeKnown(_ place: Int, _ sides: inout SlotSides) {
        let before = sides.theirBase[place]
        let after = sides.theirChange.partner[place].map { sides.theirs[$0] }
        if let after, after.content == before.content { return }
        guard let base = sides.bases.partner[place].map({ sides.ourBase[$0] }) else {
            // Only the remote side had it: a property of another program, or one that the local version cannot express.
            if let after { mergeAdded(after, &sides) }
            return
        }
        let mine = sides.ourPartner(of: place)
        switch (mine, after) {
        case (nil, nil): return
        case (let mine?, nil):
            if mine.content == base.content { remove(mine) } else { conflict(mine, nil, sides) }
        case (nil, let after?): conflict(nil, after, sides)
        case (let mine?, let after?):
            if mine.content == base.content {
                replace(mine, by: after)
            } else if !mine.content.meansSame(as: after.content, since: base.content) {
                conflict(mine, after, sides)
            }
        }
    }

    /// Merges an item that is new on the remote side.
    private mutating func mergeAdded(_ item: CardItem, _ sides: inout SlotSides) {
        if sides.isSingle, let mine = sides.ours.first {
            if mine.content.value != item.content.value { conflict(mine, item, sides) }
        } else if let mine = sides.takeAdded(like: item.content) {
            if mine.content.label.isEmpty, !item.content.label.isEmpty { replace(mine, by: item) }
        } else {
            add(item)
        }
    }
}

extension CardMerger {
    private mutating func conflict(_ mine: CardItem?, _ other: CardItem?, _ sides: SlotSides) {
        let kind = mine?.kind ?? other?.kind ?? .unknown
        let canKeepBoth = mine != nil && other != nil && (kind.isRepeated || kind == .note)
        let conflict = CardMerge.Conflict(
            field: fieldName(mine ?? other), label: (mine ?? other)?.content.label ?? "",
            ours: mine.map { ours.shown($0) }, theirs: other.map { theirs.shown($0) }, canKeepBoth: canKeepBoth)
        switch choices[conflict.name] {
        case nil:
            if known.insert(conflict).inserted { conflicts.append(conflict) }
        case .here: return
        case .there:
            switch (mine, other) {
            case (let mine?, let other?): replace(mine, by: other)
            case (let mine?, nil): remove(mine)
            case (nil, let other?): add(other)
            case (nil, nil): return
            }
        case .both:
            if let other, mine == nil { return add(other) }
            guard canKeepBoth, let mine, let other else { return }
            if kind == .note {
                let text = ours.text(ours.properties[mine.place]) + "\n\n" + theirs.text(theirs.properties[other.place])
                patch.apply(.replace(mine.place, .text(text)))
                hasPatches = true
            } else {
                add(other)
            }
        }
    }

    private func fieldName(_ item: CardItem?) -> String { item.map { $0.fieldName } ?? "" }

    private mutating func replace(_ mine: CardItem, by other: CardItem) {
        patch.graft(theirs.lines(of: other), over: mine.place)
        hasPatches = true
    }

    private mutating func add(_ other: CardItem) {
        patch.graft(theirs.lines(of: other), ofKind: other.kind)
        hasPatches = true
    }

    private mutating func remove(_ mine: CardItem) {
        patch.apply(.remove(mine.place))
        hasPatches = true
    }
}

/// The items of one property name on all sides, with their pairing.
private struct SlotSides {
    let theirBase: [CardItem]
    let theirs: [CardItem]
    let ourBase: [CardItem]
    let ours: [CardItem]
    let isSingle: Bool
    let theirChange: ItemPairing
    let bases: ItemPairing
    private let ourChange: ItemPairing
    /// The local items that are not those of the remote base, so that each of them accounts for one remote addition.
    private var ourAdditions: [CardItem] = []

    init(theirBase: [CardItem], theirs: [CardItem], ourBase: [CardItem], ours: [CardItem], isSingle: Bool) {
        self.theirBase = theirBase
        self.theirs = theirs
        self.ourBase = ourBase
        self.ours = ours
        self.isSingle = isSingle
        theirChange = ItemPairing(theirBase, theirs, isSingle: isSingle)
        bases = ItemPairing(theirBase, ourBase, isSingle: isSingle)
        ourChange = ItemPairing(ourBase, ours, isSingle: isSingle)
        let known = Set(theirBase.indices.compactMap { bases.partner[$0].flatMap { ourChange.partner[$0] } })
        ourAdditions = ours.indices.filter { !known.contains($0) }.map { ours[$0] }
    }

    /// Takes the local addition that states the same as a remote one: the same value under the same label, or under
    /// none. The same value under two labels is two statements.
    mutating func takeAdded(like content: CardItem.Content) -> CardItem? {
        let same = ourAdditions.indices.filter { ourAdditions[$0].content.value == content.value }
        let label = content.label
        let place =
            same.first { ourAdditions[$0].content.label == label }
            ?? same.first { label.isEmpty || ourAdditions[$0].content.label.isEmpty }
        return place.map { ourAdditions.remove(at: $0) }
    }

    /// The local item for an item of the remote base.
    func ourPartner(of place: Int) -> CardItem? {
        bases.partner[place].flatMap { ourChange.partner[$0] }.map { ours[$0] }
    }
}

extension CardItem.Content {
    /// Whether two new versions of `base` differ only in what servers rewrite; a label that both sides changed
    /// differently is a difference.
    fileprivate func meansSame(as other: CardItem.Content, since base: CardItem.Content) -> Bool {
        value == other.value && (label == other.label || label == base.label || other.label == base.label)
    }
}
