import HubKit
import Links
import MinteeDomain

/// The context for processing to-dos.
struct Receiving: Sendable {
    let account: String
    let window: SyncWindow
    /// The days whose to-do is missing at its known path.
    let missing: Set<TaskDay>
    /// The links of to-dos that were just written, by path.
    let echoes: [String: TodoLink]
}

/// The result of processing a to-do.
struct ReceivedTodo: Sendable {
    var outcome: TodoEngine.Outcome
    /// Whether the entry here was changed.
    var isTaken = false
    /// The update to send to the server.
    var update: OutgoingTodo?
    var problem: CalendarReport.Problem?
    /// Notices for the user, one sentence each.
    var notices: [String] = []
}

extension Transaction {
    /// Merges a fetched to-do with the day here, and stores the day and its link in the same commit.
    func receive(_ item: ReadTodo, _ receiving: Receiving, isDryRun: Bool = false) throws -> ReceivedTodo {
        let account = receiving.account
        let known = try todoLink(at: item.entry.href, in: account)
        guard let theirs = item.todo, let day = item.day, known == nil || known?.day == day else {
            if !isDryRun { try holdTodo(item.entry, in: account) }
            let problem = known.map {
                CalendarReport.Problem(
                    task: nil, date: $0.day.date, text: "\(item.entry.href) is no longer a to-do created by hub")
            }
            return ReceivedTodo(outcome: .foreign, problem: problem)
        }
        guard var ours = try syncDay(day, account: account), isOwn(ours.link, item, receiving) else {
            return try leave(item, known, in: account, isDryRun)
        }
        if let echo = receiving.echoes[item.entry.href], echo.day == day { ours.link = echo }
        let merge = DayMerge(
            ours, theirs, at: item.entry, isEcho: receiving.echoes[item.entry.href] != nil,
            isSame: { (try? $0.applied(to: item.text)) == item.text })
        var received = ReceivedTodo(outcome: .stands(day), isTaken: merge.isTaken)
        received.notices = merge.clashes.map { "\(ours.todo.name), \(day.date): changed on both sides, \($0)" }
        let isShown = receiving.window.shows(day.date, isFilled: merge.entry != nil)
        if !isShown, known == nil, receiving.echoes.isEmpty { return try leave(item, known, in: account, isDryRun) }
        if !isDryRun {
            if merge.isTaken { try take(merge, day) }
            // A clock that is ahead must not make all later changes look old.
            var link = merge.link
            link.changedAt = link.changedAt.map { min($0, now.milliseconds) }
            try saveTodoLink(link, in: account)
        }
        guard isShown else {
            received.outcome = .stray(day)
            return received
        }
        guard merge.isSent else { return received }
        var todo = ours.todo
        todo.entry = merge.entry
        // A deletion has no time of its own, and must not look older than the entry that it replaces.
        todo.changedAt = min(max(todo.changedAt, theirs.changedAt ?? 0), now.milliseconds)
        do {
            received.update = OutgoingTodo(
                todo: todo, href: item.entry.href, tag: item.entry.tag, text: try todo.applied(to: item.text))
        } catch {
            received.problem = CalendarReport.Problem(
                task: todo.name, date: todo.date, text: "cannot read \(item.entry.href)")
        }
        return received
    }

    /// Stores that a to-do is about to be created, and returns it; nil if the day is no longer shown.
    func announceTodo(
        _ day: TaskDay, _ account: String, _ window: SyncWindow, place: (String) -> String
    ) throws -> OutgoingTodo? {
        guard let ours = try syncDay(day, account: account),
            window.shows(day.date, isFilled: ours.todo.entry != nil)
        else { return nil }
        let href = place(ours.todo.uid)
        let todo = OutgoingTodo(todo: ours.todo, href: href, tag: "", text: ours.todo.text)
        try saveTodoLink(todo.link(at: href), in: account)
        return todo
    }

    /// Whether the to-do is the first one of its day, not a duplicate.
    private func isOwn(_ link: TodoLink?, _ item: ReadTodo, _ receiving: Receiving) -> Bool {
        guard let link, link.isSeen, link.href != item.entry.href else { return true }
        return receiving.missing.contains(link.day)
    }

    /// Handles a to-do without a due day: one with a link is removed, an unknown one is left alone.
    private func leave(
        _ item: ReadTodo, _ known: TodoLink?, in account: String, _ isDryRun: Bool
    ) throws -> ReceivedTodo {
        if let known { return ReceivedTodo(outcome: .stray(known.day)) }
        if !isDryRun { try holdTodo(item.entry, in: account) }
        return ReceivedTodo(outcome: .foreign)
    }

    /// Stores the entry of the merged day.
    private func take(_ merge: DayMerge, _ day: TaskDay) throws {
        guard let record = try task(day.taskID) else { return }
        // Data from outside is limited in size.
        let entry = merge.entry.map { said in
            Entry(
                completion: said.completion, skipReason: said.skipReason.map { String($0.prefix(1000)) },
                note: said.note.map { String($0.prefix(10_000)) })
        }
        try setEntry(
            entry, of: record, on: day.date,
            at: merge.link.changedAt == nil ? nil : min(merge.changedAt, now.milliseconds))
        try emitCompletion(entry ?? Entry(), of: record, on: day.date)
    }
}
