package import CivilDate
package import Sync

/// A period here, as a sync compares it.
package struct SyncPeriod: Hashable, Sendable {
    /// An entry of a day.
    package struct DatedEntry: Hashable, Sendable {
        /// The entry.
        package var entry: Entry
        /// The time of its last change, in milliseconds since 1970-01-01T00:00:00Z; 0 if unknown.
        package var changedAt: Int64

        package init(_ entry: Entry, changedAt: Int64) {
            self.entry = entry
            self.changedAt = changedAt
        }
    }

    /// The task and the first day of the period.
    package let key: TaskDay
    /// The task.
    package let draft: TaskDraft
    /// The progress of the period.
    package let progress: PeriodProgress
    /// The to-do to show; nil if the period is over, cannot be reached any more, or needs nothing.
    package let todo: PeriodTodo?
    /// The entries of the period, and of the days on which the to-do was changed elsewhere.
    package let entries: [CivilDate: DatedEntry]
    /// The link of its to-do; nil if there is none.
    package var link: TodoLink?

    package init(
        _ key: TaskDay, draft: TaskDraft, progress: PeriodProgress, todo: PeriodTodo?,
        entries: [CivilDate: DatedEntry], link: TodoLink?
    ) {
        self.key = key
        self.draft = draft
        self.progress = progress
        self.todo = todo
        self.entries = entries
        self.link = link
    }

    /// Whether changes have not been sent yet.
    package var isWaiting: Bool { link.map { $0.sent != todo?.fingerprint } ?? true }
}

/// Compares the to-do of a period with the period here, without side effects.
///
/// The to-do itself follows hub. What was done to it there is an ``edit`` of days; until that is stored, nothing is sent.
package struct PeriodMerge: Hashable, Sendable {
    /// What a person did to the to-do; nil for nothing.
    package let edit: PeriodEdit?
    /// The link after the comparison.
    package let link: TodoLink
    /// Whether the to-do has to be written again.
    package let isSent: Bool

    /// Compares `ours` with `theirs` at `place`, as ``DayMerge`` does.
    package init(
        _ ours: SyncPeriod, _ theirs: IncomingTodo, at place: RemoteEntry, isEcho: Bool = false,
        isSame: (PeriodTodo) -> Bool
    ) {
        let base = ours.link?.delivered(theirs)
        let isSetBack = base?.changedAt.map { (theirs.changedAt ?? $0) < $0 - DayMerge.setBack } ?? false
        edit = isEcho || isSetBack ? nil : PeriodEdit(ours, theirs, since: base)
        let isAtRest =
            base.map { $0.seen == theirs.fingerprint && $0.sent == ours.todo?.fingerprint } ?? false
        let isEqual = isAtRest || (ours.todo.map(isSame) ?? false)
        isSent = edit == nil && !isEqual && !isEcho
        var link = base ?? TodoLink(ours.key, href: place.href)
        (link.href, link.etag, link.unread, link.sending) = (place.href, place.etag, nil, nil)
        link.theirs = Entry(completion: Double(theirs.progress.percent), note: theirs.note)
        link.state = theirs.progress.status.rawValue
        link.number = theirs.written?.completion
        (link.changedAt, link.completedAt) = (theirs.changedAt, theirs.completedAt)
        link.seen = theirs.fingerprint
        if edit != nil {
            link.sent = 0
        } else if isEqual {
            link.sent = ours.todo?.fingerprint ?? 0
        } else if !isEcho {
            link.sent = 0
        }
        self.link = link
    }
}

extension TodoLink {
    /// Returns the link of a period, updated if the server has stored what hub sent, and the response was lost; the time
    /// of the change shows it.
    fileprivate func delivered(_ theirs: IncomingTodo) -> TodoLink {
        let sent = sending?.changedAt ?? (isSeen ? nil : changedAt)
        guard let sent, sent / 1000 == theirs.changedAt.map({ $0 / 1000 }) else { return self }
        var link = self
        link.state = theirs.progress.status.rawValue
        link.completedAt = theirs.completedAt
        link.theirs = Entry(completion: Double(theirs.progress.percent), note: link.theirs?.note)
        return link
    }
}

/// What a person did to the to-do of a period in another program.
package struct PeriodEdit: Hashable, Sendable {
    /// The kinds of changes of the state.
    package enum Kind: Hashable, Sendable {
        /// Completed: the day is done.
        case completed
        /// No longer completed: the last reached day is cleared.
        case reopened
        /// Cancelled: the days that are left are skipped.
        case cancelled
        /// Another percentage: more or less of the period is done on the day of the change.
        case share(Int)
    }

    /// The change of the state; nil for none.
    package let kind: Kind?
    /// A new description; nil for none.
    package let note: String?
    /// The time of the change, in milliseconds since 1970-01-01T00:00:00Z; nil if unknown.
    package let changedAt: Int64?

    /// Compares `theirs` with what it was by `base`, the link of the last comparison; nil if nothing was done to it.
    init?(_ ours: SyncPeriod, _ theirs: IncomingTodo, since base: TodoLink?) {
        let target = ours.progress.target
        let before = base?.state
        let status = theirs.progress.status
        // hub completes a to-do with the number that reaches the period.
        let isOwn =
            theirs.written.map { target.isReached($0.completion, in: ours.progress) }
            ?? (base == nil && ours.progress.state == .reached)
        kind =
            switch status {
            case .completed where !(isOwn && !target.isRolling):
                before != status.rawValue || theirs.completedAt != base?.completedAt ? .completed : nil
            case .cancelled: before != status.rawValue ? .cancelled : nil
            case .needsAction, .inProcess:
                if before == TodoProgress.Status.completed.rawValue, ours.progress.state == .reached,
                    !target.isRolling, target.measure == .days
                {
                    .reopened
                } else {
                    PeriodEdit.share(theirs.progress.percent, ours.progress, since: base)
                }
            case .completed: nil
            }
        // A description of unknown age belongs to a day only with what was done then.
        let isNew = base.map { $0.theirs?.note != theirs.note } ?? (kind != nil)
        note = isNew ? theirs.note : nil
        changedAt = theirs.changedTime(isCompletion: kind == .completed)
        if kind == nil, note == nil { return nil }
    }

    /// A percentage that is not the one of the last comparison. Without one, nothing changed: programs that do not know
    /// percentages leave it out.
    private static func share(_ percent: Int, _ progress: PeriodProgress, since base: TodoLink?) -> Kind? {
        guard let before = base?.theirs, percent > 0, Double(percent) != before.completion,
            !(progress.target.isRolling && progress.state == .reached)
        else { return nil }
        return .share(percent)
    }
}

extension IncomingTodo {
    /// The time of the last change: of a completion that of `COMPLETED`.
    package func changedTime(isCompletion: Bool) -> Int64? { (isCompletion ? completedAt : nil) ?? changedAt }
}
