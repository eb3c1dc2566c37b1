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
    /// A value, a skip or a note was entered for a day.
    package static let completionSet: Topic = "domain.mintee/completion-set"
    /// Analyses were changed.
    package static let analysesChanged: Topic = "domain.mintee/analyses-changed"

    /// The events of tasks as entities.
    package static let taskTopics = EntityTopics(added: taskAdded, changed: taskChanged, removed: taskRemoved)
    /// The events of analyses as entities: one for all changes.
    package static let analysisTopics = EntityTopics(
        added: analysesChanged, changed: analysesChanged, removed: analysesChanged)

    /// A task is due: published at the time of its reminder, or when its day begins.
    package static let taskDue: Topic = "app.mintee/task-due"
    /// The theme of the page was changed.
    package static let themeChanged: Topic = "ui.mintee/theme-changed"

    /// The event declarations for the plugin descriptor.
    package static let declarations = [
        TopicDeclaration(
            taskAdded, "A task was created, or restored from the trash.", subject: "task id", fields: [name]),
        TopicDeclaration(
            taskChanged, "A task was changed, or an undo changed its entries.", subject: "task id",
            fields: [name]),
        TopicDeclaration(taskRemoved, "A task was moved to the trash.", subject: "task id", fields: [name]),
        TopicDeclaration(
            completionSet, "A value, a skip or a note was entered for one day of a task.", subject: "task id",
            fields: [
                name, .init("date", .string, "The day, yyyy-MM-dd."),
                .init("completion", .number, "The value; 0 if only a skip or a note was entered."),
                .init("state", .string, "reached, under, over or skipped."),
            ]),
        TopicDeclaration(
            analysesChanged, "An analysis was created, changed, reordered or removed.", subject: "analysis id",
            fields: [name]),
        TopicDeclaration(
            taskDue,
            "A task is due and has not reached its target. Published once a day, at its reminder time or else at the start of the day.",
            subject: "task id",
            fields: [
                name, .init("date", .string, "The day, yyyy-MM-dd."),
                .init("target", .string, "The target, such as x >= 20; empty for a task with specific dates."),
                EventNotification.field(onlyIf: "only for tasks with a reminder"),
            ]),
        TopicDeclaration(
            themeChanged, delivery: .live, "The theme of the page was changed.", subject: "none"),
    ]

    private static let name = TopicDeclaration.Field("name", .string, "The name of the task or analysis.")
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
            Event(MinteeEvents.completionSet, subject: record.id) { body in
                body.name("name")
                body.value(String(record.draft.name.prefix(1000)))
                body.name("date")
                body.value(day.description)
                body.name("completion")
                body.number(NumberText.text(entry.completion))
                body.name("state")
                body.value(entry.state(record.draft.target(on: day)).name)
            })
    }

    /// Emits events for the tasks and analyses among `ids` that undo or redo changed.
    package func announceTasks(_ ids: [String]) throws {
        for id in ids {
            if try TaskRecord.kind.announce(id, in: self) { continue }
            if try AnalysisRecord.kind.announce(id, in: self) { continue }
            // Tags and settings change as well, under names of their own.
            if Identifier.isPrefix(id) { try emit(MinteeEvents.taskRemoved, id, name: "") }
        }
    }
}

extension DayState {
    /// The state in JSON and plain text: `reached`, `under`, `over`, `skipped`, `free`, or `none` if nothing is due.
    package var name: String {
        switch category {
        case .reached?: "reached"
        case .under?: "under"
        case .over?: "over"
        case nil: isSkipped ? "skipped" : isFree ? "free" : "none"
        }
    }
}
