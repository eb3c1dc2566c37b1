import ContactsDomain
import Storage
import Sync

/// Preparing contacts for sending, and storing the results.
extension LocalBook {
    mutating func prepare(_ sends: [SyncSend<String>]) async throws -> [String: SentCard] {
        let (book, isStrict) = (book, isStrict)
        let drafts = try await contacts.read { transaction in
            try sends.compactMap { send in try transaction.draft(send.id, to: book).map { (send, $0) } }
        }
        var prepared: [SentCard] = []
        for (send, draft) in drafts {
            let picture = await picture(for: draft)
            prepared.append(SentCard(draft, for: book, isStrict: isStrict, picture: picture, send))
        }
        let cards = prepared
        return try await contacts.write(operation) { transaction in
            var sent: [String: SentCard] = [:]
            for card in cards { sent[card.contact] = try transaction.announce(card, to: book) }
            return sent
        }
    }

    /// Returns the picture to send instead of the contact's own, and reports it; nil for its own.
    private mutating func picture(for draft: CardDraftToSend) async -> [UInt8]? {
        let contact = ContactSummary(id: draft.row.id, draft.row.card.details)
        switch await pictures?.outcome(for: draft.row.card, base: draft.base, in: book) {
        case .kept?, nil: return nil
        case .replaced(let picture, let isNew)?:
            if isNew { report.pictures.append(.init(contact: contact, size: picture.count, reason: nil)) }
            return picture
        case .tooLarge(let failure)?:
            report.pictures.append(.init(contact: contact, size: nil, reason: failure))
            return nil
        }
    }

    mutating func storeRejection(of cards: [SentCard], _ result: PutResult?) async throws {
        // An item at the same name, or after an internal error, may be the card itself.
        let mayBeStored = result.map { $0.refusal?.isServerError ?? true } ?? false
        try await keep { [book] transaction in
            for card in cards {
                if let previous = card.previous {
                    // The earlier one may have been stored, this one was not.
                    try transaction.noteSending(
                        card.contact, ours: previous.ours, sent: previous.theirs.bytes, to: book.id)
                } else if !mayBeStored {
                    try transaction.dropSending(card.contact, to: book.id)
                }
            }
        }
    }

    mutating func storeReceipts(
        _ receipts: [SyncReceipt<SentCard>], _ fetched: [ByteString: RemoteItem]
    ) async throws -> [(href: String, outcome: FetchOutcome<String>)] {
        var kept: [KeptCard] = []
        for receipt in receipts {
            let known = fetched[ByteString(receipt.href)].flatMap { $0.failure == nil ? $0 : nil }
            if known == nil, isStrict || receipt.etag == nil { continue }
            let card = KeptCard(receipt, known)
            if !card.lost.isEmpty {
                let contact = ContactSummary(id: card.contact, receipt.item.ours.details)
                report.losses.append(BookSyncReport.Loss(contact: contact, fields: card.lost))
            }
            kept.append(card)
        }
        let cards = kept
        let outdated = try await keep { [book] in try $0.saveLinks(cards, in: book) }
        let changed = cards.filter(\.isForeign).map(\.place.href)
        let foreign = Set(changed.map { ByteString($0) })
        // The server knows the cards that these refer to by other UIDs than those that were sent.
        let again = outdated.filter { !foreign.contains(ByteString($0.entry.href)) }
        return changed.map { ($0, .changedAgain) }
            + again.map { ($0.entry.href, .linked($0.id, etag: $0.entry.etag, sends: true)) }
    }
}

extension Transaction {
    /// Stores the links of sent cards, and returns the cards of the book that have to be sent again because of the
    /// `UID`s that the server has given to those they refer to.
    fileprivate func saveLinks(_ cards: [KeptCard], in book: Book) throws -> [(id: String, entry: RemoteEntry)] {
        var renamed: Set<ByteString> = []
        for card in cards {
            let change = try saveLink(
                card.contact, at: card.place.href, etag: card.place.etag, base: card.base, in: book.id)
            if let change { renamed.insert(change.ours) }
        }
        // A sent card may have been prepared before the others were renamed.
        let sent = cards.filter { !$0.base.theirs.details.references.isEmpty }.map(\.contact)
        return try outdatedReferences(
            in: book.id, of: Set(sent).union(try referringContacts(to: renamed)).sorted())
    }

