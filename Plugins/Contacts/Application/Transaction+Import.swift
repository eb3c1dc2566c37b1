import ContactsDomain
import HubKit

/// What became of one card.
struct ImportedCard: Sendable {
    let outcome: ImportReport.Outcome
    /// The id of the contact that it belongs to.
    let id: String
}

/// What an incoming card is to what is stored.
struct CardMatch {
    let outcome: ImportReport.Outcome
    /// The contact that it belongs to; nil for a new one.
    var id: String?
    /// What the contact's card becomes when this is not the card itself.
    var card: Card?
}

extension Transaction {
    /// What an incoming card is to what is stored.
    func match(_ card: IncomingCard, _ contents: KnownContents, hasMerged: Bool) throws -> CardMatch {
        guard let known = try importedContact(from: card.source, hasMerged: hasMerged) else {
            let twin = try contents.contact(saying: card.origin, in: self)
            return CardMatch(outcome: twin == nil ? .new : .unchanged, id: twin)
        }
        if let id = known.mergedInto, let survivor = try contact(id), survivor.deletedAt == nil {
            return try match(card, said: known.origin, mergedInto: survivor)
        }
        if known.isTrashed { return CardMatch(outcome: .new, id: known.id) }
        if known.origin == card.origin { return CardMatch(outcome: .unchanged, id: known.id) }
        // Never read before, or edited here to the same content.
        let stored = try contact(known.id).map { CardSource.contentHash(of: $0.card) }
        return CardMatch(outcome: stored == card.origin ? .unchanged : .updated, id: known.id)
    }

    /// A card whose contact was merged into another one: what is new in it is merged, too.
    private func match(_ card: IncomingCard, said content: Int?, mergedInto survivor: ContactRow) throws -> CardMatch {
        var match = CardMatch(outcome: .unchanged, id: survivor.id)
        if content == card.origin { return match }
        let region = try indexRules()?.callingCode
        guard CardUnion(survivor.card, with: card.card, remembering: nil, region: region, at: nil).card != survivor.card
        else { return match }
        let source = MergedSource(uid: card.card.details.uid ?? "", content: card.origin)
        match = CardMatch(outcome: .updated, id: survivor.id)
        match.card =
            CardUnion(survivor.card, with: card.card, remembering: source, region: region, at: now.milliseconds).card
        return match
    }

    /// Stores cards with all their derived rows, and says what became of each. The new ones are found by searches after
    /// the next `indexTextsLeft`.
    func importCards(_ cards: [IncomingCard], _ contents: KnownContents) throws -> [ImportedCard] {
        var entries: [ContactEntry] = []
        // Where the entries of contacts that were there before stand; a file may hold a card twice.
        var places: [String: Int] = [:]
        var known: [String] = []
        let hasMerged = try hasMergedContacts()
        let imported = try cards.map { card -> ImportedCard in
            let match = try match(card, contents, hasMerged: hasMerged)
            var entry = card.entry
            switch (match.outcome, match.id) {
            case (.unchanged, let id): return ImportedCard(outcome: .unchanged, id: id ?? entry.id)
            case (_, let id?):
                if let merged = match.card {
                    try updateContact(id, card: merged)
                    entry = ContactEntry(id: id, merged.details, try indexRules() ?? IndexRules(locale: ""))
                } else {
                    try updateContact(id, importing: card.card, source: card.source, origin: card.origin)
                    entry = ContactEntry(entry, of: id)
                }
                known.append(id)
                if let place = places[id] {
                    entries[place] = entry
                    return ImportedCard(outcome: match.outcome, id: id)
                }
            case (_, nil):
                _ = try insertContact(entry.id, card.card, source: card.source, origin: card.origin)
                contents.add(card.origin, row: lastInsertedRow)
            }
            places[entry.id] = entries.count
            entries.append(entry)
            return ImportedCard(outcome: match.outcome, id: entry.id)
        }
        try replaceEntries(of: Set(known), by: entries, isLater: true)
        return imported
    }

    /// Makes the last cards of an import searchable, and tells what it did: of each contact, or of all at once when they
    /// are many.
    func finishImport(_ report: ImportReport) throws {
        try indexTextsLeft()
        try mergeSearchTables()
        if report.changedCount > min(ContactEvents.bulkLimit, ImportReport.maximumItems) {
            return try emitBulkChange(count: report.changedCount)
        }
        for item in report.items {
            try emit(item.outcome == .new ? ContactEvents.added : ContactEvents.changed, item.contact)
        }
    }
}
