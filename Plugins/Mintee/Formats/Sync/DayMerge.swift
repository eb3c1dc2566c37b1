package import Links

/// What becomes of a day when a to-do of it is looked at: a pure rule.
///
/// Name, date, tags and target follow hub. Of the value, skip and note the side counts that changed them since both were
/// compared last; when both did, the later one. What hub means and the other side does not have yet is sent.
package struct DayMerge: Hashable, Sendable {
    /// What is entered for the day afterwards.
    package let entry: Entry?
    /// Whether that comes from the other side.
    package let isTaken: Bool
    /// What is known of the to-do afterwards.
    package let link: TodoLink
    /// Whether the to-do has to be written anew.
    package let isSent: Bool

    /// A to-do that is older than the known one is no news but a server that was set back, or filled by another hub after
    /// it had lost all. What hub wrote says so to the second; clocks of phones may be wrong by less than this.
    static let setBack: Int64 = 86_400_000

    /// Compares `ours` with `theirs` at `place`. `isSame` tells that hub would write exactly what is there. `isEcho` is for
    /// a to-do that was written just now, with the link that belongs to it: where it differs, its keeper wants it so.
    package init(
        _ ours: SyncDay, _ theirs: IncomingTodo, at place: RemoteEntry, isEcho: Bool = false,
        isSame: (DayTodo) -> Bool
    ) {
        let base = ours.link?.delivered(ours.todo, as: theirs)
        let theirEntry = theirs.entry(for: ours.todo.target, knowing: base)
        let leeway = theirs.isAsWritten(ours.todo.target) ? 0 : Self.setBack
        let isSetBack = base?.changedAt.map { (theirs.changedAt ?? $0) < $0 - leeway } ?? false
        let isKept = isEcho && theirs.keeps(base?.ours, ours.todo.target)
        let state = theirs.progress.status.rawValue
        // Without hub's own properties a tick may say what was said before: nothing is enough for some targets.
        let isMoved = base?.state.map { $0 != state } ?? false
        let theyChanged = !isSetBack && !isKept && (isMoved || theirEntry != base?.theirs)
        let weChanged = ours.todo.entry != base?.ours
        let theyAreLater = (theirs.changedAt ?? 0) >= ours.enteredAt
        // What we sent may come back poorer, and not be known again when the answer to sending was lost.
        let isOurs = theirs.progress == ours.todo.progress && theirs.keeps(ours.todo.entry, ours.todo.target)
        let isTaken = theyChanged && !isOurs && theirEntry != ours.todo.entry && (!weChanged || theyAreLater)

        var todo = ours.todo
        if isTaken {
            todo.entry = theirEntry
            todo.changedAt = theirs.changedAt ?? todo.changedAt
        }
        let seen = theirs.fingerprint
        let isAtRest = base.map { $0.seen == seen && $0.sent == todo.fingerprint } ?? false
        let isEqual = isAtRest || isSame(todo)
        entry = todo.entry
        self.isTaken = isTaken
        isSent = !isEqual && !isEcho

        var link = base ?? TodoLink(ours.day, href: place.href)
        (link.href, link.tag) = (place.href, place.tag)
        // What was not delivered yet stays a change of ours.
        if isTaken || isEqual || !weChanged || theirEntry == todo.entry { link.ours = todo.entry }
        link.theirs = theirEntry
        link.state = state
        link.number = theirs.written?.completion
        link.changedAt = theirs.changedAt
        link.seen = seen
        if isEqual { link.sent = todo.fingerprint } else if !isEcho { link.sent = 0 }
        self.link = link
    }
}

extension TodoLink {
    /// The same, or, when their number is no longer the known one but ours, what is known since ours arrived there: the
    /// answer to sending it was lost.
    fileprivate func delivered(_ todo: DayTodo, as theirs: IncomingTodo) -> TodoLink {
        let written = theirs.written?.completion
        guard isSeen, written != number, written == todo.entry?.completion else { return self }
        var link = self
        (link.ours, link.theirs) = (todo.entry, todo.entry)
        (link.state, link.number) = (todo.progress.status.rawValue, written)
        return link
    }
}

extension IncomingTodo {
    /// Whether no other program has changed how far it is since hub wrote it.
    func isAsWritten(_ target: Target?) -> Bool {
        progress.status == TodoProgress(written, self.target ?? target).status
    }

    /// Whether this is what became of `entry` on its way: keepers may drop what they do not know, but put nothing else in
    /// its place.
    func keeps(_ entry: Entry?, _ target: Target?) -> Bool {
        progress.status == TodoProgress(entry, target).status
            && (written.map { $0.completion == entry?.completion } ?? true)
            && (note.map { $0 == entry?.note } ?? true)
    }

    /// What the to-do says of its day. A number that is another than the known one was meant by whoever wrote it, whatever
    /// the state says.
    func entry(for target: Target?, knowing link: TodoLink?) -> Entry? {
        guard let number = written?.completion, let link, link.isSeen, number != link.number else {
            return entry(for: target)
        }
        return Entry(
            completion: number, skipReason: progress.status == .cancelled ? written?.skipReason ?? "" : nil,
            note: note)
    }
}
