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
            try tx.contactsBeginning(with: prefix, limit: Self.limit).map { contact in
                (
                    contact, places: try tx.places(of: contact),
                    book: try contact.book.flatMap { try tx.book($0) }?.fullName ?? "in no book"
                )
            }
        }
        let hasAccounts = try !books.registry.accounts().isEmpty
        var states: [ItemExplanation] = []
        for (contact, places, book) in all {
            for place in places { states.append(try await explain(contact, in: place)) }
            guard places.isEmpty, hasAccounts else { continue }
            states.append(
                ItemExplanation(
                    place: "your accounts", item: contact.summary.shownName, base: "never synced",
                    here: contact.deletedAt == nil ? book : "in the trash", there: "not there", next: "nothing",
                    why: "only the books of accounts are synced: hub contacts move moves a contact into one"))
        }
        return states
    }

    private func explain(_ contact: Contact, in place: ContactPlace) async throws -> ItemExplanation {
        let book = place.book
        var policy = SyncPolicy()
        policy.isReadOnly = book.remote.isReadOnly
        var item = AccountItem(
            contact.summary.shownName, in: book.name, of: book.account, link: place.link, policy)
        var theirs: Card?
        if let link = place.link {
            let asked = try await accounts.ask(book.account) { try await $0.open(book.remote).fetch([link.href]) }
            let found = asked.answer?.first
            item.failure = asked.failure ?? found?.failure
            theirs = found.flatMap { $0.failure == nil ? Card($0.bytes) : nil }
            item.isGone = item.failure == nil && theirs == nil
        }
        if contact.deletedAt != nil {
            item.absence = "in the trash"
        } else if contact.book != book.id {
            item.absence = contact.book == nil ? "in no book" : "in another book"
        }
        if place.isConflict {
            item.wait = "both sides have changed the same field: hub contacts conflicts shows it"
        }
        place.compare(contact.card, with: theirs, into: &item)
        return item.explanation
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

extension ContactPlace {
    /// Says what both sides have changed since they were equal.
    fileprivate func compare(_ card: Card, with theirs: Card?, into item: inout AccountItem) {
        guard let base else { return }
        let there = theirs ?? base.theirs
        let conflicts = CardMerge(ours: card, ourBase: base.ours, theirBase: base.theirs, theirs: there).conflicts
        item.there = Self.words(
            CardMerge(ours: base.ours, ourBase: base.ours, theirBase: base.theirs, theirs: there).changes,
            isSame: there.bytes == base.theirs.bytes)
        item.here = Self.words(
            CardMerge(ours: base.theirs, ourBase: base.theirs, theirBase: base.ours, theirs: card).changes,
            isSame: card.bytes == base.ours.bytes)
        if !conflicts.isEmpty, item.absence == nil {
            let names = conflicts.map(\.name).joined(separator: ", ")
            item.merge = ("becomes a conflict", "both have changed \(names)")
        }
    }

    private static func words(_ changes: [FieldChange], isSame: Bool) -> [String] {
        if changes.isEmpty, !isSame { return ["lines that are shown nowhere, such as REV"] }
        return changes.map { change in
            let name = change.label.isEmpty ? change.field : "\(change.field) (\(change.label))"
            return "\(name) \(change.old ?? "none") -> \(change.new ?? "none")"
        }
    }
}
