import ContactsDomain
import Sync
import Time

/// The stored state of a contact that a received card may belong to.
struct ReceivingState: Sendable {
    /// The relation of the contact to the book.
    enum Bond: Hashable, Sendable {
        /// The book has a card of the contact.
        case linked
        /// The contact is in the book and not sent yet.
        case unlinked
        /// The contact is in no book.
        case only
        /// The card of the contact has disappeared from another book of the account.
        case leaving(String)
    }

    let contact: String
    let bond: Bond
    let row: Contact?
    let link: RemoteEntry?
    let base: SyncBase?
    /// The state of both sides if the last sent card was stored there.
    let sending: SyncBase?
    let open: ConflictRow?
    /// The `UID`s that the server has for cards to which the card refers, here or there, now or before.
    let uids: ForeignUIDs

    /// A fingerprint of the state, to check without comparing cards that a decision still applies.
    struct Key: Hashable {
        let contact: String
        let bond: Bond
        let revision: Int?
        let changedAt: Instant?
        let deletedAt: Instant?
        let book: String?
        let link: RemoteEntry?
        let conflictSince: Instant?
    }

    var key: Key {
        Key(
            contact: contact, bond: bond, revision: row?.revision, changedAt: row?.changedAt, deletedAt: row?.deletedAt,
            book: row?.book, link: link, conflictSince: open?.since)
    }
}

/// The plan for a contact and a received card. Everything whose cost depends on the size of the cards is done here,
/// outside any transaction.
struct ReceivingPlan: Sendable {
    enum Step: Sendable {
        /// The card becomes a new contact; with `hasTwin` next to a contact in no book with the same `UID`.
        case takeIn(hasTwin: Bool)
        /// The card is to be removed on the remote side.
        case remove
        case keep(Kept)
    }

    /// The contact is linked to the card.
    struct Kept: Sendable {
        /// The new card of the contact.
        var card: Card
        var base: SyncBase
        var sends: Bool
        var change = ReceivedCard.Change.none
        var conflicts: [String] = []
        var isMerged = false
        var isRevived = false
        var closesConflict = true
    }

    /// The remote card, and the one when both sides were last equal, with references that are valid here.
    let theirs: Card
    let theirBase: Card?

    let state: ReceivingState
    let step: Step

    init(_ state: ReceivingState, meeting fetched: FetchedCard, in book: Book) {
        self.state = state
        theirs = state.uids.translated(fetched.card)
        theirBase = state.base.map { state.uids.translated($0.theirs) }
        var step = ReceivingPlan.step(state, fetched, theirs, book)
        if case .keep(var kept) = step {
            // What the remote side has is stored as it is: the server may give its cards yet other UIDs.
            kept.base.theirs = fetched.card
            if state.uids.isOutdated(fetched.references), kept.conflicts.isEmpty, state.open == nil {
                kept.sends = true
            }
            step = .keep(kept)
        }
        self.step = step
    }

    private static func step(_ state: ReceivingState, _ fetched: FetchedCard, _ theirs: Card, _ book: Book) -> Step {
        let base = base(state, fetched).map {
            SyncBase(ours: $0.ours, theirs: state.uids.translated($0.theirs))
        }
        let isHere = state.row.map { row in
            row.deletedAt == nil && (row.book == book.id || base == nil || state.bond != .linked)
        }
        // The last text of a deleted contact is known.
        let ours = (state.row?.card ?? base?.ours).map { LocalSide(card: $0, isHere: isHere ?? false, base: base) }
        let verdict = SyncDecision(ours: ours, theirs: theirs)
        if state.bond == .only, verdict.wouldSend { return .takeIn(hasTwin: true) }
        switch verdict {
        case .new: return .takeIn(hasTwin: false)
        case .remove: return .remove
        case .revive(let card, let base, let isSent):
            // A contact that was moved to another book stays there, and the card becomes a new contact.
            guard let row = state.row, row.deletedAt != nil else { return .takeIn(hasTwin: false) }
            var kept = Kept(card: card, base: base, sends: isSent, change: .new)
            (kept.isRevived, kept.closesConflict) = (true, false)
            return .keep(kept)
        case .keep(let base, let isSent):
            guard let row = state.row else { return .takeIn(hasTwin: false) }
            var kept = Kept(card: row.card, base: base, sends: isSent && state.open == nil)
            kept.closesConflict = state.open != nil && !isSent
            if case .leaving = state.bond { kept.change = .changed }
            return .keep(kept)
        case .change(let merge, let newBase, let isSent):
            guard let row = state.row else { return .takeIn(hasTwin: false) }
            // Including the fields of a conflict that was already open.
            let conflicts =
                state.open.map { open in
                    CardMerge(ours: merge.card, ourBase: open.base, theirBase: open.base, theirs: theirs)
                        .conflicts
                } ?? merge.conflicts
            var kept = Kept(card: merge.card, base: newBase, sends: isSent && conflicts.isEmpty)
            kept.conflicts = conflicts.map(\.name)
            kept.isMerged = isSent && conflicts.isEmpty && !merge.changes.isEmpty
            if case .leaving = state.bond { kept.change = .changed }
            if row.card.bytes != merge.card.bytes, !kept.isMerged { kept.change = .changed }
            return .keep(kept)
        }
    }

    /// The state of both sides when they were last equal. A sent card whose response was lost is recognised by its
    /// content.
    private static func base(_ state: ReceivingState, _ fetched: FetchedCard) -> SyncBase? {
        guard let sent = state.sending else { return state.base }
        if sent.theirs.saysSame(as: fetched.card) { return SyncBase(ours: sent.ours, theirs: fetched.card) }
        // Another program may have changed it since. If nothing that was sent is missing, nothing sent can be lost.
        return fetched.card.includesChanges(from: state.base?.theirs, to: sent.theirs) ? sent : state.base
    }
}

extension SyncDecision {
    /// Whether local changes would be sent, now or after the conflict is resolved.
    fileprivate var wouldSend: Bool {
        switch self {
        case .new, .remove: false
        case .keep(_, let sends), .revive(_, _, let sends): sends
        case .change(let merge, _, let sends): sends || !merge.conflicts.isEmpty
        }
    }
}
