import ContactsDomain
import HubKit

/// What became of one card.
struct ImportedCard: Sendable {
    let outcome: ImportReport.Outcome
    /// The id of the contact that it belongs to.
    let id: String
}

extension Transaction {
    /// What an incoming card is to what is stored: its outcome, and the id of the contact it belongs to.
    func match(_ card: IncomingCard) throws -> (outcome: ImportReport.Outcome, id: String?) {
        guard let known = try importedContact(from: card.source) else { return (.new, nil) }
        if known.isTrashed { return (.new, known.id) }
        if known.origin == card.origin { return (.unchanged, known.id) }
        // Never read before, or edited here to the same content.
        let stored = try contact(known.id).map { CardSource.contentHash(of: $0.card) }
        return (stored == card.origin ? .unchanged : .updated, known.id)
    }

    /// Stores cards with all their derived rows, and says what became of each.
    func importCards(_ cards: [IncomingCard]) throws -> [ImportedCard] {
        var entries: [ContactEntry] = []
        // Where the entries of contacts that were there before stand; a file may hold a card twice.
        var places: [String: Int] = [:]
        var known: [String] = []
        let imported = try cards.map { card -> ImportedCard in
            let (outcome, id) = try match(card)
            var entry = card.entry
            switch (outcome, id) {
            case (.unchanged, let id): return ImportedCard(outcome: .unchanged, id: id ?? entry.id)
            case (_, let id?):
                try updateContact(id, importing: card.card, source: card.source, origin: card.origin)
                entry.move(to: id)
                known.append(id)
                if let place = places[id] {
                    entries[place] = entry
                    return ImportedCard(outcome: outcome, id: id)
                }
            case (_, nil):
                _ = try insertContact(entry.id, card.card, source: card.source, origin: card.origin)
            }
            places[entry.id] = entries.count
            entries.append(entry)
            return ImportedCard(outcome: outcome, id: entry.id)
        }
        try replaceEntries(of: Set(known), by: entries)
        return imported
    }

    /// Tells what an import did: of each contact, or of all at once when they are many.
    func announceImport(_ report: ImportReport) throws {
        if report.changedCount > min(ContactEvents.bulkLimit, ImportReport.maximumItems) {
            return try emitBulkChange(count: report.changedCount)
        }
        for item in report.items {
            try emit(item.outcome == .new ? ContactEvents.added : ContactEvents.changed, item.contact)
        }
    }
}
