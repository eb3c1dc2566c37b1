/// A day here, as a sync compares it.
package struct SyncDay: Hashable, Sendable {
    /// The day as a to-do.
    package var todo: DayTodo
    /// The time of the last change of the entry, in milliseconds since 1970-01-01T00:00:00Z; 0 if unknown.
    package var enteredAt: Int64
    /// The link of its to-do; nil if there is none.
    package var link: TodoLink?

    package init(todo: DayTodo, enteredAt: Int64 = 0, link: TodoLink? = nil) {
        self.todo = todo
        self.enteredAt = enteredAt
        self.link = link
    }

    /// The task and date of the to-do.
    package var day: TaskDay { TaskDay(todo.taskID, todo.date) }

    /// Whether changes have not been sent yet.
    package var isWaiting: Bool { link.map { $0.sent != todo.fingerprint } ?? true }
}
