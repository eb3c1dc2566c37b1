import ContactsDomain
import HubKit
import Links

/// What is stored of a contact when a card that may be its own comes in.
struct ReceivingState: Sendable {
    /// How the contact is bound to the book.
    enum Bond: Hashable, Sendable {
        /// Its card is known there.
        case linked
        /// It is in the book and waits to be sent.
        case unlinked
        /// It is in no book: only here.
        case only
        /// Its card has gone from another book of the account.
        case leaving(String)
    }

    let contact: String
    let bond: Bond
    let row: ContactRow?
    let link: RemoteEntry?
    let base: SyncBase?
    /// What both sides are if that was taken which was sent last.
    let sending: SyncBase?
    let open: ConflictRow?

    /// What tells whether a decision still fits, without a look at the cards.
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

/// What becomes of a contact and the card that it meets. All that takes time with the size of the cards is done here, outside
/// of any transaction.
struct ReceivingPlan: Sendable {
    enum Step: Sendable {
        /// The card becomes a contact of its own; with `hasTwin` beside one that is only here.
        case takeIn(hasTwin: Bool)
        /// The card is to be removed there.
        case remove
        case keep(Kept)
    }

    /// The contact is linked to the card.
    struct Kept: Sendable {
        /// The contact's card from now on.
        var card: Card
        var base: SyncBase
        var sends: Bool
        var change = ReceivedCard.Change.none
        var conflicts: [String] = []
        var isMerged = false
        var isRevived = false
        var closesConflict = true
    }

    let state: ReceivingState
    let step: Step

    init(_ state: ReceivingState, meeting fetched: FetchedCard, in book: Book) {
        self.state = state
        step = ReceivingPlan.step(state, fetched, book)
    }

    private static func step(_ state: ReceivingState, _ fetched: FetchedCard, _ book: Book) -> Step {
        let base = base(state, fetched)
        let isHere = state.row.map { row in
            row.deletedAt == nil && (row.book == book.id || base == nil || state.bond != .linked)
        }
        // Of a contact that is gone its last text is known.
        let ours = (state.row?.card ?? base?.ours).map { SyncOurs(card: $0, isHere: isHere ?? false, base: base) }
        let verdict = SyncVerdict(ours: ours, theirs: fetched.card)
        if state.bond == .only, verdict.wouldSend { return .takeIn(hasTwin: true) }
        switch verdict {
        case .new: return .takeIn(hasTwin: false)
        case .remove: return .remove
        case .revive(let card, let base, let isSent):
            // A contact that was moved to another book stays there, and theirs is one of its own.
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
            // Also the fields of a conflict that was open before.
            let conflicts =
                state.open.map { open in
                    CardMerge(ours: merge.card, ourBase: open.base, theirBase: open.base, theirs: fetched.card)
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

    /// What both sides were when they were last equal. A card that was sent, and whose receipt was lost, is known by what it
    /// says.
    private static func base(_ state: ReceivingState, _ fetched: FetchedCard) -> SyncBase? {
        guard let sent = state.sending, sent.theirs.saysSame(as: fetched.card) else { return state.base }
        return SyncBase(ours: sent.ours, theirs: fetched.card)
    }
}

extension SyncVerdict {
    /// Whether something of ours would be sent, now or once its conflict is decided.
    fileprivate var wouldSend: Bool {
        switch self {
        case .new, .remove: false
        case .keep(_, let sends), .revive(_, _, let sends): sends
        case .change(let merge, _, let sends): sends || !merge.conflicts.isEmpty
        }
    }
}
