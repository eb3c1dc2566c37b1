import CivilDate
import MinteeDomain
import Storage

extension MinteePlugin {
    /// Emits `app.mintee/task-due` for every task that is due today and has not reached its target, or is a
    /// limit for which nothing was entered, once the time of its reminder has
    /// come, or, without a reminder, once the day has begun. Each task is announced only once a day.
    package func remindOfTasks() async throws {
        let (date, minutes) = (day.today, day.minutes)
        // A reminder after midnight belongs to the day that has not ended yet.
        let elapsed = minutes < day.startsAt ? minutes + 1440 : minutes
        let due = try await dueTasks(on: date).filter { item in
            // A day that needs nothing, or a limit without an entry, is announced only at the time of a reminder.
            let isLimit =
                item.entry == nil && (item.state.isReached || item.state.isUnknown) || item.isUntouchedLimit
            // A reached week needs no more of a day, whatever was entered on it.
            if item.period.map({ $0.state == .reached && $0.needed != nil }) ?? false { return false }
            let isAsked = isLimit || item.isFree && !item.state.isEntered
            guard isAsked ? item.task.draft.remindAt != nil : item.state.counts && !item.state.isReached else {
                return false
            }
            guard let remindAt = item.task.draft.remindAt else { return true }
            return (remindAt < day.startsAt ? remindAt + 1440 : remindAt) <= elapsed
        }
        guard !due.isEmpty else { return }
        let operation = Operation("mintee remind", who: .service("mintee"), kind: .cache)
        try await store.write(operation) { transaction in
            for item in due { try transaction.emit(item.event(on: date)) }
        }
    }
}

extension DueTask {
    /// The event for the task; its key contains the day, so that it is published once a day.
    fileprivate func event(on date: CivilDate) -> Event {
        let name = String(task.draft.name.prefix(1000))
        let target = targetSet?.target.description ?? ""
        let goal = targetSet?.target.goal ?? ""
        let state = value == 0 ? (goal.isEmpty ? "due today" : goal) : "\(NumberText.text(value)), \(goal)"
        let notification = EventNotification(name, period?.words ?? state)
        return TaskDue.event(
            TaskDue(
                name: name, date: date.description, target: target,
                notify: task.draft.remindAt == nil ? nil : notification), of: task.id, once: "\(task.id):\(date)")
    }
}
