import Commands
import ContactsDomain
package import Storage

extension ContactsPlugin {
    /// The number of new contacts that are added to the search index at once; takes about 40 ms.
    private static let searchBatch = 3000

    /// Imports all cards of `files` and returns a report per file; with `isDryRun` it only plans.
    ///
    /// An invalid entry or file does not stop the rest. A card is identified by its `UID`, or by its content if it has
    /// none. A state that was imported before changes nothing, even if the contact was edited since. Any other state is
    /// merged over the last imported one, and local edits are kept. A card with a known `UID` but of another person
    /// becomes a new contact. A card with an unknown `UID` and the content of a contact is that contact. If the contact
    /// was merged into another one, new values are merged there. A contact in the trash is restored. An import is a
    /// single operation in history and can be undone as a whole.
    ///
    /// With `keepsAll` the reports contain every card that changed something. Throws if no file could be read.
    /// `progress` is called with the name of a file and the number of its cards so far.
    package func importCards(
        _ files: [ImportFile], operation: Operation, isDryRun: Bool = false, keepsAll: Bool = false,
        progress: @Sendable (_ file: String, _ cards: Int) -> Void = { _, _ in }
    ) async throws -> [ContactImportReport] {
        try await contacts.refreshIndexIfNeeded()
        let run = ImportRun()
        let reports: [ContactImportReport]
        if isDryRun {
            reports = try await read(files, keepsAll) { try await plan(&$0, in: run, progress) }
        } else {
            let rules = contacts.rules
            reports = try await contacts.store.bulk(operation) { bulk in
                try await bulk.chunk { _ = try $0.prepareIndex(rules) }
                let reports = try await read(files, keepsAll) { try await write(&$0, in: bulk, run, progress) }
                if reports.contains(where: { $0.changedCount > 0 }) {
                    try await bulk.chunk { try $0.finishImport(reports) }
                }
                return reports
            }
        }
        if let error = HubError(unread: reports) { throw error }
        return reports
    }

    /// Imports one source. Throws if nothing of it can be read.
    package func importCards(
        _ source: ImportSource, operation: Operation, isDryRun: Bool = false
    ) async throws -> ContactImportReport {
        let file = ImportFile(source.name) { source }
        return try await importCards([file], operation: operation, isDryRun: isDryRun)[0]
    }

    /// A source that is being read.
    private struct Reading {
        let name: String
        let reader: CardReader
        var report: ContactImportReport
    }

    /// Reads each file with `body`; errors of a file are added to its report.
    private func read(
        _ files: [ImportFile], _ keepsAll: Bool, _ body: (inout Reading) async throws -> Void
    ) async throws -> [ContactImportReport] {
        var reports: [ContactImportReport] = []
        for file in files {
            do {
                let source = try await file.open()
                var reading = Reading(
                    name: source.name, reader: CardReader(source, contacts.rules),
                    report: ContactImportReport(keepsAll: keepsAll))
                do {
                    try await body(&reading)
                    if reading.report.total == 0 {
                        let columns = await reading.reader.unknownColumns
                        reading.report.failure = ContactsPlugin.nothing(in: source, columns: columns)
                    }
                } catch let error as HubError where error.isAboutFile {
                    reading.report.failure = error
                }
                reading.report.itemName = await reading.reader.itemName
                reading.report.notes = source.notes + reading.report.notes + (await reading.reader.notes)
                reports.append(reading.report)
            } catch let error as HubError where error.isAboutFile {
                reports.append(ContactImportReport(failure: error))
            }
        }
        return reports
    }

    private static func nothing(in source: ImportSource, columns: [String]) -> HubError {
        let name = TerminalSanitizer.line(source.name)
        let isTable = !columns.isEmpty
        let unknown = source.columns.filter { mapping in !columns.contains { mapping.applies(to: $0) } }.map(\.column)
        var details = isTable ? ["its columns: \(columns.map { TerminalSanitizer.line($0) }.listed)"] : []
        if isTable, let first = unknown.first { details.append("there is no column \"\(first)\"") }
        let formats = "supported formats: vCard, jCard, CSV of Google, Outlook and Thunderbird, abook and LDIF"
        let withoutFormat = source.format.map { "omit --as \($0.rawValue) to detect the format" }
        let hint =
            isTable
            ? "give the meaning of columns: --map \"\(columns.first ?? "Name")=name\" --map COLUMN=phone.mobile"
            : withoutFormat ?? "use --as FORMAT to set the format"
        return HubError(
            .invalid, code: isTable ? "columns-unknown" : "no-cards",
            "no contacts in \(name)" + (isTable ? ": its columns are unknown" : ""),
            details: details + [formats] + source.notes, hint: hint)
    }

