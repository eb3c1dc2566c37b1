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
        let base = ours.link?.delivered(ours.todo, as: theirs)
        let theirEntry = theirs.entry(for: ours.todo.target, knowing: base)
        let leeway = theirs.isAsWritten(ours.todo.target) ? 0 : Self.setBack
        let isSetBack = base?.changedAt.map { (theirs.changedAt ?? $0) < $0 - leeway } ?? false
        // A server may drop the share, but puts no other in its place.
        let isShareKept = [0, TodoProgress(base?.ours, ours.todo.target).percent].contains(theirs.progress.percent)
        let isKept = isEcho && isShareKept && theirs.keeps(base?.ours, ours.todo.target)
        let state = theirs.progress.status.rawValue
        // Without hub's custom properties, a tick may repeat the known state: 0 is enough for some targets.
        let isMoved = base?.state.map { $0 != state } ?? false
        let theyChanged = !isSetBack && !isKept && (isMoved || theirEntry != base?.theirs)
        let weChanged = ours.todo.entry != base?.ours
        let theyAreLater = (theirs.changedAt ?? 0) >= ours.enteredAt
        // The server may drop properties that hub sent, and the link is unknown if the response to sending was lost. A
        // note that was present and now is missing was removed by a person, not dropped by the server.
        let isNoteGone = theirs.note == nil && (base.map { $0.isSeen && $0.theirs?.note != nil } ?? false)
        let isOurs =
            theirs.progress == ours.todo.progress && theirs.keeps(ours.todo.entry, ours.todo.target) && !isNoteGone
        let isNews = theyChanged && !isOurs && theirEntry != ours.todo.entry

        var todo = ours.todo
        var known = todo.entry
        var clashes: [String] = []
        if isNews, weChanged {
            let fields = FieldMerge(
                ours.todo.entry, since: base?.ours, theirEntry, since: base?.theirs, isMoved: isMoved,
                areLater: theyAreLater)
            (todo.entry, known, clashes) = (fields.entry, fields.known, fields.clashes)
        } else if isNews {
            todo.entry = theirEntry
        }
        let isTaken = todo.entry != ours.todo.entry
        if isTaken { todo.changedAt = max(theirs.changedAt ?? todo.changedAt, weChanged ? ours.enteredAt : 0) }
        self.clashes = clashes
        changedAt = todo.changedAt
        let seen = theirs.fingerprint
        let isAtRest = base.map { $0.seen == seen && $0.sent == todo.fingerprint } ?? false
        let isEqual = isAtRest || isSame(todo)
        entry = todo.entry
        self.isTaken = isTaken
        isSent = !isEqual && !isEcho

        var link = base ?? TodoLink(ours.day, href: place.href)
        (link.href, link.etag, link.unread, link.sending) = (place.href, place.etag, nil, nil)
        // Changes that were not delivered yet remain changes of hub.
        if isEqual || !weChanged || theirEntry == todo.entry {
            link.ours = todo.entry
        } else if isNews {
            link.ours = known
        }
        link.theirs = theirEntry
        link.state = state
        link.number = theirs.written?.completion
        link.changedAt = theirs.changedAt
        link.seen = seen
        if isEqual { link.sent = todo.fingerprint } else if !isEcho { link.sent = 0 }
        self.link = link
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
