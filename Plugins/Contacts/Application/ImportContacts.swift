import ContactsDomain
package import HubKit

/// Reads address books of every known format into the book. One bad entry never stops the rest.
///
/// A card is known by its `UID`, or without one by its content. A known card that says nothing new changes nothing, even
/// when the contact was edited here since; one that does replaces the contact's card. An unknown `UID` over the content
/// of a contact is that contact. What is new in a card whose contact was merged into another one is merged there. A card
/// whose contact lies in the trash brings it back. The whole import is one operation: history shows one line, and one undo takes it back.
package struct ImportContacts: Sendable {
    let contacts: ContactStore

    /// How many new contacts are made searchable at once; it takes about 40 ms.
    private static let searchBatch = 3000

    package init(_ contacts: ContactStore) { self.contacts = contacts }

    /// Imports all cards of `source`, or with `isDryRun` only tells what would become of them.
    ///
    /// Throws `invalid` when there is no card in it. `progress` is called with the number of cards so far.
    package func callAsFunction(
        _ source: ImportSource, operation: Operation, isDryRun: Bool = false,
        progress: @Sendable (_ cards: Int) -> Void = { _ in }
    ) async throws -> ImportReport {
        try await RefreshIndex(contacts)()
        let reader = CardReader(source, contacts.rules)
        let report =
            isDryRun
            ? try await plan(reader, progress)
            : try await contacts.store.bulk(operation) { try await write(reader, in: $0, progress) }
        guard report.total > 0 else {
            throw HubError(
                .invalid, code: "no-cards", "\(source.name) holds no contacts",
                details: ["hub reads vCard, jCard, CSV of Google, Outlook and Thunderbird, abook and LDIF"],
                hint: "--as FORMAT says which of them it is")
        }
        return report
    }

    private func write(
        _ reader: CardReader, in bulk: Bulk, _ progress: (Int) -> Void
    ) async throws -> ImportReport {
        let rules = contacts.rules
        try await bulk.chunk { _ = try $0.prepareIndex(rules) }
        var report = ImportReport()
        var pace = ImportPace()
        var unsearchable = 0
        let contents = KnownContents()
        var batch = try await reader.next(pace.count)
        while let current = batch {
            // The next cards are read, on another thread, while these are stored.
            let count = pace.count
            async let following = { @concurrent in try await reader.next(count) }()
            let start = ContinuousClock.now
            let outcomes = try await bulk.chunk { transaction in
                transaction.afterCommit(ContactEvents.bulkChanged)
                return try transaction.importCards(current.cards, contents)
            }
            pace.stored(current.cards.count, in: ContinuousClock.now - start)
            for (card, imported) in zip(current.cards, outcomes) { report.add(card.item(imported)) }
            report.skip(current.problems)
            unsearchable += outcomes.count { $0.outcome == .new }
            if unsearchable >= ImportContacts.searchBatch {
                try await bulk.chunk { try $0.indexTextsLeft() }
                unsearchable = 0
            }
            progress(report.total)
            batch = try await following
        }
        let done = report
        if done.changedCount > 0 { try await bulk.chunk { try $0.finishImport(done) } }
        return report
    }

    private func plan(_ reader: CardReader, _ progress: (Int) -> Void) async throws -> ImportReport {
        var report = ImportReport()
        // What the cards read so far would have left behind, by their source.
        var seen: [Int: Int] = [:]
        var said: Set<Int> = []
        let contents = KnownContents()
        while let batch = try await reader.next(ImportPace.maximumCount) {
            let outcomes = try await contacts.store.read { transaction in
                let hasMerged = try transaction.hasMergedContacts()
                return try batch.cards.map { try transaction.match($0, contents, hasMerged: hasMerged) }
            }
            for (card, match) in zip(batch.cards, outcomes) {
                let earlier = seen.updateValue(card.origin, forKey: card.source)
                let isTwin = !said.insert(card.origin).inserted && match.outcome == .new
                let outcome =
                    earlier.map { $0 == card.origin ? .unchanged : .updated } ?? (isTwin ? .unchanged : match.outcome)
                report.add(card.item(ImportedCard(outcome: outcome, id: match.id ?? card.entry.id)))
            }
            report.skip(batch.problems)
            progress(report.total)
        }
        return report
    }
}

/// How many cards are stored in one transaction, so that it takes about 40 ms and nobody waits long for it.
///
/// A busy machine makes all slower, but a small transaction hardly shorter: each writes the same pages of the indexes
/// again. So there is a least number.
private struct ImportPace {
    static let maximumCount = 4000
    private static let minimumCount = 800
    private static let target = Duration.milliseconds(40)

    // A small beginning: the store has something to do sooner.
    private(set) var count = 100

    mutating func stored(_ cards: Int, in time: Duration) {
        guard cards > 0, time > .zero else { return }
        let fitting = Int(Double(cards) * (ImportPace.target / time))
        count = min(max(fitting, count / 2, ImportPace.minimumCount), count * 2, ImportPace.maximumCount)
    }
}

extension IncomingCard {
    fileprivate func item(_ imported: ImportedCard) -> ImportReport.Item {
        var contact = entry.summary
        contact.id = imported.id
        return ImportReport.Item(outcome: imported.outcome, contact: contact, doubts: doubts)
    }
}
