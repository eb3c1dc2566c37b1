import HubKit
import MinteeDomain
import Sync

/// Keeping what was decided outside of the transaction, unless what is stored has changed since.
extension Transaction {
    /// What is stored of the to-do at a place and of the day that it names.
    func receivingState(_ item: ReadTodo, _ account: String) throws -> ReceivingState {
        ReceivingState(
            known: try todoLink(at: item.entry.href, in: account),
            ours: try item.day.flatMap { try syncDay($0, account: account) })
    }

    /// Keeps what is known of both sides and does what follows for the day here, in the same commit.
    /// - Returns: false when what the plan was made of has changed; nothing is done then.
    func apply(_ plan: ReceivingPlan, of item: ReadTodo, _ account: String) throws -> Bool {
        guard try receivingState(item, account) == plan.state else { return false }
        switch plan.step {
        case .none: break
        case .hold: try holdTodo(item.entry, in: account)
        case .keep(let link, let taken):
            if let taken { try take(taken, link.day) }
            try saveTodoLink(link, in: account)
        }
        return true
    }

    /// Notes that a day is about to be shown by `todo`; false when the day is another than `day` now.
    func announceTodo(_ todo: OutgoingTodo, of day: SyncDay, _ account: String) throws -> Bool {
        guard try syncDay(todo.day, account: account) == day else { return false }
        try saveTodoLink(todo.link(at: todo.href), in: account)
        return true
    }

    /// Enters what they say of the day.
    private func take(_ taken: ReceivingPlan.TakenEntry, _ day: TaskDay) throws {
        guard let record = try task(day.taskID) else { return }
        try setEntry(taken.entry, of: record, on: day.date, at: taken.changedAt)
        try emitCompletion(taken.entry ?? Entry(), of: record, on: day.date)
    }
}
