/// The decision for a fetched card: the decision table of a sync.
package enum SyncDecision: Sendable {
    /// A new card: create a contact.
    case new
    /// Keep the local card; the sides are equal, or (`sends`) only the local one has changed.
    case keep(SyncBase, sends: Bool)
    /// Update the local card. With conflicts the user decides before anything is sent.
    case change(CardMerge, SyncBase, sends: Bool)
    /// The contact was removed here but changed remotely: the change wins and the contact is restored with this card.
    /// It is sent if it had been changed here before its removal.
    case revive(Card, SyncBase, sends: Bool)
    /// The contact was removed here and not changed remotely: delete the remote card.
    case remove

    /// Compares a fetched card with the local side; nil if there is no local side.
    package init(ours: LocalSide?, theirs: Card) {
        guard let ours else {
            self = .new
            return
        }
        let base = ours.base
        if !ours.isHere {
            if let base, base.theirs.saysSame(as: theirs) {
                self = .remove
            } else {
                let sent = ours.card.exported(as: theirs.version)
                self = SyncDecision.reviving(ours.card, base ?? SyncBase(ours: ours.card, theirs: sent), theirs)
            }
            return
        }
        guard let base else {
            self = SyncDecision.meeting(ours.card, theirs)
            return
        }
        let isChanged = ours.card.contentHash != base.ours.contentHash
        if base.theirs.saysSame(as: theirs) {
            self = .keep(SyncBase(ours: base.ours, theirs: theirs), sends: isChanged)
        } else if ours.card.isKept(as: theirs) {
            self = .keep(SyncBase(ours: ours.card, theirs: theirs), sends: false)
        } else {
            self = SyncDecision.merging(ours.card, base, theirs, isChanged: isChanged)
        }
    }

    private static func reviving(_ ours: Card, _ base: SyncBase, _ theirs: Card) -> SyncDecision {
        let card = CardMerge(
            ours: ours, ourBase: base.ours, theirBase: base.theirs, theirs: theirs, choice: .there
        ).card
        let untouched = untouched(base, theirs)
        return .revive(
            card, SyncBase(ours: untouched, theirs: theirs), sends: card.contentHash != untouched.contentHash)
    }

    /// The local card without local edits: the base that local edits are compared with.
    private static func untouched(_ base: SyncBase, _ theirs: Card) -> Card {
        CardMerge(ours: base.ours, ourBase: base.ours, theirBase: base.theirs, theirs: theirs).card
    }

    private static func merging(_ ours: Card, _ base: SyncBase, _ theirs: Card, isChanged: Bool) -> SyncDecision {
        let merge = CardMerge(ours: ours, ourBase: base.ours, theirBase: base.theirs, theirs: theirs)
        if !isChanged { return .change(merge, SyncBase(ours: merge.card, theirs: theirs), sends: false) }
        if merge.conflicts.isEmpty, merge.card.saysSame(as: theirs) {
            return .change(merge, SyncBase(ours: merge.card, theirs: theirs), sends: false)
        }
        return .change(
            merge, SyncBase(ours: untouched(base, theirs), theirs: theirs), sends: merge.conflicts.isEmpty)
    }

    /// Two cards with the same `UID` are linked for the first time: values of either side are kept. A remote line
    /// that was exported from a local one, as a valid line for a server, is the same value.
    private static func meeting(_ ours: Card, _ theirs: Card) -> SyncDecision {
        if ours.isKept(as: theirs) { return .keep(SyncBase(ours: ours, theirs: theirs), sends: false) }
        let nothing = Card("BEGIN:VCARD\r\nVERSION:\(ours.version.rawValue)\r\nEND:VCARD\r\n")
        let common = theirs.keepingItems(of: ours.exported(as: theirs.version))
        let merge = CardMerge(ours: ours, ourBase: nothing, theirBase: common, theirs: theirs)
        if merge.conflicts.isEmpty, merge.card.isKept(as: theirs) {
            return .change(merge, SyncBase(ours: merge.card, theirs: theirs), sends: false)
        }
        return .change(merge, SyncBase(ours: theirs, theirs: theirs), sends: merge.conflicts.isEmpty)
    }
}

extension Card {
    /// Returns the card without the properties that `other` does not have.
    package func keepingItems(of other: Card) -> Card {
        var known = other.items.reduce(into: [CardItem.Content: Int]()) { $0[$1.content, default: 0] += 1 }
        let strangers = items.filter { item in
            guard let count = known[item.content], count > 0 else { return true }
            known[item.content] = count - 1
            return false
        }
        return applying(strangers.map { .remove($0.place) })
    }

    /// Whether `theirs` is what a server keeps of this card: the same, or what its lines become where they have to be valid.
    fileprivate func isKept(as theirs: Card) -> Bool {
        saysSame(as: theirs) || exported(as: theirs.version).saysSame(as: theirs)
    }
}