    private func write(
        _ reading: inout Reading, in bulk: BulkWrite, _ run: ImportRun, _ progress: (String, Int) -> Void
    ) async throws {
        var pace = AdaptiveBatchSize()
        var unsearchable = 0
        var tally = Tally()
        let reader = reading.reader
        var batch = try await reader.next(pace.count)
        while let current = batch {
            // The next cards are read on another thread while these are stored.
            let count = pace.count
            async let following = { @concurrent in try await reader.next(count) }()
            let start = ContinuousClock.now
            let outcomes = try await bulk.chunk { transaction in
                transaction.afterCommit(ContactEvents.bulkChanged)
                return try transaction.importCards(current.cards, run)
            }
            run.noteRead(current.cards)
            pace.stored(current.cards.count, in: ContinuousClock.now - start)
            for (card, imported) in zip(current.cards, outcomes) {
                reading.report.add(card.item(imported))
                tally.add(imported)
            }
            reading.report.skip(current.problems)
            reading.report.notes = tally.notes
            unsearchable += outcomes.count { $0.outcome == .new }
            if unsearchable >= ContactsPlugin.searchBatch {
                try await bulk.chunk { try $0.indexTextsLeft() }
                unsearchable = 0
            }
            progress(reading.name, reading.report.total)
            batch = try await following
        }
    }

    private func plan(
        _ reading: inout Reading, in run: ImportRun, _ progress: (String, Int) -> Void
    ) async throws {
        var tally = Tally()
        while let batch = try await reading.reader.next(AdaptiveBatchSize.maximumCount) {
            let outcomes = try await contacts.store.read { transaction in
                let hasMerged = try transaction.hasMergedContacts()
                return try batch.cards.map { card in
                    let match = try transaction.match(card, in: run, hasMerged: hasMerged, hasRead: run.hasRead)
                    run.noteRead([card])
                    var contact = card.entry.summary
                    contact.id = match.id ?? contact.id
                    if let merged = match.card { contact = ContactSummary(id: contact.id, merged.details) }
                    run.plan(match, id: contact.id)
                    return ImportedCard(match, contact)
                }
            }
            for (card, imported) in zip(batch.cards, outcomes) {
                reading.report.add(card.item(imported))
                tally.add(imported)
            }
            reading.report.skip(batch.problems)
            reading.report.notes = tally.notes
            progress(reading.name, reading.report.total)
        }
    }
}

/// Notes the number of known cards of a file that differ from the stored ones and changed nothing.
private struct Tally {
    private var kept = 0
    private var older = 0

    mutating func add(_ card: ImportedCard) {
        guard card.outcome == .unchanged else { return }
        kept += card.isKept ? 1 : 0
        older += card.isOlder ? 1 : 0
    }

    var notes: [String] {
        func cards(_ count: Int) -> String { NumberFormat.counted(count, "card") }
        var notes: [String] = []
        if older > 0 { notes.append("\(cards(older)) older than the last import: ignored") }
        if kept > 0 { notes.append("\(cards(kept)) conflicting with your edits: your values are kept") }
        return notes
    }
}

/// The number of cards per transaction, adapted so that one takes about 40 ms and other writers do not wait long.
///
/// On a busy machine everything is slower, but a small transaction takes hardly less time than a large one, since each
/// writes the same index pages. So there is a minimum.
private struct AdaptiveBatchSize {
    static let maximumCount = 4000
    private static let minimumCount = 800
    private static let target = Duration.milliseconds(40)

    // Starts small so that storing begins early.
    private(set) var count = 100

    mutating func stored(_ cards: Int, in time: Duration) {
        guard cards > 0, time > .zero else { return }
        let fitting = Int(Double(cards) * (AdaptiveBatchSize.target / time))
        count = min(max(fitting, count / 2, AdaptiveBatchSize.minimumCount), count * 2, AdaptiveBatchSize.maximumCount)
    }
}

extension IncomingCard {
    fileprivate func item(_ imported: ImportedCard) -> ContactImportItem {
        ContactImportItem(
            outcome: imported.outcome, contact: imported.contact, changes: imported.words, doubts: doubts,
            isKept: imported.isKept, file: file)
    }
}
