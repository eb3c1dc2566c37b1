package import CivilDate
package import MinteeDomain
import SQLite
package import Storage

/// A day or a period here, as a sync compares it.
package enum SyncedTodo: Hashable, Sendable {
    case day(SyncDay)
    case period(SyncPeriod)

    /// The task and the day or the first day of the period.
    package var key: TaskDay {
        switch self {
        case .day(let day): day.day
        case .period(let period): period.key
        }
    }

    /// The link of its to-do; nil if there is none.
    package var link: TodoLink? {
        switch self {
        case .day(let day): day.link
        case .period(let period): period.link
        }
    }

    /// Whether changes have not been sent yet.
    package var isWaiting: Bool {
        switch self {
        case .day(let day): day.isWaiting
        case .period(let period): period.isWaiting
        }
    }
}

/// The local side of a sync: the days and periods shown in a calendar.
extension Transaction {
    /// Returns the days and periods of `window` with the known links of their to-dos, and the links without such a one.
    package func syncDays(
        _ window: SyncWindow, account: String
    ) throws -> (days: [SyncedTodo], orphans: [TodoLink]) {
        var links: [TaskDay: TodoLink] = [:]
        for link in try todoLinks(of: account) { links[link.day] = link }
        var days: [SyncedTodo] = []
        for record in try tasks() { days += try syncDays(of: record, window, &links) }
        return (days, links.values.sorted { $0.day < $1.day })
    }

    /// Returns the days and periods of `window` of one task.
    package func shownTodos(of record: TaskRecord, _ window: SyncWindow) throws -> [SyncedTodo] {
        var none: [TaskDay: TodoLink] = [:]
        return try syncDays(of: record, window, &none)
    }

    private func syncDays(
        of record: TaskRecord, _ window: SyncWindow, _ links: inout [TaskDay: TodoLink]
    ) throws -> [SyncedTodo] {
        var days: [SyncedTodo] = []
        let entries = try datedEntries(of: record.id, in: window.filled)
        // No single day of a period target is due.
        let due =
            record.draft.period == nil ? record.schedule(today: window.due.upperBound).days(in: window.due) : []
        for date in Set(due).union(entries.keys).sorted() where record.draft.isDue(on: date) {
            let day = SyncDay(
                record, date, entries[date], link: links.removeValue(forKey: TaskDay(record.id, date)))
            days.append(.day(day))
        }
        for key in record.periods(in: window) {
            guard let period = try syncPeriod(record, key, window, link: links[key]), period.todo != nil else {
                continue
            }
            links[key] = nil
            days.append(.period(period))
        }
        return days
    }

    /// Whether changes have not been sent to the calendar of an account yet.
    package func hasTodoWork(_ window: SyncWindow, account: String) throws -> Bool {
        let (days, orphans) = try syncDays(window, account: account)
        return !orphans.isEmpty || days.contains(where: \.isWaiting)
    }

    /// Returns one day or period as a sync compares it, of a period with the entry of the day `also`; nil if no live task
    /// has it.
    package func syncedTodo(
        _ key: TaskDay, _ window: SyncWindow, account: String, also day: CivilDate? = nil
    ) throws -> SyncedTodo? {
        guard let record = try task(key.taskID), record.deletedAt == nil else { return nil }
        let link = try todoLink(of: key, in: account)
        if key.isPeriod { return try syncPeriod(record, key, window, also: day, link: link).map { .period($0) } }
        guard record.draft.isDue(on: key.date) else { return nil }
        let entries = try datedEntries(of: record.id, in: key.date...key.date)
        return .day(SyncDay(record, key.date, entries[key.date], link: link))
    }

