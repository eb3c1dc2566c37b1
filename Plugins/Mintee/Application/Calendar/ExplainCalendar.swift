import CivilDate
import Commands
package import HubKit
import MinteeDomain
import Storage
import Sync

extension MinteePlugin {
    /// Says of the tasks whose ids begin so what their days are here and in each calendar. After a slash a day may follow, such as
    /// `7kt/2026-11-20`. The accounts are asked, and nothing is changed.
    package func explain(_ prefix: String) async throws -> [ItemExplanation] { try await accounts.explain(prefix) }
}

extension AccountManager<Calendars> {
    /// The most tasks of one beginning of an id that are explained.
    private static var limit: Int { 5 }

    /// Says of the tasks whose ids begin so, and of the day after a slash, what they are here and in each calendar.
    func explain(_ prefix: String) async throws -> [ItemExplanation] {
        let parts = prefix.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        var day: CivilDate?
        if parts.count == 2 {
            day = CivilDate(parts[1])
            // A whole year is what machines exchange.
            if day == nil, !parts[1].isEmpty { return [] }
        }
        let tasks = try await backend.store.read { try $0.tasks(beginning: parts[0], limit: Self.limit) }
        var all: [ItemExplanation] = []
        for setup in try registry.accounts() {
            for task in tasks { all += try await explain(task, on: day, in: setup.account) }
        }
        return all
    }

    private func explain(_ task: TaskRecord, on day: CivilDate?, in account: Account) async throws -> [ItemExplanation]
    {
        let (store, window) = (backend.store, backend.window)
        let (known, todos) = try await store.read { transaction in
            (try transaction.calendar(of: account.name), try transaction.todos(of: task, window, account.name))
        }
        let wanted = todos.filter { day == nil || $0.key.date == day }
        if wanted.isEmpty {
            return [Self.absent(task, day, window, in: "\(account.name)/\(known?.name ?? account.calendar)")]
        }
        let hrefs = wanted.compactMap(\.link?.href)
        var there: [ByteString: ReadTodo] = [:]
        var failure: String?
        if let known, !hrefs.isEmpty {
            let asked = try await ask(account.name) { try await $0.open(known.href).fetch(hrefs) }
            failure = asked.failure
            for item in asked.answer ?? [] { there[ByteString(item.href)] = ReadTodo(item) }
        }
        let scope = ReceivingScope(
            window: window, missing: [], sent: [:], now: backend.clock.now.milliseconds, boundary: backend.day)
        var found: [(name: String, explanation: ItemExplanation)] = []
        for todo in wanted {
            var item = AccountItem(
                "\(task.draft.name), \(todo.words)", in: known?.name ?? account.calendar, of: account.name,
                link: todo.link.map { RemoteEntry(href: $0.href, etag: $0.etag) }, .calendar)
            item.absence = todo.absence(of: task, window)
            item.here = todo.changes
            item.failure = failure
            if let link = todo.link, failure == nil {
                if let read = there[ByteString(link.href)] {
                    let state = try await store.read { try $0.receivingState(read, account.name, scope) }
                    item.compare(link, with: ReceivingPlan(state, meeting: read, scope), of: read)
                } else {
                    item.isGone = true
                }
            }
            found.append((todo.words, item.explanation))
        }
        return Self.together(found, of: task)
    }

    /// What is said of a task, or a day of it, that a calendar neither has nor shows.
    private static func absent(
        _ task: TaskRecord, _ day: CivilDate?, _ window: SyncWindow, in place: String
    ) -> ItemExplanation {
        let shown = "\(window.due.lowerBound) to \(window.due.upperBound)"
        let (here, why): (String, String) =
            if task.deletedAt != nil {
                ("in the trash", "a task in the trash is in no calendar")
            } else if let day, !task.draft.isDue(on: day) {
                ("not due", "a calendar shows the days that are due")
            } else if day != nil {
                (
                    "there",
                    "the calendar shows \(shown), and earlier days with an entry from \(window.filled.lowerBound) on"
                )
            } else {
                ("there", "no day from \(shown) is due, and no earlier one has an entry")
            }
        return ItemExplanation(
            place: place, item: day.map { "\(task.draft.name), \($0)" } ?? task.draft.name, base: "never synced",
            here: here, there: "not there", next: "nothing", why: why)
    }

    /// Says of days to which the same happens that it is the same.
    private static func together(
        _ found: [(name: String, explanation: ItemExplanation)], of task: TaskRecord
    ) -> [ItemExplanation] {
        var groups: [[(name: String, explanation: ItemExplanation)]] = []
        for one in found {
            let same = groups.firstIndex { group in
                let (a, b) = (group[0].explanation, one.explanation)
                return (a.here, a.there, a.next, a.why) == (b.here, b.there, b.next, b.why)
                    && (a.base == "never synced") == (b.base == "never synced")
            }
            if let same { groups[same].append(one) } else { groups.append([one]) }
        }
        return groups.map { group in
            let one = group[0].explanation
            guard let last = group.last?.name, group.count > 1 else { return one }
            return ItemExplanation(
                place: one.place, item: "\(task.draft.name), \(group.count) days from \(group[0].name) to \(last)",
                base: one.base == "never synced" ? one.base : "\(group.count) to-dos, each as it was last compared",
                here: one.here, there: one.there, next: one.next, why: one.why)
        }
    }
}

