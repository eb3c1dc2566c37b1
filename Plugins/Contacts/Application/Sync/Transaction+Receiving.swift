import ContactsDomain
import HubKit
import Links

/// Taking cards in. What the table decides is decided here, inside the transaction, on what is stored now.
extension Transaction {
    /// Stores a fetched card: `missing` are contacts whose card has gone from its place, and may be this one.
    func receive(_ fetched: FetchedCard, in book: Book, missing: Set<String>, isDryRun: Bool) throws -> ReceivedCard {
        let (href, tag) = (fetched.place.href, fetched.place.tag)
        guard fetched.isReadable else {
            if !isDryRun { try holdEntry(fetched.place, in: book.id) }
            return ReceivedCard(settlement: .left(SyncProblem(.unreadable, href: href)))
        }
        let match = try match(fetched, in: book.id, missing: missing)
        if case .twin(let contact) = match {
            if !isDryRun { try holdEntry(fetched.place, in: book.id) }
            return ReceivedCard(settlement: .left(SyncProblem(.sameUID, contact: contact, href: href)))
        }
        guard case .contact(let id) = match else {
            return try takeIn(fetched, in: book, isDryRun: isDryRun)
        }
        let row = try contact(id)
        let base = try syncBase(of: id, in: book.id)
        let isHere = row.map { $0.deletedAt == nil && ($0.book == book.id || base == nil) } ?? false
        // Of a contact that is gone its last text is known.
        let ours = (row?.card ?? base?.ours).map { SyncOurs(card: $0, isHere: isHere, base: base) }
        switch SyncVerdict(ours: ours, theirs: fetched.card) {
        case .new: return try takeIn(fetched, in: book, isDryRun: isDryRun)
        case .remove: return ReceivedCard(settlement: .unwanted(contact: id, tag: tag))
        case .revive(let card, let base, let isSent):
            // A contact that was moved to another book stays there, and theirs is one of its own.
            guard let row, row.deletedAt != nil else { return try takeIn(fetched, in: book, isDryRun: isDryRun) }
            if !isDryRun {
                try setDeleted(id, at: nil)
                try place(id, card, in: book, from: row)
                try saveLink(id, at: href, tag: tag, base: base, in: book.id)
            }
            return ReceivedCard(settlement: .linked(contact: id, tag: tag, sends: isSent), change: .new)
        case .keep(let base, let isSent):
            if !isDryRun, let row {
                try place(id, row.card, in: book, from: row)
                try saveLink(id, at: href, tag: tag, base: base, in: book.id)
            }
            let isOpen = try conflict(of: id, in: book.id) != nil
            if isOpen, !isSent, !isDryRun { try closeConflict(of: id, in: book.id) }
            return ReceivedCard(settlement: .linked(contact: id, tag: tag, sends: isSent && !isOpen))
        case .change(let merge, let newBase, let isSent):
            guard let row else { return try takeIn(fetched, in: book, isDryRun: isDryRun) }
            let conflicts = try openConflicts(merge, of: row, in: book, theirs: fetched.card)
            if !isDryRun {
                try place(id, merge.card, in: book, from: row)
                try saveLink(id, at: href, tag: tag, base: newBase, in: book.id)
                if conflicts.isEmpty {
                    try closeConflict(of: id, in: book.id)
                } else {
                    try saveConflict(
                        of: id, in: book.id, theirs: fetched.card, base: base?.theirs, changedHere: row.changedAt)
                }
            }
            var received = ReceivedCard(
                settlement: .linked(contact: id, tag: tag, sends: isSent && conflicts.isEmpty))
            received.conflicts = conflicts
            received.isMerged = isSent && conflicts.isEmpty && !merge.changes.isEmpty
            if row.card.bytes != merge.card.bytes, !received.isMerged { received.change = .changed }
            return received
        }
    }

    /// The fields in conflict after a merge, also those of a conflict that was open before.
    private func openConflicts(
        _ merge: CardMerge, of row: ContactRow, in book: Book, theirs: Card
    ) throws -> [String] {
        guard let open = try conflict(of: row.id, in: book.id) else { return merge.conflicts.map(\.name) }
        return CardMerge(ours: merge.card, ourBase: open.base, theirBase: open.base, theirs: theirs).conflicts
            .map(\.name)
    }

    private func takeIn(_ fetched: FetchedCard, in book: Book, isDryRun: Bool) throws -> ReceivedCard {
        let id = fetched.entry.id
        if !isDryRun {
            let row = try insertContact(
                id, fetched.card, source: fetched.source, origin: fetched.hash, book: book.id)
            try addLink(row, saying: fetched.hash, at: fetched.place, in: book.id)
        }
        var received = ReceivedCard(
            settlement: .linked(contact: id, tag: fetched.place.tag, sends: false), change: .new)
        received.entry = fetched.entry
        return received
    }

    /// Gives the contact its card and its book, where they differ.
    private func place(_ id: String, _ card: Card, in book: Book, from row: ContactRow) throws {
        if row.card.bytes != card.bytes { try updateContact(id, card: card) }
        if row.book != book.id { try setBook(id, book.id) }
    }

    /// Which contact a card belongs to.
    private enum Match {
        case contact(String)
        /// The `UID` is that of a contact whose card is at another place.
        case twin(String)
        case none
    }

    private func match(_ fetched: FetchedCard, in book: String, missing: Set<String>) throws -> Match {
        if let known = try linkedContact(at: fetched.place.href, in: book) { return .contact(known) }
        let candidates = try syncCandidates(source: fetched.source, book: book)
        if let moved = candidates.first(where: { $0.isLive && missing.contains($0.contact) }) {
            return .contact(moved.contact)
        }
        if let twin = candidates.first(where: { $0.href != nil && !missing.contains($0.contact) && $0.isLive }) {
            return .twin(twin.contact)
        }
        return candidates.first { $0.href == nil }.map { .contact($0.contact) } ?? .none
    }
}
