package import CivilDate
import HubKit
package import MinteeDomain
import Storage
package import System

/// What a change of several days of a task did.
package struct LoggedDays: Sendable {
    /// The task.
    package let task: TaskRecord
    /// The days that were changed, with their new entries.
    package let changed: [TaskEntry]
    /// The due days that keep what they have: a value is not replaced by a skip, nor one above its target by `done`.
    package let kept: [CivilDate]
    /// The number of due days.
    package let due: Int
}

extension MinteePlugin {
    /// The maximum number of days of one change.
    package static let maximumDays = 366

    /// Changes the entries of tasks on all their due days among `days`, atomically. A task without a due day is left out.
    ///
    /// A day with a value keeps it if the others are skipped, and one above its target if the others are done. A subscriber
    /// gets one `task-changed` for each task.
    package func logCompletion(
        of ids: [String], in days: ClosedRange<CivilDate>, _ change: EntryChange, operation: Operation
    ) async throws -> [LoggedDays] {
        try await store.write(operation) { transaction in
            try ids.compactMap { id in
                try transaction.changeDays(days, of: transaction.liveTask(id), change)
            }
        }
    }
}

extension Transaction {
    /// Applies a change to the due days of a task; nil if there is none.
    fileprivate func changeDays(
        _ days: ClosedRange<CivilDate>, of record: TaskRecord, _ change: EntryChange
    ) throws -> LoggedDays? {
        let entries = Dictionary(
            try entries(of: record.id, from: days.lowerBound, to: days.upperBound).map { ($0.day, $0.entry) }
        ) { $1 }
        var changes: [(day: CivilDate, entry: Entry?)] = []
        var kept: [CivilDate] = []
        var due = 0
        for number in days.lowerBound.daysSinceEpoch...days.upperBound.daysSinceEpoch {
            let day = CivilDate(daysSinceEpoch: number)
            guard record.draft.isDue(on: day) else { continue }
            due += 1
            let before = entries[day]
            if let before, before.isKept(by: change, record.draft.target(on: day)) {
                kept.append(day)
                continue
            }
            let after = try record.entry(after: change, of: before, on: day)
            if after != before { changes.append((day, after)) }
        }
        if due == 0 { return nil }
        if !changes.isEmpty {
            try setDays(changes, of: record)
            try emit(MinteeEvents.taskChanged, record)
        }
        return LoggedDays(
            task: record, changed: changes.map { TaskEntry($0.entry, of: record, on: $0.day, streak: nil) }, kept: kept,
            due: due)
    }
}

extension Entry {
    /// Whether the entry of one of several days stays as it is.
    fileprivate func isKept(by change: EntryChange, _ target: Target?) -> Bool {
        guard skipReason == nil else { return false }
        let category = Entry.category(of: completion, target)
        switch change {
        case .skip: return completion != 0 || category == .reached
        case .done: return category == .over
        default: return false
        }
    }
}
