/// A day of ours as a sync compares it.
package struct SyncDay: Hashable, Sendable {
    /// The day as a to-do.
    package var todo: DayTodo
    /// When the entry was changed last, in milliseconds since 1970 UTC; 0 when that is not known.
    package var enteredAt: Int64
    /// What is known of its to-do; nil when there is none.
    package var link: TodoLink?

    package init(todo: DayTodo, enteredAt: Int64 = 0, link: TodoLink? = nil) {
        self.todo = todo
        self.enteredAt = enteredAt
        self.link = link
    }

    package var day: TaskDay { TaskDay(todo.taskID, todo.date) }

    /// Whether something waits to be sent.
    package var isWaiting: Bool { link.map { $0.sent != todo.fingerprint } ?? true }
}
