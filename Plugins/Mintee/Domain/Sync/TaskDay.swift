package import CivilDate

/// One day of one task, which corresponds to one to-do.
package struct TaskDay: Hashable, Sendable, Comparable {
    /// The id of the task.
    package let taskID: String
    /// The due day.
    package let date: CivilDate

    package init(_ taskID: String, _ date: CivilDate) {
        self.taskID = taskID
        self.date = date
    }

    /// Orders by date, then by task id.
    package static func < (left: TaskDay, right: TaskDay) -> Bool {
        (left.date, left.taskID) < (right.date, right.taskID)
    }
}
