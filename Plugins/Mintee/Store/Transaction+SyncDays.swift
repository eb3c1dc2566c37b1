import CivilDate
package import MinteeDomain
import SQLite
package import Storage

/// The local side of a sync: the days shown in a calendar.
extension Transaction {
    /// Returns the days of `window` with the known links of their to-dos, and the links without such a day.
    package func syncDays(
        _ window: SyncWindow, account: String
    ) throws -> (days: [SyncDay], orphans: [TodoLink]) {
        var links: [TaskDay: TodoLink] = [:]
        for link in try todoLinks(of: account) { links[link.day] = link }
        var days: [SyncDay] = []
        for record in try tasks() {
            let entries = try datedEntries(of: record.id, in: window.filled)
            // No single day of a period target is due.
            let due =
                record.draft.period == nil ? record.schedule(today: window.due.upperBound).days(in: window.due) : []
            for date in Set(due).union(entries.keys).sorted() where record.draft.isDue(on: date) {
                let day = SyncDay(
                    record, date, entries[date], link: links.removeValue(forKey: TaskDay(record.id, date)))
                days.append(day)
            }
        }
        return (days, links.values.sorted { $0.day < $1.day })
    }

    /// Whether changes have not been sent to the calendar of an account yet.
    package func hasTodoWork(_ window: SyncWindow, account: String) throws -> Bool {
        let (days, orphans) = try syncDays(window, account: account)
        return !orphans.isEmpty || days.contains(where: \.isWaiting)
    }

    /// Returns one day as a sync compares it; nil if no live task is due then.
    package func syncDay(_ day: TaskDay, account: String) throws -> SyncDay? {
        guard let record = try task(day.taskID), record.deletedAt == nil, record.draft.isDue(on: day.date) else {
            return nil
        }
        let entries = try datedEntries(of: record.id, in: day.date...day.date)
        return SyncDay(record, day.date, entries[day.date], link: try todoLink(of: day, in: account))
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
