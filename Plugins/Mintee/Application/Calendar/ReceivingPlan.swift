import MinteeDomain
import Storage
import Sync

/// The parameters for comparing to-dos.
struct ReceivingScope: Sendable {
    let window: SyncWindow
    /// The days whose to-dos are not at their paths any more.
    let missing: Set<TaskDay>
    /// The to-dos that were written just now, by href.
    let sent: [ByteString: SentTodo]
    /// The time of the comparison, in milliseconds since 1970 UTC.
    let now: Int64
}

/// The result of comparing a to-do.
struct ReceivedTodo: Sendable {
    var outcome: FetchOutcome<TaskDay>
    /// Whether the entry of the day was changed.
    var isTaken = false
    /// The to-do to write.
    var update: OutgoingTodo?
    /// Notices for the user, one sentence each.
    var notices: [String] = []
}

/// The stored state of a to-do and its day.
struct ReceivingState: Hashable, Sendable {
    /// The link of the to-do at this place.
    let known: TodoLink?
    /// The day with its own link; nil when no live task is due on it.
    let ours: SyncDay?
}

/// The plan for a to-do and its day. Everything whose cost depends on the size of the to-do is done here, outside of any
/// transaction; the plan is applied only if `state` is still what is stored.
struct ReceivingPlan: Sendable {
    enum Step: Sendable {
        case none
        /// The item is skipped while it has this etag, or with an empty one until it can be fetched.
        case hold(etag: String)
        /// The link is stored, and the entry of the day if it has changed.
        case keep(TodoLink, taken: TakenEntry?)
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
            let problem = known.map { SyncProblem(.unreadable, id: $0.day, href: item.href) }
            self.init(
                state, .hold(etag: item.entry.etag),
                ReceivedTodo(outcome: problem.map { .skipped($0) } ?? .ignored(isReadable: item.isReadable)))
            return
        }
        guard var ours = state.ours, Self.isOwn(ours.link, item, receiving) else {
            self = Self.leave(state, item)
            return
        }
        var isEcho = false
        if let sent = receiving.sent[ByteString(item.entry.href)], sent.link.day == day {
            let base = sent.base(for: theirs, at: item.entry, before: ours.link)
            (ours.link, isEcho) = (base.link, base.isEcho)
        }
        let merge = DayMerge(
            ours, theirs, at: item.entry, isEcho: isEcho, isSame: { (try? $0.applied(to: item.text)) == item.text })
        let isShown = receiving.window.shows(day.date, isFilled: merge.entry != nil)
        if !isShown, known == nil, receiving.sent.isEmpty {
            self = Self.leave(state, item)
            return
        }
        let etag = item.entry.etag
        var received = ReceivedTodo(
            outcome: isShown ? .linked(day, etag: etag, sends: false) : .unwanted(day, etag: etag),
            isTaken: merge.isTaken)
        received.notices = merge.clashes.map { "\(ours.todo.name), \(day.date): changed on both sides, \($0)" }
        // A clock that is ahead must not make all that follows look old.
        var link = merge.link
        link.changedAt = link.changedAt.map { min($0, receiving.now) }
        let taken =
            merge.isTaken
            ? TakenEntry(
                entry: merge.entry.map(\.bounded),
                changedAt: link.changedAt == nil ? nil : min(merge.changedAt, receiving.now)) : nil
        if isShown, merge.isSent { received.send(ours.todo, merge, theirs, over: item, receiving.now) }
        self.init(state, .keep(link, taken: taken), received)
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
        do {
            let (day, etag) = (TaskDay(todo.taskID, todo.date), item.entry.etag)
            update = OutgoingTodo(todo: todo, href: item.href, etag: etag, bytes: try todo.applied(to: item.text))
            outcome = .linked(day, etag: etag, sends: true)
        } catch {
            outcome = .skipped(SyncProblem(.unreadable, id: TaskDay(todo.taskID, todo.date), href: item.href))
        }
    }
}

extension Entry {
    /// The entry with texts of a limited length, for what comes from outside.
    fileprivate var bounded: Entry {
        Entry(
            completion: completion, skipReason: skipReason.map { String($0.prefix(1000)) },
            note: note.map { String($0.prefix(10_000)) })
    }
}

/// Applying plans that were made outside of the transaction, unless the stored state has changed since.
extension Transaction {
    /// Returns the stored state of a to-do and its day.
    func receivingState(_ item: ReadTodo, _ account: String) throws -> ReceivingState {
        ReceivingState(
            known: try todoLink(at: item.entry.href, in: account),
            ours: try item.day.flatMap { try syncDay($0, account: account) })
    }

    /// Stores the link, and changes the entry of the day in the same commit.
    /// - Returns: false if the state has changed; nothing is done then. An item is skipped in any state.
    func apply(_ plan: ReceivingPlan, of item: ReadTodo, _ account: String) throws -> Bool {
        if case .hold(let etag) = plan.step {
            try holdTodo(RemoteEntry(href: item.href, etag: etag), in: account)
            return true
        }
        guard try receivingState(item, account) == plan.state else { return false }
        switch plan.step {
        case .none, .hold: break
        case .keep(let link, let taken):
            if let taken { try take(taken, link.day) }
            try saveTodoLink(link, in: account)
        }
        return true
    }

    /// Stores the link of a to-do that is about to be sent; returns false if `day` has changed.
    func announceTodo(_ todo: OutgoingTodo, of day: SyncDay, _ account: String) throws -> Bool {
        guard try syncDay(todo.day, account: account) == day else { return false }
        try saveTodoLink(todo.link(at: todo.href), in: account)
        return true
    }

    /// Stores the entry of the day as the server has it.
    private func take(_ taken: ReceivingPlan.TakenEntry, _ day: TaskDay) throws {
        guard let record = try task(day.taskID) else { return }
        try setEntry(taken.entry, of: record, on: day.date, at: taken.changedAt)
        try emitCompletion(taken.entry ?? Entry(), of: record, on: day.date)
    }
}
