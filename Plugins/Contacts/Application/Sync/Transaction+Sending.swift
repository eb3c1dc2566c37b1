import ContactsDomain
import HubKit
import Links

/// Getting contacts ready to be sent, and keeping what became of them.
extension Transaction {
    /// What is needed to make a contact ready to be sent; nil when it is in the book no more.
    func draft(_ id: String, to book: Book) throws -> CardDraftToSend? {
        guard let row = try contact(id), row.deletedAt == nil, row.book == book.id else { return nil }
        return CardDraftToSend(row: row, known: try syncBase(of: id, in: book.id)?.theirs)
    }

    /// Keeps what is about to be sent, so that it is known again when its receipt is lost. False when the contact was changed
    /// since.
    func announce(_ card: SentCard, to book: Book) throws -> Bool {
        guard let row = try contact(card.contact), row.isSameVersion(as: card.row) else { return false }
        if row.card.bytes != card.ours.bytes {
            try updateContact(row.id, card: card.ours)
            try setSource(row.id, CardSource.key(uid: card.ours.details.uid, contentHash: 0))
        }
        try noteSending(card.contact, ours: card.ours, sent: card.bytes, to: book.id)
        return true
    }

    /// Keeps that a card is theirs now.
    func keepSent(_ card: KeptCard, in book: Book) throws {
        try saveLink(card.contact, at: card.place.href, tag: card.place.tag, base: card.base, in: book.id)
    }
}

/// A contact that is to be sent, with their card as it was.
struct CardDraftToSend: Sendable {
    let row: ContactRow
    let known: Card?
}

/// A card that is being sent.
struct SentCard: Sendable {
    let contact: String
    /// The contact as it was when its card was made ready.
    let row: ContactRow
    /// Our card, of which the bytes were made.
    let ours: Card
    /// What is sent.
    let bytes: [UInt8]
    /// What its place may be named after.
    let name: String

    /// Makes a contact ready for a book. One without a `UID` gets one: by it the card is known again elsewhere.
    ///
    /// With `isStrict` the card becomes valid in every line, as servers cut what is not.
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

/// A card that they have taken, with what is known of it from now on.
struct KeptCard: Sendable {
    let contact: String
    let place: RemoteEntry
    let base: SyncBase
    /// Whether somebody else has changed it since.
    let isForeign: Bool
    /// The fields that they did not keep.
    let lost: [String]

    /// `theirs` is what they have now; nil where they keep each byte.
    init(_ receipt: SyncWork.Receipt, _ theirs: RemoteCard?) {
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
        if card.isReadable, isOwn || sent.saysSame(as: card) {
            place = entry
            base = SyncBase(ours: receipt.card.ours, theirs: card)
            isForeign = false
            lost = sent.fields(missingIn: card)
        } else {
            // What was sent stands there no more, so its tag is no condition for anything.
            place = RemoteEntry(href: theirs.href, tag: "")
            base = SyncBase(ours: receipt.card.ours, theirs: sent)
            (isForeign, lost) = (true, [])
        }
    }
}

extension String {
    /// Whether two entity tags name the same, however they are quoted.
    fileprivate func isSameTag(as other: String) -> Bool {
        func opaque(_ tag: String) -> Substring {
            let strong = tag.hasPrefix("W/") ? tag.dropFirst(2) : Substring(tag)
            return strong.hasPrefix("\"") && strong.hasSuffix("\"") && strong.count > 1
                ? strong.dropFirst().dropLast() : strong
        }
        return opaque(self) == opaque(other)
    }
}
