package import Sync

/// Merges a day with its to-do, without side effects.
///
/// Name, date, tags and target follow hub. Value, skip and note are each taken from the side that changed them since
/// the last comparison; if both changed the same field, the later change wins, and the conflict is reported. Changes of
/// hub that the server lacks are sent.
package struct DayMerge: Hashable, Sendable {
    /// The merged entry of the day.
    package let entry: Entry?
    /// Whether the merged entry comes from the server.
    package let isTaken: Bool
    /// The time of the merged change, in milliseconds since 1970-01-01T00:00:00Z.
    package let changedAt: Int64
    /// The link after the merge.
    package let link: TodoLink
    /// Whether the to-do has to be written again.
    package let isSent: Bool
    /// The conflicts in words: `value 7 here was replaced by 9 from the calendar`.
    package let clashes: [String]

    /// A to-do older than the known one is not a change: the server was restored from a backup, or filled by another
    /// hub after data loss. Timestamps of hub are exact to the second; clocks of phones may differ by less than this.
    static let setBack: Int64 = 86_400_000

    /// Compares `ours` with `theirs` at `place`. `isSame` means that hub would write exactly the stored text. `isEcho`
    /// is for a to-do that was just written, with its link: differences were made by the server.
    package init(
        _ ours: SyncDay, _ theirs: IncomingTodo, at place: RemoteEntry, isEcho: Bool = false,
        isSame: (DayTodo) -> Bool
    ) {
        let sides = DayComparison(ours, theirs, isEcho: isEcho)
        let merged = sides.merged
        let isEqual = sides.isAtRest(merged.todo) || isSame(merged.todo)
        entry = merged.todo.entry
        isTaken = merged.todo.entry != ours.todo.entry
        changedAt = merged.todo.changedAt
        clashes = merged.clashes
        isSent = !isEqual && !isEcho
        link = sides.link(after: merged, at: place, isEqual: isEqual)
    }
}

/// A day and its to-do, and what each side has changed since they were compared last.
private struct DayComparison {
    /// The day with the changes of both sides.
    struct Merged {
        var todo: DayTodo
        /// The part of its entry that the server knows.
        var known: Entry?
        var clashes: [String] = []
    }

    private let ours: SyncDay
    private let theirs: IncomingTodo
    /// Whether the to-do was just written, so that the server made the differences.
    private let isEcho: Bool
    /// The link as of the last comparison.
    private let base: TodoLink?
    private let theirEntry: Entry?

    init(_ ours: SyncDay, _ theirs: IncomingTodo, isEcho: Bool) {
        self.ours = ours
        self.theirs = theirs
        self.isEcho = isEcho
        base = ours.link?.delivered(ours.todo, as: theirs)
        theirEntry = theirs.entry(for: ours.todo.target, knowing: base)
    }

    private var target: Target? { ours.todo.target }
    private var state: String { theirs.progress.status.rawValue }

    private var weChanged: Bool { ours.todo.entry != base?.ours }

    private var theyChanged: Bool { !isSetBack && !isStoredAsSent && (isMoved || theirEntry != base?.theirs) }

    private var theyAreLater: Bool { (theirs.changedAt ?? 0) >= ours.enteredAt }

    /// Whether the server has a to-do that is older than the known one.
    private var isSetBack: Bool {
        let leeway = theirs.isAsWritten(target) ? 0 : DayMerge.setBack
        return base?.changedAt.map { (theirs.changedAt ?? $0) < $0 - leeway } ?? false
    }

    /// Whether the to-do is what was just sent. A server may drop the share, but puts no other in its place.
    private var isStoredAsSent: Bool {
        let shares = [0, TodoProgress(base?.ours, target).percent]
        return isEcho && shares.contains(theirs.progress.percent) && theirs.keeps(base?.ours, target)
    }

    /// Whether the state is another one. Without hub's custom properties, a tick may repeat the known value: 0 is enough for
    /// some targets.
    private var isMoved: Bool { base?.state.map { $0 != state } ?? false }

    /// Whether the to-do says what hub says. The server may drop properties that hub sent, and the link is unknown if the
    /// response to sending was lost. A note that was present and now is missing was removed by a person, not dropped.
    private var isOurs: Bool {
        let isNoteGone = theirs.note == nil && (base.map { $0.isSeen && $0.theirs?.note != nil } ?? false)
        return theirs.progress == ours.todo.progress && theirs.keeps(ours.todo.entry, target) && !isNoteGone
    }