    /// Returns a period as a sync compares it; nil for a task that does not have any.
    private func syncPeriod(
        _ record: TaskRecord, _ key: TaskDay, _ window: SyncWindow, also day: CivilDate? = nil, link: TodoLink?
    ) throws -> SyncPeriod? {
        guard let target = record.draft.period, target.lowerBound != nil else { return nil }
        let (today, length) = (window.today, target.length)
        let date = target.isRolling ? today : key.date
        let span = target.days(around: date, weekStart: window.weekStart)
        let days = try periodDays(
            of: record,
            target.isRolling ? today.adding(days: -length - 1)...today.adding(days: length) : span)
        let progress = target.progress(on: date, days, weekStart: window.weekStart, today: today)
        var entries = try datedEntries(of: record.id, in: span)
        let changedAt = entries.values.map(\.changedAt).max() ?? 0
        if let day, !span.contains(day) { entries.merge(try datedEntries(of: record.id, in: day...day)) { $1 } }
        var todo: PeriodTodo?
        if record.periods(in: window).contains(key),
            let shown = target.todoDays(progress, days, today: today), shown.lowerBound <= window.due.upperBound
        {
            todo = PeriodTodo(
                key, name: record.draft.name, tags: record.draft.tags, remindAt: record.draft.remindAt,
                progress: progress, days: shown, changedAt: max(changedAt, record.changedAt.milliseconds))
        }
        return SyncPeriod(
            key, draft: record.draft, progress: progress, todo: todo,
            entries: entries.mapValues { SyncPeriod.DatedEntry($0.entry, changedAt: $0.changedAt) }, link: link)
    }

    /// Returns the days of a task with a period target in a range.
    private func periodDays(of record: TaskRecord, _ span: ClosedRange<CivilDate>) throws -> PeriodDays {
        let years = try years(
            of: [record.id], from: span.lowerBound.components.year, to: span.upperBound.components.year)
        let amounts = Dictionary(
            try entries(of: record.id, from: span.lowerBound, to: span.upperBound)
                .map { ($0.day, $0.entry.skipReason == nil ? $0.entry.completion : 0) }
        ) { $1 }
        return PeriodDays(
            years[0].timeline(of: record.draft, from: span.lowerBound, to: span.upperBound), amounts: amounts,
            sets: record.draft.schedule.sets)
    }

    private func datedEntries(
        of task: String, in span: ClosedRange<CivilDate>
    ) throws -> [CivilDate: (entry: Entry, changedAt: Int64)] {
        var found: [CivilDate: (entry: Entry, changedAt: Int64)] = [:]
        try scan(
            """
            SELECT day, completion, skip, note, changed_at FROM mintee_instance
            WHERE task = ? AND entered = 1 AND day >= ? AND day <= ?
            """, task, span.lowerBound.description, span.upperBound.description
        ) { row in
            if let day = row.withBytes(0, { CivilDate(storedBytes: $0) }) {
                let entry = Entry(
                    completion: row.double(1), skipReason: row.optionalText(2), note: row.optionalText(3))
                found[day] = (entry, Int64(row.int(4)))
            }
            return true
        }
        return found
    }
}

extension SyncDay {
    fileprivate init(
        _ record: TaskRecord, _ date: CivilDate, _ said: (entry: Entry, changedAt: Int64)?, link: TodoLink?
    ) {
        let enteredAt = said?.changedAt ?? 0
        self.init(
            todo: DayTodo(
                taskID: record.id, date: date, name: record.draft.name, tags: record.draft.tags,
                remindAt: record.draft.remindAt, target: record.draft.target(on: date), entry: said?.entry,
                changedAt: enteredAt > 0 ? enteredAt : record.changedAt.milliseconds),
            enteredAt: enteredAt, link: link)
    }
}

extension TaskRecord {
    /// The periods that a calendar may show: the current one and those that begin in the days ahead; of the last days,
    /// which move, a single one.
    fileprivate func periods(in window: SyncWindow) -> [TaskDay] {
        guard let target = draft.period, let first = draft.firstDay else { return [] }
        if target.isRolling { return [TaskDay(id, first, isPeriod: true)] }
        var keys: [TaskDay] = []
        var start = target.days(around: window.today, weekStart: window.weekStart)
        while start.lowerBound <= window.due.upperBound {
            keys.append(TaskDay(id, start.lowerBound, isPeriod: true))
            start = target.days(around: start.upperBound.adding(days: 1), weekStart: window.weekStart)
        }
        return keys
    }
}