/// A day or a period of a task that a calendar has or shows.
private struct ExplainedTodo: Sendable {
    let key: TaskDay
    /// What it is here; nil if it is not shown any more.
    let shown: SyncedTodo?
    let link: TodoLink?

    /// `2026-11-20`, or `the period from 2026-11-16`.
    var words: String { key.isPeriod ? "the period from \(key.date)" : "\(key.date)" }

    /// Why a calendar shall not show it; nil if it shall.
    func absence(of task: TaskRecord, _ window: SyncWindow) -> String? {
        if shown != nil { return nil }
        if task.deletedAt != nil { return "in the trash" }
        if key.isPeriod { return "over, or needs nothing any more" }
        return task.draft.isDue(on: key.date) ? "outside of the days that the calendar shows" : "not due"
    }

    /// What has changed here since it was last compared.
    var changes: [String] {
        guard let link, let shown else { return [] }
        switch shown {
        case .day(let day):
            let changes = Entry.changes(from: link.ours, to: day.todo.entry)
            return changes.isEmpty && day.isWaiting ? ["name, tags, reminder or target"] : changes
        case .period(let period):
            return period.isWaiting ? ["its number, days, name, tags or reminder"] : []
        }
    }
}

extension Transaction {
    /// The days and periods of a task that a calendar has or shows, in order.
    fileprivate func todos(of task: TaskRecord, _ window: SyncWindow, _ account: String) throws -> [ExplainedTodo] {
        var links: [TaskDay: TodoLink] = [:]
        for link in try todoLinks(of: account) where link.day.taskID == task.id { links[link.day] = link }
        let shown = try task.deletedAt == nil ? shownTodos(of: task, window) : []
        let here = shown.map { ExplainedTodo(key: $0.key, shown: $0, link: links.removeValue(forKey: $0.key)) }
        return try
            (here.map { todo in
                // With its link, by which its changes are known.
                guard todo.link != nil else { return todo }
                return ExplainedTodo(
                    key: todo.key, shown: try syncedTodo(todo.key, window, account: account) ?? todo.shown,
                    link: todo.link)
            } + links.values.map { ExplainedTodo(key: $0.day, shown: nil, link: $0) }).sorted { $0.key < $1.key }
    }
}

extension AccountItem {
    /// Says what was changed there since, and what the sync makes of it.
    fileprivate mutating func compare(_ link: TodoLink, with plan: ReceivingPlan, of read: ReadTodo) {
        var changes: [String] = []
        if case .keep(let new, _) = plan.step {
            changes =
                link.day.isPeriod
                ? PeriodChanges.words(from: link, to: new) : Entry.changes(from: link.theirs, to: new.theirs)
            if changes.isEmpty, let old = link.state, let state = new.state, old != state {
                changes.append("status \(old) -> \(state)")
            }
        }
        if changes.isEmpty, read.entry.etag != link.etag { changes.append("written again, with nothing new for hub") }
        there = changes
        let received = plan.result
        let isNews = received.taken > 0 || received.isEdited
        switch received.outcome {
        case .skipped(let problem): wait = problem.text
        case .ignored: merge = ("is left alone", "it is no longer a to-do that hub made")
        case .unwanted:
            merge =
                isNews
                ? ("is taken from there, and removed there", "it is \(absence ?? "not shown any more") here")
                : ("is removed there", "it is \(absence ?? "not shown any more") here")
        case .linked(_, _, let sends):
            if isNews, !here.isEmpty || !received.notices.isEmpty {
                merge = (
                    "both are merged",
                    received.notices.isEmpty
                        ? "they have changed different values" : received.notices.joined(separator: "; ")
                )
            } else if isNews {
                merge = ("is taken from there", "it was changed there")
            } else if sends {
                merge = ("is sent", here.isEmpty ? "another program has written what is hub's" : "it was changed here")
            } else {
                merge = ("nothing", "both are as they were")
            }
        case .vanished, .changedAgain: break
        }
    }
}

/// What was changed in the to-do of a period.
private enum PeriodChanges {
    static func words(from old: TodoLink, to new: TodoLink) -> [String] {
        func percent(_ link: TodoLink) -> String { link.theirs.map { "\(NumberText.text($0.completion)) %" } ?? "none" }
        var words: [String] = []
        if percent(old) != percent(new) { words.append("progress \(percent(old)) -> \(percent(new))") }
        if old.theirs?.note != new.theirs?.note { words.append("note") }
        return words
    }
}

extension Entry {
    /// What differs between two entries, in words.
    fileprivate static func changes(from old: Entry?, to new: Entry?) -> [String] {
        func value(_ entry: Entry?) -> String { entry.map { NumberText.text($0.completion) } ?? "none" }
        func skip(_ entry: Entry?) -> String {
            entry?.skipReason.map { $0.isEmpty ? "yes" : "\"\($0.prefix(40))\"" } ?? "no"
        }
        func note(_ entry: Entry?) -> String { entry?.note.map { "\"\($0.prefix(40))\"" } ?? "none" }
        var words: [String] = []
        // A note alone makes an entry of 0.
        let isSame = old?.completion ?? 0 == new?.completion ?? 0
        if value(old) != value(new), !isSame || old?.note == new?.note && old?.skipReason == new?.skipReason {
            words.append("value \(value(old)) -> \(value(new))")
        }
        if skip(old) != skip(new) { words.append("skipped \(skip(old)) -> \(skip(new))") }
        if note(old) != note(new) { words.append("note \(note(old)) -> \(note(new))") }
        return words
    }
}
