import Commands
import ContactsDomain
import HubKit
import Storage

/// The outcome of one card.
struct ImportedCard: Sendable {
    let outcome: ImportOutcome
    /// The contact that the card belongs to.
    let contact: ContactSummary
    /// Messages for the user.
    var words: [String] = []
    /// Whether a local edit differs from the card and was kept.
    var isKept = false
    /// Whether the card is older than the last import.
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
    /// Stores cards with their index rows and returns the outcomes. New contacts are searchable after the next
    /// `indexTextsLeft`.
    func importCards(_ cards: [IncomingCard], _ run: ImportRun) throws -> [ImportedCard] {
        var entries: [ContactIndexRow] = []
        // The positions of the rows of existing contacts; a file may contain a card twice.
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

    /// Applies a match. Returns the new index row of the contact, nil if nothing changed.
    private func store(_ match: CardMatch, _ run: ImportRun) throws -> ContactIndexRow? {
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
        guard match.card != nil else { return ContactIndexRow(incoming.entry, of: id) }
        return ContactIndexRow(id: id, card.details, try indexRules() ?? IndexingOptions(locale: ""))
    }

    /// Adds the last cards of an import to the search index and publishes the events: one per contact, or one for all
    /// if they are many.
    func finishImport(_ reports: [ContactImportReport]) throws {
        try indexTextsLeft()
        try mergeSearchTables()
        let count = reports.reduce(0) { $0 + $1.changedCount }
        let items = reports.flatMap(\.items)
        if count > min(EntityTopics.bulkLimit, ContactImportReport.maximumItems) || count > items.count {
            return try emitBulkChange(count: count)
        }
        for item in items {
            try emit(item.outcome == .new ? ContactEvents.added : ContactEvents.changed, item.contact)
        }
    }
}
