import CivilDate
import ICalendar
import MinteeDomain
import Storage
import Sync
import Time

/// The parameters for comparing to-dos.
struct ReceivingScope: Sendable {
    let window: SyncWindow
    /// The days whose to-dos are not at their paths any more.
    let missing: Set<TaskDay>
    /// The to-dos that were written just now, by href.
    let sent: [ByteString: SentTodo]
    /// The time of the comparison, in milliseconds since 1970 UTC.
    let now: Int64
    /// The start of a day.
    let boundary: DayBoundary

    /// The time of the last change of a to-do of a period; not later than now.
    func time(_ edit: PeriodEdit) -> Int64 { min(edit.changedAt ?? now, now) }

    /// The day on which a to-do of a period was completed or else changed, where the person is.
    func day(of todo: IncomingTodo) -> CivilDate {
        let isDone = todo.progress.status == .completed
        if isDone, let day = todo.completedOn { return day }
        let time = min(todo.changedTime(isCompletion: isDone) ?? now, now)
        return boundary.day(of: Instant(milliseconds: time))
    }
}

/// The result of comparing a to-do.
struct ReceivedTodo: Sendable {
    var outcome: FetchOutcome<TaskDay>
    /// The number of days whose entries were changed.
    var taken = 0
    /// Whether the to-do of a period was changed on the server, so that it is written by another sync.
    var isEdited = false
    /// The to-do to write.
    var update: OutgoingTodo?
    /// Notices for the user, one sentence each.
    var notices: [String] = []
}

/// The stored state of a to-do and its day.
struct ReceivingState: Hashable, Sendable {
    /// The link of the to-do at this place.
    let known: TodoLink?
    /// The day or period with its own link; nil when no live task has it.
    let ours: SyncedTodo?
    /// The day of which another program left a completed copy; nil for none.
    let copied: SyncDay?
}

/// The plan for a to-do and its day. Everything whose cost depends on the size of the to-do is done here, outside of any
/// transaction; the plan is applied only if `state` is still what is stored.
struct ReceivingPlan: Sendable {
    enum Step: Sendable {
        case none
        /// The item is skipped while it has this etag, or with an empty one until it can be fetched.
        case hold(etag: String)
        /// The link is stored, and the entries of the days that have changed.
        case keep(TodoLink, taken: [CivilDate: TakenEntry])
        /// The item is skipped while it has this etag, and the entry of a day is stored.
        case adopt(etag: String, TaskDay, TakenEntry)
    }

    /// The entry of the day as the server has it.
    struct TakenEntry: Hashable, Sendable {
        let entry: Entry?
        /// The time of the change, in milliseconds since 1970 UTC; nil if it is unknown.
        let changedAt: Int64?
    }

    let state: ReceivingState
    let step: Step
    let result: ReceivedTodo

    private init(_ state: ReceivingState, _ step: Step, _ result: ReceivedTodo) {
        self.state = state
        self.step = step
        self.result = result
    }

    init(_ state: ReceivingState, meeting item: ReadTodo, _ receiving: ReceivingScope) {
        let known = state.known
        if let failure = item.failure {
            self.init(state, skipping: item, .unfetchable(failure), day: known?.day)
            return
        }
        guard let theirs = item.todo, let day = item.day, known == nil || known?.day == day else {
            if let day = state.copied, known == nil, let theirs = item.todo,
                let taken = Self.completion(day, theirs, receiving)
            {
                var received = ReceivedTodo(outcome: .ignored(isReadable: true))
                (received.taken, received.isEdited) = (1, true)
                self.init(state, .adopt(etag: item.entry.etag, day.day, taken), received)
                return
            }
            let problem = known.map { SyncProblem(.unreadable, id: $0.day, href: item.href) }
            self.init(
                state, .hold(etag: item.entry.etag),
                ReceivedTodo(outcome: problem.map { .skipped($0) } ?? .ignored(isReadable: item.isReadable)))
            return
        }
        guard let known = state.ours, Self.isOwn(known.link, item, receiving) else {
            self = Self.leave(state, item)
            return
        }
        let base = receiving.sent[ByteString(item.entry.href)].flatMap { sent in
            sent.link.day == day ? sent.base(for: theirs, at: item.entry, before: known.link) : nil
        }
        switch known {
        case .day(var ours):
            if let base { ours.link = base.link }
            self.init(state, ours, theirs, item, isEcho: base?.isEcho ?? false, receiving)
        case .period(var ours):
            if let base { ours.link = base.link }
            self.init(state, ours, theirs, item, isEcho: base?.isEcho ?? false, receiving)
        }
    }

