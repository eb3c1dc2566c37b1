import ContactsDomain
import Storage
import Sync

/// Receiving cards. Cheap decisions are made inside the transaction. Where two cards must be compared or merged, their
/// state is returned, the decision is made outside, and is applied only if nothing has changed by then.
extension Transaction {
    /// Stores a fetched card that belongs to no contact; nil if it may belong to one, so that `state` must be decided.
    func receive(
        _ fetched: FetchedCard, _ scope: ReceivingScope, isDryRun: Bool
    ) throws -> ReceivedCard? {
        guard fetched.isReadable else { return try leave(fetched, fetched.problem, in: scope.book, isDryRun) }
        switch try match(fetched, scope) {
        case .twin(let contact):
            return try leave(
                fetched, SyncProblem(.sameUID, id: contact, href: fetched.href), in: scope.book, isDryRun)
        case .none: return try takeIn(fetched, in: scope.book, isDryRun: isDryRun)
        case .contact: return nil
        }
    }

    /// Returns the stored state of the contact that a card may belong to; nil if there is none.
    func receivingState(_ fetched: FetchedCard, _ scope: ReceivingScope) throws -> ReceivingState? {
        guard fetched.isReadable, case .contact(let id, let bond) = try match(fetched, scope) else { return nil }
        let home = if case .leaving(let book) = bond { book } else { scope.book.id }
        let (row, base) = (try contact(id), try syncBase(of: id, in: home))
        var references = fetched.references
        if try hasForeignUIDs() {
            references += [row?.card, base?.theirs].compactMap(\.self).flatMap(\.details.references)
        }
        return ReceivingState(
            contact: id, bond: bond, row: row, link: try link(of: id, in: home), base: base,
            sending: try sendingBase(of: id, in: scope.book.id), open: try conflict(of: id, in: home),
            uids: try foreignUIDs(of: Set(references), in: scope.book.id))
    }

    /// Applies a plan; nil if its state has changed.
    func apply(
        _ plan: ReceivingPlan, of fetched: FetchedCard, _ scope: ReceivingScope, isDryRun: Bool
    ) throws -> ReceivedCard? {
        guard try receivingState(fetched, scope)?.key == plan.state.key else { return nil }
        let (id, book) = (plan.state.contact, scope.book)
        let (href, etag) = (fetched.place.href, fetched.place.etag)
        switch plan.step {
        case .takeIn(let hasTwin):
            var received = try takeIn(fetched, in: book, isDryRun: isDryRun)
            if hasTwin { received.twin = id }
            return received
        case .remove: return ReceivedCard(outcome: .unwanted(id, etag: etag))
        case .keep(let kept):
            var renamed: (ours: ByteString, theirs: ByteString)?
            if !isDryRun, let row = plan.state.row {
                try arrive(plan.state, in: book)
                if kept.isRevived { try setDeleted(id, at: nil) }
                if row.card.bytes != kept.card.bytes { try updateContact(id, card: kept.card) }
                if row.book != book.id { try setBook(id, book.id) }
                renamed = try saveLink(id, at: href, etag: etag, base: kept.base, in: book.id)
                if kept.conflicts.isEmpty {
                    if kept.closesConflict { try closeConflict(of: id, in: book.id) }
                } else {
                    try saveConflict(
                        of: id, in: book.id, theirs: plan.theirs, base: plan.theirBase,
                        changedHere: row.changedAt)
                }
            }
            var received = ReceivedCard(outcome: .linked(id, etag: etag, sends: kept.sends), change: kept.change)
            received.conflicts = kept.conflicts
            (received.isMerged, received.renamed) = (kept.isMerged, renamed)
            if case .leaving(let old) = plan.state.bond { received.movedFrom = old }
            return received
        }
    }

