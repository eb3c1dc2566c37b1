package import ContactsDomain
package import HubKit
import Storage
import Sync

/// A card of an account that has the `UID` of another one there, and what becomes of it.
package struct TwinCard: Sendable {
    /// What becomes of its values before the card is removed there.
    package enum Outcome: Sendable {
        /// The contact has all of them.
        case equal
        /// The contact gets those that it lacks.
        case merged([FieldChange])
        /// They differ in a field that has one value: it becomes a contact of its own.
        case separate
        /// The card could not be read; it stays.
        case unreadable(String)
    }

    /// The contact with the same `UID`.
    package let contact: ContactSummary
    /// What becomes of the values.
    package let outcome: Outcome
    /// Its path in the account.
    package let href: String
    let etag: String
    let card: Card

    /// Whether it is removed there.
    package var isRemoved: Bool { if case .unreadable = outcome { false } else { true } }
}

extension AddressBooks {
    /// Returns the cards of `book` that the last sync skipped because another card has their `UID`, with what cleaning makes
    /// of them. Nothing is changed.
    package func twins(in book: Book) async throws -> [TwinCard] {
        let rules = contacts.rules
        let found = try await contacts.read { transaction in
            try transaction.syncProblems(of: book.id).filter { problem in
                try problem.code == SyncProblem<String>.sameUIDCode
                    && transaction.linkedContact(at: problem.item, in: book.id) == nil
            }
        }
        if found.isEmpty { return [] }
        let items = try await connected(to: try registry.account(book.account)) { connection in
            try await connection.open(book.remote).fetch(found.map(\.item))
        }
        return try await contacts.read { transaction in
            try items.compactMap { item in
                guard let problem = found.first(where: { $0.item == item.href }), let id = problem.contact,
                    let row = try transaction.contact(id), row.deletedAt == nil
                else { return nil }
                let card = Card(item.bytes)
                let outcome: TwinCard.Outcome =
                    item.failure != nil || !card.isReadable
                    ? .unreadable(item.failure ?? "it is not a valid vCard")
                    : row.card.outcome(of: card, rules)
                return TwinCard(
                    contact: ContactSummary(id: id, row.card.details), outcome: outcome, href: item.href,
                    etag: item.etag, card: card)
            }
        }
    }

    /// Merges the values of `twins` into the contacts here, as one operation, and then removes the cards in the account, each
    /// only if it is still the same. Returns those that could not be removed, with the reasons.
    package func clean(
        _ twins: [TwinCard], in book: Book, operation: Operation
    ) async throws -> [(twin: TwinCard, reason: String)] {
        let account = try registry.account(book.account)
        let lock = try await registry.lock(account.account)
        defer { withExtendedLifetime(lock) {} }
        let (rules, removed) = (contacts.rules, twins.filter(\.isRemoved))
        try await contacts.write(operation) { transaction in
            for twin in removed { try transaction.keepValues(of: twin, in: book, rules) }
        }
        let failed = try await connected(to: account) { connection in
            let client = connection.open(book.remote)
            var failed: [(TwinCard, String)] = []
            for twin in removed {
                switch try await client.remove(twin.href, ifMatch: twin.etag) {
                case .gone:
                    try await contacts.write(Self.kind.operation) { transaction in
                        try transaction.dropLink(at: twin.href, in: book.id)
                        try transaction.dropProblem(at: twin.href, in: book.id)
                    }
                case .changedMeanwhile: failed.append((twin, "it has changed there"))
                case .refused(let refusal): failed.append((twin, refusal.reason))
                }
            }
            return failed
        }
        registry.announce()
        return failed + twins.filter { !$0.isRemoved }.map { ($0, $0.reason) }
    }
}

extension TwinCard {
    /// Why the card could not be read.
    fileprivate var reason: String { if case .unreadable(let reason) = outcome { reason } else { "" } }
}

extension Card {
    /// What becomes of the values of another card with the same `UID`.
    fileprivate func outcome(of twin: Card, _ rules: IndexingOptions) -> TwinCard.Outcome {
        let union = CardUnion(self, with: twin, remembering: nil, region: rules.callingCode, at: nil)
        if !union.conflicts.isEmpty { return .separate }
        return union.card.bytes == bytes ? .equal : .merged(details.changes(to: union.card.details))
    }
}

extension Transaction {
    /// Stores the values of a card that is about to be removed in its account.
    fileprivate func keepValues(of twin: TwinCard, in book: Book, _ rules: IndexingOptions) throws {
        let row = try editableContact(twin.contact.id, expecting: nil)
        // The contact may have changed since the plan.
        switch row.card.outcome(of: twin.card, rules) {
        case .equal, .unreadable: return
        case .merged:
            let union = CardUnion(
                row.card, with: twin.card, remembering: nil, region: rules.callingCode, at: now.milliseconds)
            try updateContact(row.id, card: union.card)
            try reindexContacts([row.id], rules)
            try emit(ContactEvents.changed, ContactSummary(id: row.id, union.card.details))
        case .separate:
            let uid = SharedUID(twin.card, region: rules.callingCode).ownUID(insteadOf: twin.card.details.uid ?? "")
            let card = twin.card.identified(as: uid)
            let source = CardSource.key(uid: uid, contentHash: 0)
            let copy = try insertContact(Identifier.make(), card, source: source, origin: nil, book: book.id)
            try reindexContacts([copy.id], rules)
            try emit(ContactEvents.added, ContactSummary(id: copy.id, card.details))
        }
    }
}