    /// Whether the to-do has a change that hub does not have.
    private var isNews: Bool { theyChanged && !isOurs && theirEntry != ours.todo.entry }

    var merged: Merged {
        var merged = Merged(todo: ours.todo, known: ours.todo.entry)
        guard isNews else { return merged }
        if weChanged {
            let fields = FieldMerge(
                ours.todo.entry, since: base?.ours, theirEntry, since: base?.theirs, isMoved: isMoved,
                areLater: theyAreLater)
            (merged.todo.entry, merged.known, merged.clashes) = (fields.entry, fields.known, fields.clashes)
        } else {
            merged.todo.entry = theirEntry
        }
        if merged.todo.entry != ours.todo.entry {
            merged.todo.changedAt = max(theirs.changedAt ?? ours.todo.changedAt, weChanged ? ours.enteredAt : 0)
        }
        return merged
    }

    /// Whether both sides are as they were when the to-do was written last.
    func isAtRest(_ todo: DayTodo) -> Bool {
        base.map { $0.seen == theirs.fingerprint && $0.sent == todo.fingerprint } ?? false
    }

    /// Returns the link after the merge; `isEqual` if nothing has to be sent.
    func link(after merged: Merged, at place: RemoteEntry, isEqual: Bool) -> TodoLink {
        var link = base ?? TodoLink(ours.day, href: place.href)
        (link.href, link.etag, link.unread, link.sending) = (place.href, place.etag, nil, nil)
        // Changes that were not delivered yet remain changes of hub.
        if isEqual || !weChanged || theirEntry == merged.todo.entry {
            link.ours = merged.todo.entry
        } else if isNews {
            link.ours = merged.known
        }
        link.theirs = theirEntry
        link.state = state
        link.number = theirs.written?.completion
        link.changedAt = theirs.changedAt
        link.seen = theirs.fingerprint
        if isEqual { link.sent = merged.todo.fingerprint } else if !isEcho { link.sent = 0 }
        return link
    }
}

/// Merges the fields of a day that both sides have changed: each from the side that changed it, and the later one if
/// both did.
private struct FieldMerge {
    /// The merged entry.
    let entry: Entry?
    /// The part of it that the server knows: its own fields, and ours as of the last comparison.
    let known: Entry?
    /// The conflicts in words.
    let clashes: [String]

    init(
        _ ours: Entry?, since ourBase: Entry?, _ theirs: Entry?, since theirBase: Entry?, isMoved: Bool,
        areLater: Bool
    ) {
        var clashes: [String] = []
        /// Merges one field; returns it, and the value that the server knows.
        func merged<T: Equatable>(
            _ name: String, _ field: (Entry?) -> T, _ text: (T) -> String, isMoved: Bool = false
        ) -> (T, T) {
            let (our, their) = (field(ours), field(theirs))
            let weDid = our != field(ourBase)
            let theyDid = their != field(theirBase) || isMoved && our != their
            guard theyDid else { return (our, weDid ? field(ourBase) : our) }
            guard weDid, our != their else { return (their, their) }
            clashes.append(
                areLater
                    ? "\(name) \(text(our)) here was replaced by \(text(their)) from the calendar"
                    : "\(name) \(text(their)) from the calendar was replaced by \(text(our)) here")
            return areLater ? (their, their) : (our, field(ourBase))
        }
        let weSkipped = ours?.skipReason != ourBase?.skipReason
        let theySkipped = theirs?.skipReason != theirBase?.skipReason
        let value = merged("value", { $0?.completion ?? 0 }, NumberText.text, isMoved: isMoved && !theySkipped)
        let note = merged("note", { $0?.note }) { $0.map { "\"\($0.prefix(40))\"" } ?? "none" }
        var skip = merged("skip", { $0?.skipReason }) {
            $0.map { $0.isEmpty ? "skipped" : "\"\($0.prefix(40))\"" } ?? "none"
        }
        // A value and a skip exclude each other, even if each side changed only one of them.
        let weValued = (ours?.completion ?? 0) != (ourBase?.completion ?? 0)
        let theyValued = (theirs?.completion ?? 0) != (theirBase?.completion ?? 0)
        if theySkipped, !weSkipped, weValued, theirs?.skipReason != nil, !areLater {
            skip = (ours?.skipReason, ourBase?.skipReason)
            clashes.append("skip from the calendar was replaced by value \(NumberText.text(value.0)) here")
        } else if weSkipped, !theySkipped, theyValued, ours?.skipReason != nil, areLater {
            skip = (theirs?.skipReason, theirs?.skipReason)
            clashes.append("skip here was replaced by value \(NumberText.text(value.0)) from the calendar")
        }
        func entry(_ value: Double, _ skip: String?, _ note: String?, or empty: Entry?) -> Entry? {
            value == 0 && skip == nil && note == nil && empty == nil
                ? nil : Entry(completion: value, skipReason: skip, note: note)
        }
        self.entry = entry(value.0, skip.0, note.0, or: areLater ? theirs : ours)
        known = entry(value.1, skip.1, note.1, or: areLater ? theirs : ourBase)
        self.clashes = clashes
    }
}