    /// The plan for the to-do of a period.
    private init(
        _ state: ReceivingState, _ ours: SyncPeriod, _ theirs: IncomingTodo, _ item: ReadTodo, isEcho: Bool,
        _ receiving: ReceivingScope
    ) {
        let merge = PeriodMerge(
            ours, theirs, at: item.entry, isEcho: isEcho, isSame: { (try? $0.applied(to: item.text)) == item.text })
        if ours.todo == nil, state.known == nil, merge.edit?.kind == nil {
            self = Self.leave(state, item)
            return
        }
        let etag = item.entry.etag
        var received = ReceivedTodo(
            outcome: ours.todo == nil
                ? .unwanted(ours.key, etag: etag) : .linked(ours.key, etag: etag, sends: false))
        var link = merge.link
        link.changedAt = link.changedAt.map { min($0, receiving.now) }
        var taken: [CivilDate: TakenEntry] = [:]
        if let edit = merge.edit {
            let result = edit.result(
                in: ours, on: receiving.day(of: theirs), at: receiving.time(edit), today: receiving.window.today)
            taken = result.taken
            received.notices = result.notices
            received.taken = taken.count
            // Its numbers are known once the days are stored.
            received.isEdited = true
        } else if merge.isSent, let todo = ours.todo {
            received.send(todo, theirs, over: item, receiving.now)
        }
        self.init(state, .keep(link, taken: taken), received)
    }

    /// The plan for the to-do of a day.
    private init(
        _ state: ReceivingState, _ ours: SyncDay, _ theirs: IncomingTodo, _ item: ReadTodo, isEcho: Bool,
        _ receiving: ReceivingScope
    ) {
        let day = ours.day
        let merge = DayMerge(
            ours, theirs, at: item.entry, isEcho: isEcho, isSame: { (try? $0.applied(to: item.text)) == item.text })
        let isShown = receiving.window.shows(day.date, isFilled: merge.entry != nil)
        if !isShown, state.known == nil, receiving.sent.isEmpty {
            self = Self.leave(state, item)
            return
        }
        let etag = item.entry.etag
        var received = ReceivedTodo(
            outcome: isShown ? .linked(day, etag: etag, sends: false) : .unwanted(day, etag: etag),
            taken: merge.isTaken ? 1 : 0)
        received.notices = merge.clashes.map { "\(ours.todo.name), \(day.date): changed on both sides, \($0)" }
        // A clock that is ahead must not make all that follows look old.
        var link = merge.link
        link.changedAt = link.changedAt.map { min($0, receiving.now) }
        let taken =
            merge.isTaken
            ? [
                day.date: TakenEntry(
                    entry: merge.entry.map(\.bounded),
                    changedAt: link.changedAt == nil ? nil : min(merge.changedAt, receiving.now))
            ] : [:]
        if isShown, merge.isSent { received.send(ours.todo, merge, theirs, over: item, receiving.now) }
        self.init(state, .keep(link, taken: taken), received)
    }

    /// The entry of a day that a copy of its to-do completes; nil if the day is reached, or was changed here later.
    private static func completion(
        _ day: SyncDay, _ theirs: IncomingTodo, _ receiving: ReceivingScope
    ) -> TakenEntry? {
        let time = min(theirs.changedTime(isCompletion: true) ?? receiving.now, receiving.now)
        var entry = day.todo.entry ?? Entry()
        let isUnder = Entry.category(of: entry.completion, day.todo.target) == .under
        guard receiving.window.filled.contains(day.day.date), day.enteredAt <= time,
            day.todo.entry == nil || entry.skipReason != nil || isUnder
        else { return nil }
        if day.todo.entry == nil || isUnder { entry.completion = Completion.reaching(day.todo.target) }
        entry.skipReason = nil
        entry.note = entry.note ?? theirs.note
        return TakenEntry(entry: entry.bounded, changedAt: time)
    }

    /// Whether the to-do is the one of its day, and not a second one.
    private static func isOwn(_ link: TodoLink?, _ item: ReadTodo, _ receiving: ReceivingScope) -> Bool {
        guard let link, link.isSeen, link.href != item.entry.href else { return true }
        return receiving.missing.contains(link.day)
    }

    /// A to-do without a due day: one that hub created is removed, an unknown one is left alone.
    private static func leave(_ state: ReceivingState, _ item: ReadTodo) -> ReceivingPlan {
        let etag = item.entry.etag
        return state.known.map { ReceivingPlan(state, .none, ReceivedTodo(outcome: .unwanted($0.day, etag: etag))) }
            ?? ReceivingPlan(state, .hold(etag: etag), ReceivedTodo(outcome: .ignored(isReadable: true)))
    }

    /// An item that is skipped, and fetched again by the next sync.
    init(_ state: ReceivingState, skipping item: ReadTodo, _ reason: SyncProblem<TaskDay>.Reason, day: TaskDay?) {
        let problem = SyncProblem(reason, id: day, href: item.href)
        self.init(state, .hold(etag: ""), ReceivedTodo(outcome: .skipped(problem)))
    }
}

