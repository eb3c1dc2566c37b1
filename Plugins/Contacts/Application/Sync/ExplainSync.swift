import Commands
import ContactsDomain
package import HubKit
import Storage
import Sync

extension ContactsPlugin {
    /// The most contacts of one beginning of an id that are explained.
    private static let limit = 20

    /// Says of the contacts whose ids begin so what they are here and in each book that has them or will. The accounts are asked, and
    /// nothing is changed.
    package func explain(_ prefix: String) async throws -> [ItemExplanation] {
        let all = try await contacts.read { tx in
            try tx.contactsBeginning(with: prefix, limit: Self.limit).flatMap { contact in
                try tx.places(of: contact).map { (contact, $0) }
            }
        }
        var states: [ItemExplanation] = []
        for (contact, place) in all { states.append(try await explain(contact, in: place)) }
        return states
    }

    private func explain(_ contact: Contact, in place: ContactPlace) async throws -> ItemExplanation {
        let book = place.book
        var state = ItemExplanation(
            place: book.fullName, item: contact.summary.shownName,
            base: place.link.map { "version \($0.etag) at \($0.href)" } ?? "never synced")
        var theirs: Card?
        var failure: String?
        if let link = place.link {
            do {
                let found = try await books.connected(to: try books.registry.account(book.account)) { connection in
                    try await connection.open(book.remote).fetch([link.href])
                }
                failure = found.first?.failure
                theirs = found.first.flatMap { $0.failure == nil ? Card($0.bytes) : nil }
            } catch let error as HubError {
                failure = error.message
            } catch let error as RemoteError {
                failure = HubError(error, account: book.account, AddressBooks.kind).message
            }
        }
        let isHere = contact.deletedAt == nil && contact.book == book.id
        let outcome = SyncOutcome(contact.card, place, theirs: theirs, isHere: isHere, isAsked: failure == nil)
        (state.here, state.there) = (outcome.here(contact, book), outcome.there)
        (state.next, state.why) = outcome.next
        if let failure {
            state.there = "not known"
            state.why = "\(book.account) was not asked: \(failure)"
        }
        return state
    }
}

/// A book that has a contact, or will have it.
private struct ContactPlace: Sendable {
    let book: Book
    let link: RemoteEntry?
    let base: SyncBase?
    let isConflict: Bool
}

extension Transaction {
    fileprivate func contactsBeginning(with prefix: String, limit: Int) throws -> [Contact] {
        try contactIDs(beginning: prefix, limit: limit).compactMap { try contact($0) }
    }

    fileprivate func places(of contact: Contact) throws -> [ContactPlace] {
        try books().compactMap { book in
            let link = try link(of: contact.id, in: book.id)
            guard link != nil || contact.book == book.id && contact.deletedAt == nil else { return nil }
            return ContactPlace(
                book: book, link: link, base: try syncBase(of: contact.id, in: book.id),
                isConflict: try conflict(of: contact.id, in: book.id) != nil)
        }
    }
}

/// What both sides have done since they were equal, and what follows.
private struct SyncOutcome {
    private let place: ContactPlace
    private let isHere: Bool
    private let isGone: Bool
    private let isKnown: Bool
    private let ours: [FieldChange]
    private let theirs: [FieldChange]
    private let conflicts: [String]

    init(_ card: Card, _ place: ContactPlace, theirs: Card?, isHere: Bool, isAsked: Bool) {
        self.place = place
        self.isHere = isHere
        isKnown = isAsked && place.link != nil
        isGone = isKnown && theirs == nil
        guard let base = place.base else {
            (ours, self.theirs, conflicts) = ([], [], [])
            return
        }
        let there = theirs ?? base.theirs
        let merge = CardMerge(ours: card, ourBase: base.ours, theirBase: base.theirs, theirs: there)
        conflicts = merge.conflicts.map(\.name)
        self.theirs = CardMerge(ours: base.ours, ourBase: base.ours, theirBase: base.theirs, theirs: there).changes
        ours = CardMerge(ours: base.theirs, ourBase: base.theirs, theirBase: base.ours, theirs: card).changes
    }

    private static func words(_ changes: [FieldChange]) -> String {
        changes.isEmpty
            ? "as it was"
            : changes.map { change in
                let name = change.label.isEmpty ? change.field : "\(change.field) (\(change.label))"
                return "\(name) \(change.old ?? "none") -> \(change.new ?? "none")"
            }.joined(separator: "; ")
    }

    func here(_ contact: Contact, _ book: Book) -> String {
        if contact.deletedAt != nil { return "in the trash" }
        if contact.book != book.id { return contact.book == nil ? "in no book" : "in another book" }
        return place.base == nil ? "there" : Self.words(ours)
    }

    var there: String {
        if place.link == nil { return "not there" }
        return isGone ? "removed" : Self.words(theirs)
    }

    var next: (String, String) {
        guard place.link != nil else {
            return place.book.remote.isReadOnly
                ? ("nothing", "the book is read-only") : ("is added there", "it is new in this book")
        }
        if place.isConflict {
            return ("waits", "both sides have changed the same field: hub contacts conflicts shows it")
        }
        let isReadOnly = place.book.remote.isReadOnly
        switch (isHere, isGone) {
        case (false, true): return ("nothing", "it is on neither side any more")
        case (false, false):
            if isReadOnly { return ("comes back here", "the book is read-only") }
            return theirs.isEmpty
                ? ("is removed there", "it is no longer in this book here")
                : ("comes back here", "a change counts more than a removal")
        case (true, true):
            return ours.isEmpty
                ? ("goes to the trash here", "it was removed there")
                : ("is added there again", "a change counts more than a removal")
        case (true, false): break
        }
        switch (ours.isEmpty, theirs.isEmpty) {
        case (true, true): return ("nothing", isKnown ? "both are as they were" : "it is as it was here")
        case (false, true):
            return isReadOnly ? ("nothing", "the book is read-only") : ("is sent", "it was changed here")
        case (true, false): return ("is taken from there", "it was changed there")
        case (false, false):
            return conflicts.isEmpty
                ? ("both are merged", "they have changed different values")
                : ("becomes a conflict", "both have changed \(conflicts.joined(separator: ", "))")
        }
    }
}