extension TodoLink {
    /// Returns the link, updated if the server has stored an entry that hub sent, and the response was lost. The number
    /// shows it, or else the time of the change with the same progress.
    fileprivate func delivered(_ todo: DayTodo, as theirs: IncomingTodo) -> TodoLink {
        let written = theirs.written?.completion
        let sent = isSeen ? sending : changedAt.map { Sending(ours, changedAt: $0) }
        let entry = sent.map(\.entry) ?? todo.entry
        let isSame =
            sent.map { $0.changedAt / 1000 == theirs.changedAt.map { $0 / 1000 } } ?? false
            && theirs.keeps(entry, todo.target)
        // A number that may have been dropped is that of a day without an entry only if the state says so too.
        let isTold = theirs.hasProperties || theirs.progress.status == TodoProgress(entry, todo.target).status
        guard isSame || isSeen && written != number && written == entry?.completion && isTold else { return self }
        var link = self
        // A server may have stored less than it was sent.
        link.ours = entry
        link.theirs = isSame ? theirs.entry(for: todo.target, known: .init(entry: entry, status: nil)) : entry
        (link.state, link.number) = (TodoProgress(entry, todo.target).status.rawValue, written)
        return link
    }
}

extension IncomingTodo {
    /// Whether the progress is unchanged since hub wrote it.
    func isAsWritten(_ target: Target?) -> Bool {
        progress.status == TodoProgress(written, self.target ?? target).status
    }

    /// Whether this is `entry` as stored by a server: servers may drop unknown properties, but do not replace them.
    func keeps(_ entry: Entry?, _ target: Target?) -> Bool {
        progress.status == TodoProgress(entry, target).status
            && (written.map { $0.completion == entry?.completion } ?? true)
            && (note.map { $0 == entry?.note } ?? true)
    }

    /// Returns the entry of the day. A number that differs from the known one was changed on purpose and overrides the
    /// state.
    func entry(for target: Target?, knowing link: TodoLink?) -> Entry? {
        guard let number = written?.completion, let link, link.isSeen, number != link.number else {
            return entry(for: target, known: link?.known(target))
        }
        return Entry(
            completion: number, skipReason: progress.status == .cancelled ? written?.skipReason ?? "" : nil,
            note: note)
    }
}

extension TodoLink {
    /// The entry of the to-do when it was compared last: as it was sent, if the to-do had the state of that.
    fileprivate func known(_ target: Target?) -> IncomingTodo.Known {
        let status = state.flatMap(TodoProgress.Status.init)
        let sent = isSeen ? ours : sending?.entry ?? ours
        let isSent = status == nil || TodoProgress(sent, target).status == status
        return IncomingTodo.Known(entry: isSent ? sent : theirs, status: status)
    }
}

/// A day here, as a sync compares it.
package struct SyncDay: Hashable, Sendable {
    /// The day as a to-do.
    package var todo: DayTodo
    /// The time of the last change of the entry, in milliseconds since 1970-01-01T00:00:00Z; 0 if unknown.
    package var enteredAt: Int64
    /// The link of its to-do; nil if there is none.
    package var link: TodoLink?

    package init(todo: DayTodo, enteredAt: Int64 = 0, link: TodoLink? = nil) {
        self.todo = todo
        self.enteredAt = enteredAt
        self.link = link
    }

    /// The task and date of the to-do.
    package var day: TaskDay { TaskDay(todo.taskID, todo.date) }

    /// Whether changes have not been sent yet.
    package var isWaiting: Bool { link.map { $0.sent != todo.fingerprint } ?? true }
}
