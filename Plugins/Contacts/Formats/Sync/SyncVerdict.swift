/// What is to be done about a card that was fetched: the decision table of a sync for one card.
package enum SyncVerdict: Sendable {
    /// It is new: a contact is made of it.
    case new
    /// Ours stays as it is; the sides are equal, or (`sends`) only ours has changed.
    case keep(SyncBase, sends: Bool)
    /// Ours gets this card. With conflicts the person decides before anything is sent.
    case change(CardMerge, SyncBase, sends: Bool)
    /// We removed it, but they changed it: the change wins and the contact comes back with this card. It is sent when we
    /// had changed it before it was removed.
    case revive(Card, SyncBase, sends: Bool)
    /// We removed it and they did not touch it: it goes there too.
    case remove

    /// Compares what was fetched with what we have; nil when we have nothing like it.
    package init(ours: SyncOurs?, theirs: Card) {
        guard let ours else {
            self = .new
            return
        }
        let base = ours.base
        if !ours.isHere {
            if let base, base.theirs.saysSame(as: theirs) {
                self = .remove
            } else {
                self = SyncVerdict.reviving(ours.card, base ?? SyncBase(ours: ours.card, theirs: ours.card), theirs)
            }
            return
        }
        guard let base else {
            self = SyncVerdict.meeting(ours.card, theirs)
            return
        }
        let isChanged = ours.card.contentHash != base.ours.contentHash
        if base.theirs.saysSame(as: theirs) {
            self = .keep(SyncBase(ours: base.ours, theirs: theirs), sends: isChanged)
        } else if ours.card.isKept(as: theirs) {
            self = .keep(SyncBase(ours: ours.card, theirs: theirs), sends: false)
        } else {
            self = SyncVerdict.merging(ours.card, base, theirs, isChanged: isChanged)
        }
    }

    private static func reviving(_ ours: Card, _ base: SyncBase, _ theirs: Card) -> SyncVerdict {
        let card = CardMerge(
            ours: ours, ourBase: base.ours, theirBase: base.theirs, theirs: theirs, choice: .there
        ).card
        let untouched = untouched(base, theirs)
        return .revive(
            card, SyncBase(ours: untouched, theirs: theirs), sends: card.contentHash != untouched.contentHash)
    }

    /// What ours would be had nobody edited it here: against this our own edits still show.
    private static func untouched(_ base: SyncBase, _ theirs: Card) -> Card {
        CardMerge(ours: base.ours, ourBase: base.ours, theirBase: base.theirs, theirs: theirs).card
    }

    private static func merging(_ ours: Card, _ base: SyncBase, _ theirs: Card, isChanged: Bool) -> SyncVerdict {
        let merge = CardMerge(ours: ours, ourBase: base.ours, theirBase: base.theirs, theirs: theirs)
        if !isChanged { return .change(merge, SyncBase(ours: merge.card, theirs: theirs), sends: false) }
        if merge.conflicts.isEmpty, merge.card.saysSame(as: theirs) {
            return .change(merge, SyncBase(ours: merge.card, theirs: theirs), sends: false)
        }
        return .change(
            merge, SyncBase(ours: untouched(base, theirs), theirs: theirs), sends: merge.conflicts.isEmpty)
    }

    /// Two cards that are one by their `UID` meet for the first time: what only one of them says stays.
    private static func meeting(_ ours: Card, _ theirs: Card) -> SyncVerdict {
        if ours.isKept(as: theirs) { return .keep(SyncBase(ours: ours, theirs: theirs), sends: false) }
        let nothing = Card("BEGIN:VCARD\r\nVERSION:\(ours.version.rawValue)\r\nEND:VCARD\r\n")
        let merge = CardMerge(ours: ours, ourBase: nothing, theirBase: nothing, theirs: theirs)
        if merge.conflicts.isEmpty, merge.card.saysSame(as: theirs) {
            return .change(merge, SyncBase(ours: merge.card, theirs: theirs), sends: false)
        }
        return .change(merge, SyncBase(ours: theirs, theirs: theirs), sends: merge.conflicts.isEmpty)
    }
}

extension Card {
    /// Whether `theirs` is what a server keeps of this card: the same, or what its lines become where they have to be valid.
    fileprivate func isKept(as theirs: Card) -> Bool {
        saysSame(as: theirs) || exported(as: theirs.version).saysSame(as: theirs)
    }
}
