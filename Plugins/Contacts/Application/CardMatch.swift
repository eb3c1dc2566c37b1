import ContactsDomain
import HubKit

/// What an incoming card is to what is stored.
struct CardMatch: Sendable {
    /// What becomes of it.
    var outcome: ImportOutcome
    /// The contact that it belongs to; nil for a new one.
    var id: String?
    /// The card, under the `UID` that it gets when its own belongs to somebody else.
    var incoming: IncomingCard
    /// What the contact's card becomes when this is not the incoming card itself.
    var card: Card?
    /// The states of the contact that were imported before this one.
    var origins = ImportedOrigins()
    /// What a person should know of it.
    var words: [String] = []
    /// The fields in which what was edited here stays.
    var kept: [String] = []
    /// Whether it is older than what was imported before.
    var isOlder = false
    /// Whether it only takes back what the trash holds, or goes into the card of a contact that took this one over.
    var isOwnState = true
    /// Whether the contact's card stays as it is, and only the state is to be remembered.
    var isNoted = false

    init(_ outcome: ImportOutcome, id: String? = nil, _ incoming: IncomingCard) {
        self.outcome = outcome
        self.id = id
        self.incoming = incoming
    }
}

extension Transaction {
    /// What an incoming card is to what is stored. `read` says of a source whether a card of it came before in this
    /// import; `mayBeOther` whether the card may turn out to be somebody else's.
    func match(
        _ card: IncomingCard, in run: ImportRun, hasMerged: Bool, mayBeOther: Bool = true, hasRead read: (Int) -> Bool
    ) throws -> CardMatch {
        guard let known = try run.contact(from: card.source, hasMerged: hasMerged, in: self) else {
            // What came under the UID of somebody else is known by its own identity alone.
            let twin = mayBeOther ? try run.contact(saying: card.origin, in: self) : nil
            return CardMatch(twin == nil ? .new : .unchanged, id: twin, card)
        }
        if let id = known.mergedInto, let survivor = try contact(id), survivor.deletedAt == nil {
            return try match(card, said: known.origin, mergedInto: survivor, in: run)
        }
        var match = CardMatch(known.isTrashed ? .new : .unchanged, id: known.id, card)
        guard let stored = try run.cards(of: known.id, in: self) else { return match }
        if known.hasImported(card.origin) {
            // It comes back from the trash as it was.
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

    /// A card whose contact was merged into another one: what is new in it is merged, too.
    private func match(
        _ card: IncomingCard, said content: Int?, mergedInto survivor: ContactRow, in run: ImportRun
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
