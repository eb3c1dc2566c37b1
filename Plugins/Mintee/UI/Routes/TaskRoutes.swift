import CivilDate
import Commands
import HubKit
import MinteeDomain
import Storage

/// Routes for tasks, with the use cases of `list`, `show`, `new`, `edit`, `rm`, `history` and `tags`.
enum TaskRoutes {
    static let all = reading + writing

    private static let reading = [
        Route(
            .get, "/api/mintee/tasks", summary: "list tasks by name, optionally only those that match q or have a tag"
        ) {
            (mintee: MinteePlugin, request) in
            var filter = TaskFilter()
            filter.words = SearchWords.split(request.query["q"] ?? "")
            filter.tags = [request.query["tag"]].compactMap { $0 }
            return .output(
                .list(
                    try await mintee.tasks.listed(try await mintee.listTasks(filter)),
                    TaskListItem.fields + [
                        Field<ListedTask>("schedule", "SCHEDULE", help: "days and targets in words") {
                            FieldValue($0.summary.draft.scheduleWords)
                        }
                    ]))
        },
        Route(.get, "/api/mintee/tasks/{id}", summary: "get all details of a task; form has the editable fields") {
            (mintee: MinteePlugin, request) in
            let details = try await mintee.details(of: try await mintee.tasks.item(try request.id).id)
            let short = try await mintee.tasks.shortID(of: details.task.id)
            let form = try mintee.taskForm(details.task.draft)
            let fields =
                TaskView.fields + [
                    Field("short_id", "SHORT", help: "shortest unique prefix of the id") {
                        .text($0.shortID)
                    },
                    Field("filled", "FILLED", help: "number of days with entries") { .integer($0.details.filled) },
                    Field("today", "TODAY", help: "current day") { .day($0.details.today) },
                    Field("deleted_at", "DELETED", help: "time of the move to the trash") {
                        FieldValue($0.details.task.deletedAt)
                    },
                    Field("schedule", "SCHEDULE", help: "days and targets in words") {
                        FieldValue($0.details.task.draft.scheduleWords)
                    },
                    Field("form", "FORM", help: "form fields with their values") { _ in form },
                ]
            return .output(.record(TaskView(details: details, shortID: short), fields))
        },
        Route(.get, "/api/mintee/tasks/{id}/history", summary: "list the changes of a task, newest first") {
            (mintee: MinteePlugin, request) in
            .output(
                .list(
                    try await mintee.tasks.history(of: try request.id),
                    EntityCommands<MinteePlugin, TaskRecord>.historyFields))
        },
        Route(.get, "/api/mintee/tags", summary: "list tags with their number of tasks; q is part of a name") {
            (mintee: MinteePlugin, request) in
            let typed = request.query["q"] ?? ""
            let found = try await mintee.tasks.tags().filter { TagName.matches($0.tag, typed: typed) }
            return .output(.list(found, TaskCommands.entity.tagFields))
        },
    ]

    private static let writing = [
        Route(.post, "/api/mintee/tasks", summary: "create a task from form fields") {
            (mintee: MinteePlugin, request) in
            let draft = try mintee.draft(from: try request.json())
            let record = try await mintee.createTask(draft, operation: request.operation)
            return .created(
                .record(try await mintee.tasks.listed(record), TaskListItem.fields),
                location: "/api/mintee/tasks/\(record.id)")
        },
        Route(
            .post, "/api/mintee/tasks/{id}/plan",
            summary: "preview the changes of a form and the filled days it would drop"
        ) {
            (mintee: MinteePlugin, request) in
            let json = try request.json()
            let change = change(to: try mintee.draft(from: json), json)
            return .output(.record(try await mintee.planUpdate(try request.id, change: change), planFields))
        },
        Route(
            .put, "/api/mintee/tasks/{id}",
            summary: "update a task from form fields; losing lists the filled days to drop; If-Match is the revision"
        ) { (mintee: MinteePlugin, request) in
            let json = try request.json()
            let change = change(to: try mintee.draft(from: json), json)
            let losing = try losing(json)
            let plan = try await mintee.updateTask(
                try request.id, expecting: try request.revision, losing: losing, operation: request.operation,
                change: change)
            return .output(.record(plan, planFields))
        },
        Route(.delete, "/api/mintee/tasks/{id}", summary: "move a task to the trash") {
            (mintee: MinteePlugin, request) in
            try await mintee.tasks.delete(
                [try request.id], expecting: request.ifMatch.flatMap { Int($0) }, operation: request.operation)
            return .output(.done(mintee.tasks.trashTerm))
        },
    ]

    /// The change to the task of a form. A client that does not know targets over several days leaves them as they are.
    private static func change(to draft: TaskDraft, _ json: JSONValue) -> @Sendable (inout TaskDraft) -> Void {
        let keepsPeriod = json["period"] == nil && json["periodTarget"] == nil && draft.schedule.kind == .recurring
        return { task in
            let period = task.period
            task = draft
            if keepsPeriod { task.period = period }
        }
    }

    /// Returns the days that the request agrees to drop, in any order.
    private static func losing(_ json: JSONValue) throws -> [CivilDate] {
        guard let value = json["losing"], value != .null else { return [] }
        guard let days = value.array else { throw HubError(field: "losing", "must be an array of dates") }
        return try Set(days.map { try RouteRequest.day($0.string ?? "") }).sorted()
    }

    private static let planFields = [
        Field<TaskUpdate>("id", "ID", help: "id of the task") { .text($0.before.id) },
        Field<TaskUpdate>("name", "TASK", help: "name of the task") { .text($0.after.name) },
        Field<TaskUpdate>("is_changed", "CHANGED", help: "whether anything changes") {
            .bool($0.after != $0.before.draft)
        },
        Field<TaskUpdate>("changes", "CHANGES", help: "changes in words") { .text($0.text) },
        Field<TaskUpdate>("losses", "LOSSES", help: "filled days that would no longer be due") {
            .list($0.losses.map(FieldValue.day))
        },
    ]
}