extension ReceivedTodo {
    /// Plans the to-do that replaces `item`.
    fileprivate mutating func send(
        _ todo: DayTodo, _ merge: DayMerge, _ theirs: IncomingTodo, over item: ReadTodo, _ now: Int64
    ) {
        var todo = todo
        todo.entry = merge.entry
        // A cleared entry has no time of its own, and must not look older than the one that it replaces.
        todo.changedAt = min(max(todo.changedAt, theirs.changedAt ?? 0), now)
        let etag = item.entry.etag
        plan(TaskDay(todo.taskID, todo.date), over: item) { () throws(ICalError) in
            OutgoingTodo(todo, at: item.href, etag: etag, bytes: try todo.applied(to: item.text))
        }
    }

    /// Plans the to-do of a period that replaces `item`.
    fileprivate mutating func send(
        _ todo: PeriodTodo, _ theirs: IncomingTodo, over item: ReadTodo, _ now: Int64
    ) {
        var todo = todo
        todo.changedAt = min(max(todo.changedAt, theirs.changedAt ?? 0), now)
        let etag = item.entry.etag
        plan(todo.key, over: item) { () throws(ICalError) in
            OutgoingTodo(todo, at: item.href, etag: etag, bytes: try todo.applied(to: item.text))
        }
    }

    private mutating func plan(
        _ day: TaskDay, over item: ReadTodo, _ outgoing: () throws(ICalError) -> OutgoingTodo
    ) {
        do throws(ICalError) {
            update = try outgoing()
            outcome = .linked(day, etag: item.entry.etag, sends: true)
        } catch {
            outcome = .skipped(SyncProblem(.unreadable, id: day, href: item.href))
        }
    }
}

extension Entry {
    /// The entry with texts of a limited length, for what comes from outside.
    var bounded: Entry {
        Entry(
            completion: completion, skipReason: skipReason.map { String($0.prefix(1000)) },
            note: note.map { String($0.prefix(10_000)) })
    }
}

/// Applying plans that were made outside of the transaction, unless the stored state has changed since.
extension Transaction {
    /// Returns the stored state of a to-do and its day or period.
    func receivingState(_ item: ReadTodo, _ account: String, _ receiving: ReceivingScope) throws -> ReceivingState {
        ReceivingState(
            known: try todoLink(at: item.entry.href, in: account),
            ours: try item.day.flatMap { day in
                try syncedTodo(
                    day, receiving.window, account: account, also: item.todo.map { receiving.day(of: $0) })
            }, copied: try item.copy.flatMap { try copiedDay($0.name, $0.date, receiving.window, account) })
    }

    private func copiedDay(
        _ name: String, _ date: CivilDate, _ window: SyncWindow, _ account: String
    ) throws -> SyncDay? {
        guard let id = try taskID(named: name),
            case .day(let day)? = try syncedTodo(TaskDay(id, date), window, account: account)
        else { return nil }
        return day
    }

    /// Stores the link, and changes the entries of days in the same commit.
    /// - Returns: false if the state has changed; nothing is done then. An item is skipped in any state.
    func apply(
        _ plan: ReceivingPlan, of item: ReadTodo, _ account: String, _ receiving: ReceivingScope
    ) throws -> Bool {
        if case .hold(let etag) = plan.step {
            try holdTodo(RemoteEntry(href: item.href, etag: etag), in: account)
            return true
        }
        guard try receivingState(item, account, receiving) == plan.state else { return false }
        switch plan.step {
        case .none, .hold: break
        case .adopt(let etag, let day, let taken):
            try take(taken, day.taskID, day.date)
            try holdTodo(RemoteEntry(href: item.href, etag: etag), in: account)
        case .keep(let link, let taken):
            for (date, entry) in taken.sorted(by: { $0.key < $1.key }) { try take(entry, link.day.taskID, date) }
            try saveTodoLink(link, in: account)
        }
        return true
    }

    /// Stores the link of a to-do that is about to be sent; returns false if `item` has changed.
    func announceTodo(
        _ todo: OutgoingTodo, of item: SyncedTodo, _ window: SyncWindow, _ account: String
    ) throws -> Bool {
        guard try syncedTodo(todo.day, window, account: account) == item else { return false }
        try saveTodoLink(todo.link(at: todo.href), in: account)
        return true
    }

    /// Stores the entry of a day as the server has it.
    func take(_ taken: ReceivingPlan.TakenEntry, _ taskID: String, _ date: CivilDate) throws {
        guard let record = try task(taskID), record.draft.isDue(on: date) else { return }
        try setEntry(taken.entry, of: record, on: date, at: taken.changedAt)
        try emitCompletion(taken.entry ?? Entry(), of: record, on: date)
    }
}
