import Commands
import ContactsDomain
import Storage

/// The relation of an incoming card to the stored contacts.
struct CardMatch: Sendable {
    /// The action for the card.
    var outcome: ImportOutcome
    /// The contact that the card belongs to; nil for a new one.
    var id: String?
    /// The card, with a new `UID` if its own belongs to another contact.
    var incoming: IncomingCard
    /// The new card of the contact, if it is not the incoming card itself.
    var card: Card?
    /// The imported states of the contact before this one.
    var origins = ImportedOrigins()
    /// Messages for the user.
    var words: [String] = []
    /// The fields where the local edits are kept.
    var kept: [String] = []
    /// Whether the card is older than the last import.
    var isOlder = false
    /// Whether it only restores a contact from the trash, or is merged into the contact that took this one over.
    var isOwnState = true
    /// Whether the contact's card stays the same, and only the state is recorded.
    var isNoted = false

    init(_ outcome: ImportOutcome, id: String? = nil, _ incoming: IncomingCard) {
        self.outcome = outcome
        self.id = id
        self.incoming = incoming
    }
}

extension Transaction {
    /// Matches an incoming card. `read` returns whether a card of a source came before in this import; `mayBeOther`
    /// says whether the card may be of another contact.
    func match(
        _ card: IncomingCard, in run: ImportRun, hasMerged: Bool, mayBeOther: Bool = true, hasRead read: (Int) -> Bool
    ) throws -> CardMatch {
        guard let known = try run.contact(from: card.source, hasMerged: hasMerged, in: self) else {
            // A card whose UID belongs to another contact is identified by its derived UID alone.
            let twin = mayBeOther ? try run.contact(saying: card.origin, in: self) : nil
            return CardMatch(twin == nil ? .new : .unchanged, id: twin, card)
        }
        if let id = known.mergedInto, let survivor = try contact(id), survivor.deletedAt == nil {
            return try match(card, said: known.origin, mergedInto: survivor, in: run)
        }
        var match = CardMatch(known.isTrashed ? .new : .unchanged, id: known.id, card)
        guard let stored = try run.cards(of: known.id, in: self) else { return match }
        if known.hasImported(card.origin) {
            // It is restored from the trash unchanged.
            match.card = stored.card
            match.isOwnState = false
            return match
        }
        match.origins = known.earlierOrigins
        let region = try indexRules()?.callingCode
        let stands = CardSource.contentHash(of: stored.card) == card.origin
        if mayBeOther, !stands, let uid = card.uid {
            let other = SharedUID(card.card, region: region)
            let own = card.identified(as: other.ownUID(insteadOf: uid))
            let ones = [stored.card, stored.imported].compactMap(\.self).map { SharedUID($0, region: region) }
            let isKnown = try run.contact(from: own.source, hasMerged: hasMerged, in: self) != nil
            if isKnown || ones.allSatisfy({ other.isSomebodyElse(than: $0, inOneImport: read(card.source)) }) {
                var match = try self.match(own, in: run, hasMerged: hasMerged, mayBeOther: false, hasRead: read)
                let owner = ContactSummary(id: known.id, stored.card.details).shownName
                if match.id == nil { match.words.append("its UID belongs to \(owner), so it got a new one") }
                return match
            }
        }
        if stands {
            match.card = known.isTrashed ? stored.card : nil
            match.isNoted = !known.isTrashed && known.origin != nil
            return match
        }
        let merge = ImportMerge(
            ours: stored.card, base: stored.imported, theirs: card.card, region: region, at: now.milliseconds)
        match.kept = merge.kept
        match.isOlder = merge.isOlder
        if merge.card != card.card { match.card = merge.card }
        if merge.card == stored.card, !known.isTrashed {
            match.isNoted = known.origin != nil
            return match
        }
        if merge.isOlder {
            match.isOwnState = false
            return match
        }
        if !known.isTrashed {
            match.outcome = .updated
            match.words.append(merge.words ?? "other properties")
            if !merge.isBaseKnown { match.words.append("nothing was removed: its earlier content is unknown") }
        }
        if !merge.kept.isEmpty { match.words.append("kept as edited here: \(merge.kept.joined(separator: ", "))") }
        return match
    }

    /// The card of a contact that was merged into another one: new values in it are merged as well.
    private func match(
        _ card: IncomingCard, said content: Int?, mergedInto survivor: Contact, in run: ImportRun
    ) throws -> CardMatch {
        var match = CardMatch(.unchanged, id: survivor.id, card)
        if content == card.origin { return match }
        let region = try indexRules()?.callingCode
        let source = MergedSource(uid: card.uid ?? "", content: card.origin)
        let plain = CardUnion(survivor.card, with: card.card, remembering: nil, region: region, at: nil)
        guard plain.card != survivor.card else { return match }
        match.outcome = .updated
        match.isOwnState = false
        match.card =
            CardUnion(survivor.card, with: card.card, remembering: source, region: region, at: now.milliseconds).card
        match.words = survivor.card.details.changes(to: plain.card.details).map(\.description)
        return match
    }
}
