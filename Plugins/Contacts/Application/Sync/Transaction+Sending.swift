import ContactsDomain
import HubKit
import Sync

/// Preparing contacts for sending, and storing the results.
extension Transaction {
    /// Returns the data to prepare a contact for sending; nil if it is no longer in the book.
    func draft(_ id: String, to book: Book) throws -> CardDraftToSend? {
        guard let row = try contact(id), row.deletedAt == nil, row.book == book.id else { return nil }
        return CardDraftToSend(row: row, known: try syncBase(of: id, in: book.id)?.theirs)
    }

    /// Stores the card that is about to be sent, so that it is recognised if the response is lost. Returns the card with
    /// the one that was sent before; nil if the contact has been changed since.
    func announce(_ card: SentCard, to book: Book) throws -> SentCard? {
        guard let row = try contact(card.contact), row.isSameVersion(as: card.row) else { return nil }
        var card = card
        card.previous = try sendingBase(of: card.contact, in: book.id)
        if row.card.bytes != card.ours.bytes {
            try updateContact(row.id, card: card.ours)
            try setSource(row.id, CardSource.key(uid: card.ours.details.uid, contentHash: 0))
        }
        try noteSending(card.contact, ours: card.ours, sent: card.bytes, to: book.id)
        return card
    }

    /// Stores that the remote side has a card.
    func keepSent(_ card: KeptCard, in book: Book) throws {
        try saveLink(card.contact, at: card.place.href, tag: card.place.tag, base: card.base, in: book.id)
    }
}

/// A contact to send, with its last known remote card.
struct CardDraftToSend: Sendable {
    let row: Contact
    let known: Card?
}

/// An outgoing card.
struct SentCard: Sendable {
    let contact: String
    /// The contact when its card was prepared.
    let row: Contact
    /// The local card that it was made from.
    let ours: Card
    /// The bytes to send.
    let bytes: [UInt8]
    /// The suggested name of a new card.
    let name: String
    /// The card that was sent before and whose response was lost; nil if there is none.
    fileprivate(set) var previous: SyncBase?

    /// Prepares a contact for a book. A contact without a `UID` gets one, so that the card can be recognised.
    ///
    /// With `isStrict` every line is made valid, since servers drop invalid ones.
    init(_ draft: CardDraftToSend, for book: Book, isStrict: Bool, isOldVersion: Bool) {
        row = draft.row
        contact = row.id
        let uid = row.card.details.uid
        ours = uid == nil ? row.card.identified(as: draft.known?.details.uid ?? ContactUID.make()) : row.card
        bytes =
            OutgoingCard(
                ours, versions: isOldVersion ? ["3.0"] : book.remote.versions,
                replacing: isOldVersion ? nil : draft.known, isStrict: isStrict
            ).bytes
        name = ours.details.uid ?? row.id
    }
}

/// A card that the remote side has stored, with the values for its link.
struct KeptCard: Sendable {
    let contact: String
    let place: RemoteEntry
    let base: SyncBase
    /// Whether another program has changed it since.
    let isForeign: Bool
    /// The fields that were not stored.
    let lost: [String]

    /// `theirs` is the card on the remote side now; nil if it stores the exact bytes.
    init(_ receipt: SyncExecutor.Receipt, _ theirs: RemoteCard?) {
        contact = receipt.card.contact
        let sent = Card(receipt.card.bytes)
        guard let theirs else {
            place = RemoteEntry(href: receipt.href, tag: receipt.tag ?? "")
            base = SyncBase(ours: receipt.card.ours, theirs: sent)
            (isForeign, lost) = (false, [])
            return
        }
        let card = Card(theirs.bytes)
        let entry = RemoteEntry(href: theirs.href, tag: theirs.tag)
        let isOwn = receipt.tag.map { $0.isSameTag(as: theirs.tag) } ?? true
        if receipt.tag == nil, card.isReadable, card.hasAdditions(to: sent) {
            // Without a tag, what is missing may have been dropped by the server; what is new was added by others.
            place = RemoteEntry(href: theirs.href, tag: "")
            base = SyncBase(ours: receipt.card.ours, theirs: card.keepingItems(of: sent))
            (isForeign, lost) = (true, sent.fields(missingIn: card))
        } else if card.isReadable, isOwn || sent.saysSame(as: card) {
            place = entry
            base = SyncBase(ours: receipt.card.ours, theirs: card)
            isForeign = false
            lost = sent.fields(missingIn: card)
        } else {
            // The sent text is no longer there, so its tag must not be used as a condition.
            place = RemoteEntry(href: theirs.href, tag: "")
            base = SyncBase(ours: receipt.card.ours, theirs: sent)
            (isForeign, lost) = (true, [])
        }
    }
}

extension String {
    /// Whether two entity tags are equal, ignoring quotes.
    fileprivate func isSameTag(as other: String) -> Bool {
        func opaque(_ tag: String) -> Substring {
            let strong = tag.hasPrefix("W/") ? tag.dropFirst(2) : Substring(tag)
            return strong.hasPrefix("\"") && strong.hasSuffix("\"") && strong.count > 1
                ? strong.dropFirst().dropLast() : strong
        }
        return opaque(self) == opaque(other)
    }
}
