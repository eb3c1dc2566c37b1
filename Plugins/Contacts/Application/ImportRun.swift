package import Commands
package import ContactsDomain
import Storage
import Synchronization

/// The state of an import: the cards read so far and, in a dry run, the planned changes.
///
/// The content hashes of the contacts are loaded when the first card with an unknown `UID` comes, since many programs
/// assign a new `UID` with each export. They take two numbers per contact. Concurrent changes are seen when a contact
/// is read.
final class ImportRun: Sendable {
    /// A contact after the planned changes.
    struct Planned: Sendable {
        let contact: ImportedContact
        let card: [UInt8]
        let imported: [UInt8]?
    }

    private struct State {
        var rows: [Int: Int]?
        /// The sources of the cards read so far.
        var sources: Set<Int> = []
        var planned: [Int: Planned] = [:]
        var plannedSources: [String: Int] = [:]
        /// The contacts with a state that was read in this import.
        var contents: [Int: String] = [:]
    }

    private let state = Mutex(State())

    /// Returns the live contact with the content hash `content`; nil if there is none.
    func contact(saying content: Int, in transaction: Transaction) throws -> String? {
        let (noted, row) = try state.withLock { state -> (String?, Int?) in
            if let id = state.contents[content] { return (id, nil) }
            let known = try state.rows ?? transaction.contactContents()
            state.rows = known
            return (nil, known[content])
        }
        let id = try noted ?? row.flatMap { try transaction.contactID(inRow: $0, saying: content) }
        guard let id else { return nil }
        if let planned = planned(id) {
            let isSame =
                planned.contact.hasImported(content) || CardSource.contentHash(of: Card(planned.card)) == content
            return isSame ? id : nil
        }
        return noted == nil ? id : try transaction.contactID(id, saying: content)
    }

    private func planned(_ id: String) -> Planned? {
        state.withLock { state in state.plannedSources[id].flatMap { state.planned[$0] } }
    }

    /// Records a state that was imported for the contact `id`.
    func noteContent(_ content: Int, of id: String) {
        state.withLock { $0.contents[content] = id }
    }

    /// Records the content of a new contact.
    func add(_ content: Int, row: Int) {
        state.withLock { $0.rows?[content] = row }
    }

    /// Returns whether a card of `source` came before in this import.
    func hasRead(_ source: Int) -> Bool { state.withLock { $0.sources.contains(source) } }

    /// Records cards that were read.
    func noteRead(_ cards: [IncomingCard]) {
        state.withLock { state in
            for card in cards { state.sources.insert(card.source) }
        }
    }

    /// Returns the contact that a card of `source` belongs to.
    func contact(from source: Int, hasMerged: Bool, in transaction: Transaction) throws -> ImportedContact? {
        if let planned = state.withLock({ $0.planned[source]?.contact }) { return planned }
        return try transaction.importedContact(from: source, hasMerged: hasMerged)
    }

    /// Returns the current and the last imported card of the contact `id`; nil if it does not exist.
    func cards(of id: String, in transaction: Transaction) throws -> (card: Card, imported: Card?)? {
        if let planned = planned(id) {
            return (Card(planned.card), planned.imported.map { Card($0) } ?? Card(planned.card))
        }
        guard let row = try transaction.contact(id) else { return nil }
        return (row.card, try transaction.importedCard(of: id))
    }

    /// Records the planned change of a card.
    func plan(_ match: CardMatch, id: String) {
        guard match.outcome != .unchanged || match.isNoted else { return }
        let card = match.incoming
        var contact = ImportedContact(
            id: id, origin: card.origin, isTrashed: false, mergedInto: nil, origins: match.origins)
        state.withLock { state in
            let before = state.planned[card.source]
            if match.isOlder, match.isNoted {
                let hashes = match.origins.hashes
                contact = ImportedContact(
                    id: id, origin: hashes.last, isTrashed: false, mergedInto: nil,
                    origins: ImportedOrigins(hashes.dropLast() + [card.origin]))
                guard let before else { return }
                state.planned[card.source] = Planned(contact: contact, card: before.card, imported: before.imported)
                return
            }
            state.planned[card.source] = Planned(
                contact: contact, card: (match.card ?? card.card).bytes,
                imported: match.card == nil ? nil : card.card.bytes)
            state.plannedSources[id] = card.source
            if match.outcome != .unchanged { state.contents[card.origin] = id }
        }
    }
}

/// The result of an import, card by card.
package typealias ContactImportReport = ImportReport<ContactImportItem, InputProblem>

/// The result of one card.
package struct ContactImportItem: ImportedItem {
    /// The outcome; a contact restored from the trash counts as new.
    package let outcome: ImportOutcome
    /// The contact; in a dry run the id of a new contact is not stored.
    package let contact: ContactSummary
    /// The changes of a known contact, and values that were kept.
    package let changes: [String]
    /// The warnings of the reader.
    package let doubts: [InputProblem]
    /// Whether values of the card were not taken over, because they were edited here.
    package let isKept: Bool
    /// The file in a folder.
    package let file: String?

    /// Whether there is a warning; a list of changes is none.
    package var hasRemarks: Bool { isKept || !doubts.isEmpty || outcome == .new && !changes.isEmpty }

    /// The id of the contact.
    package var id: String { contact.id }

    /// The name of the contact for output.
    package var name: String { contact.shownName }

    /// The line of the first warning.
    package var line: Int? { doubts.first.flatMap { $0.line > 0 ? $0.line : nil } }

    /// Changes and warnings, each once, the latter with their lines.
    package var words: [String] {
        var lines: [String: [Int]] = [:]
        for doubt in doubts { lines[doubt.message, default: []].append(doubt.line) }
        var seen = Set<String>()
        return changes.filter { seen.insert($0).inserted }
            + doubts.map(\.message).filter { seen.insert($0).inserted }.map { message in
                let known = Set(lines[message] ?? []).filter { $0 > 0 }.sorted()
                if known.isEmpty { return message }
                let shown = known.prefix(Self.shownLines).map(String.init).joined(separator: ", ")
                let rest = known.count > Self.shownLines ? " and \(known.count - Self.shownLines) more" : ""
                return "\(message) (\(known.count == 1 ? "line" : "lines") \(shown)\(rest))"
            }
    }

    private static let shownLines = 5
}
