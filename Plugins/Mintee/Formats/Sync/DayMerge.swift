package import Links

/// What becomes of a day when a to-do of it is looked at: a pure rule.
///
/// Name, date, tags and target follow hub. Of the value, the skip and the note each is taken from the side that changed it
/// since both were compared last; where both changed the same one, the later side counts, and that is told. What hub means
/// and the other side does not have yet is sent.
package struct DayMerge: Hashable, Sendable {
    /// What is entered for the day afterwards.
    package let entry: Entry?
    /// Whether that comes from the other side.
    package let isTaken: Bool
    /// When that was said, in milliseconds since 1970 UTC.
    package let changedAt: Int64
    /// What is known of the to-do afterwards.
    package let link: TodoLink
    /// Whether the to-do has to be written anew.
    package let isSent: Bool
    /// What both sides changed to different things, in words: `value 7 here gave way to 9 there`.
    package let clashes: [String]

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
        // A server may drop the share, but puts no other in its place.
        let isShareKept = [0, TodoProgress(base?.ours, ours.todo.target).percent].contains(theirs.progress.percent)
        let isKept = isEcho && isShareKept && theirs.keeps(base?.ours, ours.todo.target)
        let state = theirs.progress.status.rawValue
        // Without hub's own properties a tick may say what was said before: nothing is enough for some targets.
        let isMoved = base?.state.map { $0 != state } ?? false
        let theyChanged = !isSetBack && !isKept && (isMoved || theirEntry != base?.theirs)
        let weChanged = ours.todo.entry != base?.ours
        let theyAreLater = (theirs.changedAt ?? 0) >= ours.enteredAt
        // What we sent may come back poorer, and not be known again when the answer to sending was lost.
        // A note that was there and is not any more was taken out by a person, not by a keeper who drops it.
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
        (link.href, link.tag) = (place.href, place.tag)
        // What was not delivered yet stays a change of ours.
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

/// The fields of a day that both sides have changed: each from the side that changed it, and where both did, from the
/// later one.
private struct FieldMerge {
    /// What is entered afterwards.
    let entry: Entry?
    /// What of that the other side knows: its own fields, and ours as they were when both were compared last.
    let known: Entry?
    /// What gave way, in words.
    let clashes: [String]

    init(
        _ ours: Entry?, since ourBase: Entry?, _ theirs: Entry?, since theirBase: Entry?, isMoved: Bool,
        areLater: Bool
    ) {
        var clashes: [String] = []
        /// Merges one field; returns it, and what the other side knows of it.
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
                    ? "\(name) \(text(our)) here gave way to \(text(their)) there"
                    : "\(name) \(text(their)) there gave way to \(text(our)) here")
            return areLater ? (their, their) : (our, field(ourBase))
        }
        let weSkipped = ours?.skipReason != ourBase?.skipReason
        let theySkipped = theirs?.skipReason != theirBase?.skipReason
        let value = merged("value", { $0?.completion ?? 0 }, NumberText.text, isMoved: isMoved && !theySkipped)
        let note = merged("note", { $0?.note }) { $0.map { "\"\($0.prefix(40))\"" } ?? "none" }
        var skip = merged("skip", { $0?.skipReason }) {
            $0.map { $0.isEmpty ? "skipped" : "\"\($0.prefix(40))\"" } ?? "none"
        }
        // A value and a skip say different things of one day, also when each side changed only one of them.
        let weValued = (ours?.completion ?? 0) != (ourBase?.completion ?? 0)
        let theyValued = (theirs?.completion ?? 0) != (theirBase?.completion ?? 0)
        if theySkipped, !weSkipped, weValued, theirs?.skipReason != nil, !areLater {
            skip = (ours?.skipReason, ourBase?.skipReason)
            clashes.append("skip there gave way to value \(NumberText.text(value.0)) here")
        } else if weSkipped, !theySkipped, theyValued, ours?.skipReason != nil, areLater {
            skip = (theirs?.skipReason, theirs?.skipReason)
            clashes.append("skip here gave way to value \(NumberText.text(value.0)) there")
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