    /// Removes the link of a contact's card in the book that it has left.
    private func arrive(_ state: ReceivingState, in book: Book) throws {
        guard case .leaving(let old) = state.bond else { return }
        try moveConflict(of: state.contact, from: old, to: book.id)
        if let link = state.link { try dropLink(at: link.href, in: old) }
    }

    /// Leaves a remote card unchanged. One that could not be compared is fetched again by the next sync.
    func leave(
        _ fetched: FetchedCard, _ problem: SyncProblem<String>, in book: Book, _ isDryRun: Bool
    ) throws -> ReceivedCard {
        var problem = problem
        if problem.id == nil {
            problem = SyncProblem(
                problem.reason, id: try linkedContact(at: fetched.href, in: book.id), href: fetched.href)
        }
        let etag = problem.reason == .changedHere ? "" : fetched.place.etag
        if !isDryRun { try holdEntry(RemoteEntry(href: fetched.href, etag: etag), in: book.id) }
        return ReceivedCard(outcome: .skipped(problem))
    }

    private func takeIn(_ fetched: FetchedCard, in book: Book, isDryRun: Bool) throws -> ReceivedCard {
        let id = fetched.entry.id
        var entry: ContactIndexRow?
        if !isDryRun {
            let card = try foreignUIDs(of: fetched.references, in: book.id).translated(fetched.card)
            let hash = card == fetched.card ? fetched.hash : card.syncHash
            let row = try insertContact(id, card, source: fetched.source, origin: hash, book: book.id)
            try addLink(row, saying: hash, from: fetched.card, at: fetched.place, in: book.id)
            if card == fetched.card { entry = fetched.entry }
        }
        var received = ReceivedCard(outcome: .linked(id, etag: fetched.place.etag, sends: false), change: .new)
        received.entry = isDryRun ? fetched.entry : entry
        return received
    }

    /// The contact that a card belongs to.
    private enum Match {
        case contact(String, ReceivingState.Bond)
        /// The `UID` belongs to a contact whose card is at another path.
        case twin(String)
        case none
    }

    private func match(_ fetched: FetchedCard, _ scope: ReceivingScope) throws -> Match {
        let book = scope.book.id
        if let known = try linkedContact(at: fetched.place.href, in: book) { return .contact(known, .linked) }
        var candidates = try syncCandidates(source: fetched.source, book: book)
        for uid in try fetched.uid.map({ try ownUIDs(of: $0) }) ?? [] {
            candidates += try syncCandidates(source: CardSource.key(uid: uid, contentHash: 0), book: book)
        }
        let ours = candidates.filter { $0.book == book }
        if let moved = ours.first(where: { $0.isLive && scope.missing.contains($0.contact) }) {
            return .contact(moved.contact, .linked)
        }
        if let twin = ours.first(where: { $0.href != nil && !scope.missing.contains($0.contact) && $0.isLive }) {
            return .twin(twin.contact)
        }
        if let own = ours.first(where: { $0.href == nil }) { return .contact(own.contact, .unlinked) }
        if let sent = scope.unanswered[ByteString(fetched.href)], try link(of: sent, in: book) == nil {
            return .contact(sent, .unlinked)
        }
        if let left = candidates.first(where: { scope.departed[$0.contact] == $0.book && $0.isLive }),
            let old = left.book
        {
            return .contact(left.contact, .leaving(old))
        }
        // A contact in no book is private: it is linked only if none of its values would be sent.
        let own = candidates.first { $0.isLive && $0.href == nil && !$0.isElsewhere }
        return own.map { .contact($0.contact, .only) } ?? .none
    }
}

/// The parameters for receiving cards into a book.
struct ReceivingScope: Sendable {
    let book: Book
    /// The contacts of the book whose cards have disappeared and may be at another path.
    let missing: Set<String>
    /// The contacts of other books of the account whose cards have moved here, with those books.
    let departed: [String: String]
    /// The contacts whose cards were sent to the book without a response, by the paths at which they seem to be.
    let unanswered: [ByteString: String]
}
