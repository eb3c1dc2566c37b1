package import CivilDate
package import ICalendar
import Text

/// A to-do read from a server, with the entry of its day.
package struct IncomingTodo: Hashable, Sendable {
    /// The `UID`; empty if it has none.
    package var uid: String
    /// The name of the task.
    package var name: String
    /// Its `CATEGORIES`.
    package var tags: [String]
    /// The first day, from `DTSTART`, else from `DUE`; the UTC day of a time in UTC. Nil if it has neither.
    package var date: CivilDate?
    /// The day of its `DUE`, if it has one.
    package var due: CivilDate?
    /// The progress.
    package var progress: TodoProgress
    /// Its `DESCRIPTION`; nil for none.
    package var note: String?
    /// The times of completion and of the last change, in milliseconds since 1970-01-01T00:00:00Z.
    package var completedAt, changedAt: Int64?
    /// The day of completion as it is written, if it is not in UTC.
    package var completedOn: CivilDate?
    /// The entry that hub wrote last; other programs preserve it.
    package var written: Entry?
    /// The target that hub wrote.
    package var target: Target?
    /// Whether it is a series, or a day of one.
    package var isSeries: Bool

    /// The task and the day or period of a to-do that hub created.
    package var own: TaskDay? { TaskDay(uid: uid) }

    /// Reads the first to-do of `text`, or the one with this `UID`; nil if there is none. Throws if `text` cannot be
    /// parsed.
    package static func read(_ text: [UInt8], uid: String? = nil) throws(ICalError) -> IncomingTodo? {
        let todos = try ICalReader.read(text, limits: .item).flatMap(\.components).filter { $0.name == "VTODO" }
        let own = uid.flatMap { uid in todos.first { $0["UID"]?.text.hasSameBytes(as: uid) ?? false } }
        return (own ?? (uid == nil ? todos.first : nil)).map(IncomingTodo.init)
    }

    /// Reads a `VTODO`.
    package init(_ todo: ICalComponent) {
        func time(_ name: String) -> ICalTime? { todo[name]?.times?.first }
        uid = todo["UID"]?.text ?? ""
        name = todo["SUMMARY"]?.text ?? ""
        tags = todo.all("CATEGORIES").flatMap(\.texts).filter { !$0.isBlank }
        date = (time("DTSTART") ?? time("DUE"))?.date
        due = time("DUE")?.date
        note = todo["DESCRIPTION"].map(\.text).flatMap { $0.isBlank ? nil : $0 }
        completedAt = time("COMPLETED")?.milliseconds
        completedOn = time("COMPLETED").flatMap { $0.isUTC ? nil : $0.date }
        changedAt = (time("LAST-MODIFIED") ?? time("DTSTAMP"))?.milliseconds
        isSeries = todo["RRULE"] != nil || todo["RDATE"] != nil || todo["RECURRENCE-ID"] != nil
        target = (todo[TodoFields.target]?.text).flatMap { try? Target($0) }
        let skip = todo[TodoFields.skip]?.text
        let number = (todo[TodoFields.completion]?.value).flatMap { Double($0) }.flatMap { $0.isFinite ? $0 : nil }
        written = number == nil && skip == nil ? nil : Entry(completion: number ?? 0, skipReason: skip)
        progress = TodoProgress(todo)
    }

    /// Whether it has custom properties of hub; without any, a program may have dropped them.
    var hasProperties: Bool { written != nil || target != nil }

    /// The entry that hub sent last, which stands in for what a program that drops custom properties has removed.
    package struct Known: Hashable, Sendable {
        let entry: Entry?
        /// The status that the to-do had with it; nil if unknown.
        let status: TodoProgress.Status?
    }

    /// Returns the entry of the day, for a day with this target; nil if there is none.
    ///
    /// If the state is the one that hub wrote, its exact value applies. Otherwise another program changed it: done is
    /// the smallest value that reaches the target, not done means no value, a percentage is that share of a lower bound, and
    /// a cancelled to-do is a skipped day. Without the custom properties that hub wrote, `known` has them.
    package func entry(for target: Target?, known: Known? = nil) -> Entry? {
        let isDropped = !hasProperties && known?.entry != nil
        let written =
            isDropped ? known?.entry.map { Entry(completion: $0.completion, skipReason: $0.skipReason) } : self.written
        var before = TodoProgress(written, self.target ?? target)
        if isDropped, let status = known?.status { before.status = status }
        let hasShare = progress.status == .inProcess && (progress.percent > 0 || !isDropped)
        var entry: Entry?
        if before.status == progress.status, !hasShare || before.percent == progress.percent {
            entry = written
        } else {
            switch progress.status {
            case .completed:
                // A value above the target is kept: the tick is removed in the calendar.
                let value = written?.completion ?? 0
                let isKept = written != nil && Entry.category(of: value, target) != .under
                entry = Entry(completion: isKept ? value : Completion.reaching(target))
            case .cancelled: entry = Entry(completion: written?.completion ?? 0, skipReason: written?.skipReason ?? "")
            case .inProcess: entry = Entry(completion: share(of: target) ?? written?.completion ?? 0)
            // A program that does not know the custom properties may not know IN-PROCESS either.
            case .needsAction: entry = isDropped && before.status == .inProcess ? written : nil
            }
        }
        if let note {
            entry = entry ?? Entry()
            entry?.note = note
        }
        return entry
    }

    /// The reached share of a lower bound; nil for a target without one.
    private func share(of target: Target?) -> Double? {
        guard let target, target.minOperator != .none, target.min > 0 else { return nil }
        return (target.min * Double(progress.percent)).rounded() / 100
    }
}

extension TodoProgress {
    /// The state of a `VTODO`; without `STATUS`, derived from `COMPLETED` and `PERCENT-COMPLETE`.
    init(_ todo: ICalComponent) {
        let percent = (todo["PERCENT-COMPLETE"]?.value).flatMap { Int($0) }.map { min(100, max(0, $0)) }
        let status = (todo["STATUS"]?.value).flatMap { Status(rawValue: $0.uppercased()) }
        let guess: Status =
            todo["COMPLETED"] != nil || percent == 100 ? .completed : (percent ?? 0) > 0 ? .inProcess : .needsAction
        self.init(status ?? guess, percent: (status ?? guess) == .completed ? 100 : min(99, percent ?? 0))
    }
}
