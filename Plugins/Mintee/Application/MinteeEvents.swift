import CivilDate
package import HubKit
import MinteeDomain
package import Storage

/// The events that Mintee publishes.
package enum MinteeEvents {
    /// A task was created, or restored from the trash.
    package static let taskAdded: Topic = "domain.mintee/task-added"
    /// A task or its entries were changed.
    package static let taskChanged: Topic = "domain.mintee/task-changed"
    /// A task was moved to the trash.
    package static let taskRemoved: Topic = "domain.mintee/task-removed"
    /// Analyses were changed.
    package static let analysesChanged: Topic = "domain.mintee/analyses-changed"

    /// The events of tasks as entities.
    package static let taskTopics = EntityTopics(added: taskAdded, changed: taskChanged, removed: taskRemoved)
    /// The events of analyses as entities: one for all changes.
    package static let analysisTopics = EntityTopics(
        added: analysesChanged, changed: analysesChanged, removed: analysesChanged)

    /// The theme of the page was changed.
    package static let themeChanged: Topic = "ui.mintee/theme-changed"

    /// The event declarations for the plugin descriptor.
    package static let declarations = [
        TopicDeclaration(
            taskAdded, "A task was created, or restored from the trash.", subject: "task id", fields: [name]),
        TopicDeclaration(
            taskChanged, "A task or several of its days were changed, or an undo changed its entries.",
            subject: "task id",
            fields: [name]),
        TopicDeclaration(taskRemoved, "A task was moved to the trash.", subject: "task id", fields: [name]),
        CompletionSet.event.declaration,
        TopicDeclaration(
            analysesChanged, "An analysis was created, changed, reordered or removed.", subject: "analysis id",
            fields: [name]),
        TaskDue.event.declaration,
        TopicDeclaration(
            themeChanged, delivery: .live, "The theme of the page was changed.", subject: "none"),
    ]

    private static let name = TopicDeclaration.Field("name", .string, "The name of the task or analysis.")
}

/// The body of `domain.mintee/completion-set`.
struct CompletionSet: EventBody {
    var name: String
    var date: String
    var completion: EventNumber
    var state: String

    static let example = CompletionSet(
        name: "Water", date: "2026-11-20", completion: EventNumber("6.5"), state: "reached")

    static let event = EventType(
        "domain.mintee/completion-set", "A value, a skip or a note was entered for one day of a task.",
        subject: "task id", like: "2gd3xd9m2qwz5v8rjh41",
        fields: [
            EventField("name", \CompletionSet.name, "The name of the task or analysis."),
            EventField("date", \CompletionSet.date, "The day, yyyy-MM-dd."),
            EventField(
                "completion", \CompletionSet.completion, "The value; 0 if only a skip or a note was entered."),
            EventField("state", \CompletionSet.state, "reached, under, over or skipped."),
        ])
}

/// The body of `app.mintee/task-due`: published at the time of the task's reminder, or when its day begins.
struct TaskDue: EventBody {
    var name: String
    var date: String
    var target: String
    var notify: EventNotification?

    static let example = TaskDue(
        name: "Run", date: "2026-11-20", target: "x >= 5", notify: EventNotification("Run", "3 of x >= 5"))

    static let event = EventType(
        "app.mintee/task-due",
        "A task is due and has not reached its target. Published once a day, at its reminder time or else at the start of the day.",
        subject: "task id", like: "2gd3xd9m2qwz5v8rjh41",
        fields: [
            EventField("name", \TaskDue.name, "The name of the task or analysis."),
            EventField("date", \TaskDue.date, "The day, yyyy-MM-dd."),
            EventField(
                "target", \TaskDue.target, "The target, such as x >= 20; empty for a task with specific dates."),
            EventField(
                "notify", \TaskDue.notify,
                "The title and body of a desktop notification; only for tasks with a reminder."),
        ])
}

extension Transaction {
    /// Emits an event about a task or an analysis.
    func emit(_ topic: Topic, _ id: String, name: String) throws {
        try emit(
            Event(topic, subject: id) { body in
                body.name("name")
                body.value(String(name.prefix(1000)))
            })
    }

    /// Emits an event about the entry of a day.
    func emitCompletion(_ entry: Entry, of record: TaskRecord, on day: CivilDate) throws {
        try emit(
            CompletionSet.event(
                CompletionSet(
                    name: record.draft.name, date: day.description,
                    completion: EventNumber(NumberText.text(entry.completion)),
                    state: entry.state(record.draft.target(on: day)).name), of: record.id))
    }

    /// Emits events for the tasks and analyses among `ids` that undo or redo changed, and for those of
    /// tasks that leave out a changed calendar of holidays.
    package func announceTasks(_ ids: [String]) throws {
        for id in ids {
            if try TaskRecord.kind.announce(id, in: self) { continue }
            if try AnalysisRecord.kind.announce(id, in: self) { continue }
            let concerned = try tasksLeavingOut(id)
            for task in concerned { _ = try TaskRecord.kind.announce(task, in: self) }
            if !concerned.isEmpty { continue }
            // Tags and settings change as well, under names of their own.
            if Identifier.isPrefix(id) { try emit(MinteeEvents.taskRemoved, id, name: "") }
        }
    }
}

extension DayState {
    /// The state in JSON and plain text: `reached`, `under`, `over`, `skipped`, `free`, `unknown`, or `none` if nothing is
    /// due.
    package var name: String {
        switch category {
        case .reached?: "reached"
        case .under?: "under"
        case .over?: "over"
        case nil: isSkipped ? "skipped" : isFree ? "free" : isUnknown ? "unknown" : "none"
        }
    }
}
