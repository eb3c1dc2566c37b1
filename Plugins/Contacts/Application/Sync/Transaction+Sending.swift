import ContactsDomain
import HubKit

/// Getting contacts ready to be sent, and keeping what became of them.
extension Transaction {
    /// The contact's card as it is sent to `book`, and the place's name; nil when the contact has gone meanwhile.
    ///
    /// A contact without a `UID` gets one before it is sent: by it a card is known again whose receipt was lost.
    func outgoing(_ id: String, to book: Book, isOldVersion: Bool) throws -> SentCard? {
        guard var row = try contact(id), row.deletedAt == nil, row.book == book.id else { return nil }
        let base = try syncBase(of: id, in: book.id)
        if row.card.details.uid == nil {
            let uid = base?.theirs.details.uid ?? ContactUID.make()
            try updateContact(id, card: row.card.identified(as: uid))
            try setSource(id, CardSource.key(uid: uid, contentHash: 0))
            guard let identified = try contact(id) else { return nil }
            row = identified
        }
        let card = OutgoingCard(
            row.card, versions: isOldVersion ? ["3.0"] : book.remote.versions,
            replacing: isOldVersion ? nil : base?.theirs)
        return SentCard(contact: id, ours: row.card, bytes: card.bytes, name: row.card.details.uid ?? id)
    }

    /// Keeps that a card is theirs now: `theirs` is what they made of it.
    func keepSent(_ sent: SentCard, at href: String, tag: String, theirs: Card, in book: Book) throws {
        try saveLink(sent.contact, at: href, tag: tag, base: SyncBase(ours: sent.ours, theirs: theirs), in: book.id)
    }

    /// Conflicts whose contact was changed here since: those that are none any more are closed.
    func reviewConflicts(in book: Book, _ rules: IndexRules) throws {
        for open in try conflicts() where open.book == book.id {
            guard let row = try contact(open.contact) else { continue }
            let merge = CardMerge(ours: row.card, ourBase: open.base, theirBase: open.base, theirs: open.theirs)
            if merge.conflicts.isEmpty {
                if row.card.bytes != merge.card.bytes {
                    try updateContact(open.contact, card: merge.card)
                    try reindexContacts([open.contact], rules)
                    try emit(ContactEvents.changed, ContactSummary(id: open.contact, merge.card.details))
                }
                try closeConflict(of: open.contact, in: book.id)
            } else {
                try noteSeen(open.contact, in: book.id)
            }
        }
    }
}

/// A card that is being sent.
struct SentCard: Sendable {
    let contact: String
    /// Our card, of which the bytes were made.
    let ours: Card
    /// What is sent.
    let bytes: [UInt8]
    /// What its place may be named after.
    let name: String
}
