import ContactsDomain
import HubKit

/// What became of one card.
struct ImportedCard: Sendable {
    let outcome: ImportOutcome
    /// The contact that it belongs to.
    let contact: ContactSummary
    /// What a person should know of it.
    var words: [String] = []
    /// Whether something that was edited here differs from it and stays.
    var isKept = false
    /// Whether it is older than what was imported before.
    var isOlder = false

    init(_ match: CardMatch, _ contact: ContactSummary) {
        self.contact = contact
        outcome = match.outcome
        words = match.words
        isKept = !match.kept.isEmpty
        isOlder = match.isOlder
    }
}

extension Transaction {
    /// Stores cards with all their derived rows, and says what became of each. The new ones are found by searches after
    /// the next `indexTextsLeft`.
    func importCards(_ cards: [IncomingCard], _ run: ImportRun) throws -> [ImportedCard] {
        var entries: [ContactEntry] = []
        // Where the entries of contacts that were there before stand; a file may hold a card twice.
        var places: [String: Int] = [:]
        var known: [String] = []
        var sources: Set<Int> = []
        let hasMerged = try hasMergedContacts()
        let imported = try cards.map { card -> ImportedCard in
            let match = try match(card, in: run, hasMerged: hasMerged) { sources.contains($0) || run.hasRead($0) }
            sources.insert(card.source)
            guard let entry = try store(match, run) else {
                var contact = card.entry.summary
                if let id = match.id { contact.id = id }
                return ImportedCard(match, contact)
            }
            if let id = match.id { known.append(id) }
            if let place = places[entry.id] {
                entries[place] = entry
            } else {
                places[entry.id] = entries.count
                entries.append(entry)
            }
            return ImportedCard(match, entry.summary)
        }
        try replaceEntries(of: Set(known), by: entries, isLater: true)
        return imported
    }

    /// Does what a match says; answers the contact's new derived rows, nil when nothing changed.
    private func store(_ match: CardMatch, _ run: ImportRun) throws -> ContactEntry? {
        let incoming = match.incoming
        guard let id = match.id else {
            _ = try insertContact(
                incoming.entry.id, incoming.card, source: incoming.source, origin: incoming.origin)
            run.add(incoming.origin, row: lastInsertedRow)
            return incoming.entry
        }
        if match.outcome == .unchanged {
            guard match.isNoted else { return nil }
            if match.isOlder {
                try noteOlderImport(id, origins: match.origins, adding: incoming.origin)
            } else {
                let imported = match.card == nil ? nil : incoming.card
                try noteImport(id, origin: incoming.origin, imported: imported, origins: match.origins)
            }
            return nil
        }
        let card = match.card ?? incoming.card
        run.noteContent(incoming.origin, of: id)
        if match.isOwnState {
            try updateContact(
                id, importing: card, source: incoming.source, origin: incoming.origin,
                imported: match.card == nil ? nil : incoming.card, origins: match.origins)
        } else {
            if match.outcome == .new { try setDeleted(id, at: nil) }
            if try contact(id)?.card != card { try updateContact(id, card: card) }
        }
        guard match.card != nil else { return ContactEntry(incoming.entry, of: id) }
        return ContactEntry(id: id, card.details, try indexRules() ?? IndexRules(locale: ""))
    }

    /// Makes the last cards of an import searchable, and tells what it did: of each contact, or of all at once when they
    /// are many.
    func finishImport(_ reports: [ContactImportReport]) throws {
        try indexTextsLeft()
        try mergeSearchTables()
        let count = reports.reduce(0) { $0 + $1.changedCount }
        let items = reports.flatMap(\.items)
        if count > min(ContactEvents.bulkLimit, ContactImportReport.maximumItems) || count > items.count {
            return try emitBulkChange(count: count)
        }
        for item in items {
            try emit(item.outcome == .new ? ContactEvents.added : ContactEvents.changed, item.contact)
        }
    }
}