    /// Returns the data to prepare a contact for sending; nil if it is no longer in the book.
    fileprivate func draft(_ id: String, to book: Book) throws -> CardDraftToSend? {
        guard let row = try contact(id), row.deletedAt == nil, row.book == book.id else { return nil }
        return CardDraftToSend(
            row: row, base: try syncBase(of: id, in: book.id),
            uids: try foreignUIDs(of: row.details.references, in: book.id))
    }

    /// Stores the card that is about to be sent, so that it is recognised if the response is lost. Returns the card with
    /// the one that was sent before; nil if the contact has been changed since.
    fileprivate func announce(_ card: SentCard, to book: Book) throws -> SentCard? {
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
}

/// A contact to send, with its last known remote card.
struct CardDraftToSend: Sendable {
    let row: Contact
    /// Both sides when they were last equal.
    let base: SyncBase?
    /// The last known remote card.
    var known: Card? { base?.theirs }
    /// The `UID`s that the server has for the cards that it refers to.
    let uids: ForeignUIDs
}

/// An outgoing card.
struct SentCard: OutgoingItem {
    let contact: String
    /// The contact when its card was prepared.
    let row: Contact
    /// The local card that it was made from.
    let ours: Card
    /// The bytes to send.
    let bytes: [UInt8]
    /// The suggested name of a new card; later attempts use another one.
    let name: String
    /// The card that was sent before and whose response was lost; nil if there is none.
    fileprivate(set) var previous: SyncBase?

    /// Prepares a contact for a book. A contact without a `UID` gets one, so that the card can be recognised.
    ///
    /// With `isStrict` every line is made valid, since servers drop invalid ones. `picture` is sent instead of its own.
    init(
        _ draft: CardDraftToSend, for book: Book, isStrict: Bool, picture: [UInt8]? = nil, _ send: SyncSend<String>
    ) {
        row = draft.row
        contact = row.id
        let uid = row.card.details.uid
        ours =
            uid == nil ? row.card.identified(as: draft.known?.details.uid ?? ByteString(ContactUID.random())) : row.card
        var card = ours
        if let picture { card = card.settingPhoto(picture, at: nil) }
        let outgoing = OutgoingCard(
            card, versions: send.inOldVersion ? ["3.0"] : book.remote.versions,
            replacing: send.inOldVersion ? nil : draft.known, isStrict: isStrict)
        bytes = draft.uids.isEmpty ? outgoing.bytes : draft.uids.translatedBack(Card(outgoing.bytes)).bytes
        let name = ours.details.uid?.repairedText ?? row.id
        self.name = send.attempt == 1 ? name : "\(name)-\(send.attempt)"
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
    init(_ receipt: SyncReceipt<SentCard>, _ theirs: RemoteCard?) {
        contact = receipt.item.contact
        let sent = Card(receipt.item.bytes)
        guard let theirs else {
            place = RemoteEntry(href: receipt.href, etag: receipt.etag ?? "")
            base = SyncBase(ours: receipt.item.ours, theirs: sent)
            (isForeign, lost) = (false, [])
            return
        }
        let card = Card(theirs.bytes)
        let entry = RemoteEntry(href: theirs.href, etag: theirs.etag)
        let isOwn = receipt.etag.map { $0.isSameTag(as: theirs.etag) } ?? true
        if receipt.etag == nil, card.isReadable, card.hasAdditions(to: sent) {
            // Without an etag, what is missing may have been dropped by the server; what is new was added by others.
            place = RemoteEntry(href: theirs.href, etag: "")
            base = SyncBase(ours: receipt.item.ours, theirs: card.keepingItems(of: sent))
            (isForeign, lost) = (true, sent.fields(missingIn: card))
        } else if card.isReadable, isOwn || sent.saysSame(as: card) {
            place = entry
            base = SyncBase(ours: receipt.item.ours, theirs: card)
            isForeign = false
            lost = sent.fields(missingIn: card)
        } else {
            // The sent text is no longer there, so its etag must not be used as a condition.
            place = RemoteEntry(href: theirs.href, etag: "")
            base = SyncBase(ours: receipt.item.ours, theirs: sent)
            (isForeign, lost) = (true, [])
        }
    }
}

extension String {
    /// Whether two entity tags are equal, ignoring quotes.
    fileprivate func isSameTag(as other: String) -> Bool {
        func opaque(_ etag: String) -> Substring {
            let strong = etag.hasPrefix("W/") ? etag.dropFirst(2) : Substring(etag)
            return strong.hasPrefix("\"") && strong.hasSuffix("\"") && strong.count > 1
                ? strong.dropFirst().dropLast() : strong
        }
        return opaque(self) == opaque(other)
    }
}
