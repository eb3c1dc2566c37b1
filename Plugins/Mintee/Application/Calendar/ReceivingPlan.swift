import HubKit
import MinteeDomain
import Sync

/// What looking at to-dos needs to know.
struct Receiving: Sendable {
    let account: String
    let window: SyncWindow
    /// The days whose to-do is not where it was.
    let missing: Set<TaskDay>
    /// To-dos that were written just now, by their places.
    let sent: [String: SentTodo]
    /// The time of the comparison, in milliseconds since 1970 UTC.
    let now: Int64
}

/// What looking at a to-do came to.
struct ReceivedTodo: Sendable {
    var outcome: TodoEngine.Outcome
    /// Whether the day here became another.
    var isTaken = false
    /// What has to be written there.
    var update: OutgoingTodo?
    var problem: CalendarReport.Problem?
    /// What a person should know, a sentence each.
    var notices: [String] = []
}

/// What is stored of a to-do and the day that it stands for.
struct ReceivingState: Hashable, Sendable {
    /// The link of the to-do at this place.
    let known: TodoLink?
    /// The day with its own link; nil when no live task is due on it.
    let ours: SyncDay?
}

/// What becomes of a to-do and the day that it stands for. All that takes time with the size of the to-do is done here,
/// outside of any transaction; the plan is applied only if what is stored is still `state`.
struct ReceivingPlan: Sendable {
    enum Step: Sendable {
        /// Nothing is kept.
        case none
        /// It is noted as foreign.
        case hold
        /// The link is kept, and the entry of the day when it is another.
        case keep(TodoLink, taken: TakenEntry?)
    }

    /// What they say of the day.
    struct TakenEntry: Hashable, Sendable {
        let entry: Entry?
        /// When it was said, in milliseconds since 1970 UTC; nil when they do not say.
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

    init(_ state: ReceivingState, meeting item: ReadTodo, _ receiving: Receiving) {
        let known = state.known
        guard let theirs = item.todo, let day = item.day, known == nil || known?.day == day else {
            let problem = known.map {
                CalendarReport.Problem(
                    task: nil, date: $0.day.date, text: "\(item.entry.href) is no longer a to-do created by hub")
            }
            self.init(state, .hold, ReceivedTodo(outcome: .foreign, problem: problem))
            return
        }
        guard var ours = state.ours, Self.isOwn(ours.link, item, receiving) else {
            self = Self.leave(state)
            return
        }
        var isEcho = false
        if let sent = receiving.sent[item.entry.href], sent.link.day == day {
            let base = sent.base(for: theirs, at: item.entry, before: ours.link)
            (ours.link, isEcho) = (base.link, base.isEcho)
        }
        let merge = DayMerge(
            ours, theirs, at: item.entry, isEcho: isEcho, isSame: { (try? $0.applied(to: item.text)) == item.text })
        let isShown = receiving.window.shows(day.date, isFilled: merge.entry != nil)
        if !isShown, known == nil, receiving.sent.isEmpty {
            self = Self.leave(state)
            return
        }
        var received = ReceivedTodo(outcome: isShown ? .stands(day) : .stray(day), isTaken: merge.isTaken)
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
    private static func isOwn(_ link: TodoLink?, _ item: ReadTodo, _ receiving: Receiving) -> Bool {
        guard let link, link.isSeen, link.href != item.entry.href else { return true }
        return receiving.missing.contains(link.day)
    }

    /// A to-do that no due day stands behind: ours is removed, what we do not know is left alone.
    private static func leave(_ state: ReceivingState) -> ReceivingPlan {
        state.known.map { ReceivingPlan(state, .none, ReceivedTodo(outcome: .stray($0.day))) }
            ?? ReceivingPlan(state, .hold, ReceivedTodo(outcome: .foreign))
    }
}

extension ReceivedTodo {
    /// Plans what is written over `item`.
    fileprivate mutating func send(
        _ todo: DayTodo, _ merge: DayMerge, _ theirs: IncomingTodo, over item: ReadTodo, _ now: Int64
    ) {
        var todo = todo
        todo.entry = merge.entry
        // Time goes on: what is cleared has none of its own, and must not look older than what it replaces.
        todo.changedAt = min(max(todo.changedAt, theirs.changedAt ?? 0), now)
        do {
            update = OutgoingTodo(
                todo: todo, href: item.entry.href, tag: item.entry.tag, text: try todo.applied(to: item.text))
        } catch {
            problem = CalendarReport.Problem(
                task: todo.name, date: todo.date, text: "what is at \(item.entry.href) cannot be read")
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
