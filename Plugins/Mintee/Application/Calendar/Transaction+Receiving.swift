import HubKit
import MinteeDomain
import Sync

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
        if case .hold(let tag) = plan.step {
            try holdTodo(RemoteEntry(href: item.href, tag: tag), in: account)
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
