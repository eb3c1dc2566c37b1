import CivilDate
import Commands
import HubKit
import MinteeDomain
import Storage

/// Routes for tasks: those that every entity has, and those with the use cases of `new` and `edit`.
enum TaskRoutes {
    static let entity = TaskCommands.entity.web(
        at: "/api/mintee/tasks", rowFields: [schedule], show: show, summary: { $0 }
    ) { mintee, query in
        var filter = TaskFilter()
        filter.words = SearchWords.split(query.words)
        filter.tags = [query.tag].compactMap(\.self)
        return EntityPage(query, of: try await mintee.listTasks(filter))
    }

    private static let schedule = Field<TaskRecord>(
        "schedule", "SCHEDULE", help: "days and targets in words", column: .onRequest
    ) { FieldValue($0.draft.scheduleWords) }

    @Sendable private static func show(
        _ mintee: MinteePlugin, _ task: TaskRecord, _: RouteRequest
    ) async throws -> Output {
        let details = try await mintee.details(of: task.id)
        let form = try mintee.taskForm(details.task.draft)
        let fields =
            TaskView.fields + [
                Field("short_id", "SHORT", help: "shortest unique prefix of the id") { .text($0.shortID) },
                Field("filled", "FILLED", help: "number of days with entries") { .integer($0.details.filled) },
                Field("today", "TODAY", help: "current day") { .day($0.details.today) },
                Field("deleted_at", "DELETED", help: "time of the move to the trash") {
                    FieldValue($0.details.task.deletedAt)
                },
                Field("schedule", "SCHEDULE", help: "days and targets in words") {
                    schedule.value($0.details.task)
                },
                Field("counts", "COUNTS", help: "whether a target over several days is a sum; null without one") {
                    $0.isSum.map { .bool($0) } ?? .null
                },
                Field("form", "FORM", help: "form fields with their values") { _ in form },
            ]
        let short = try await mintee.tasks.shortID(of: task.id)
        return .record(TaskView(details: details, shortID: short), fields)
    }

    static let all = [
        Route(
            .put, "/api/mintee/tasks/order",
            summary: "set the order of tasks", details: "as in `ids`, or that of their creation for none",
            body: #"{"ids": ["…"]}"#, required: ["ids"], fields: TaskListItem.fields
        ) {
            (mintee: MinteePlugin, request) in
            guard let values = try request.json()["ids"]?.array else {
                throw HubError(field: "ids", "must be an array")
            }
            let ids = values.compactMap(\.string)
            guard ids.count == values.count else { throw HubError(field: "ids", "must be an array of ids") }
            try await mintee.orderTasks(ids, operation: request.operation)
            return .output(.list(try await mintee.tasks.listed(try await mintee.orderedTasks()), TaskListItem.fields))
        },
        Route(
            .post, "/api/mintee/tasks", summary: "create a task", details: "from the fields of a form", body: "{}",
            fields: TaskListItem.fields
        ) {
            (mintee: MinteePlugin, request) in
            let draft = try mintee.draft(from: try request.json())
            let record = try await mintee.createTask(draft, operation: request.operation)
            return .created(
                .record(try await mintee.tasks.listed(record), TaskListItem.fields),
                location: "/api/mintee/tasks/\(record.id)")
        },
        Route(
            .post, "/api/mintee/tasks/{id}/plan",
            summary: "preview the changes of a form and the filled days it would drop", body: "{}",
            fields: planFields
        ) {
            (mintee: MinteePlugin, request) in
            let json = try request.json()
            let change = change(to: try mintee.draft(from: json), json)
            return .output(.record(try await mintee.planUpdate(try request.id, change: change), planFields))
        },
        Route(
            .put, "/api/mintee/tasks/{id}",
            summary: "edit a task",
            details:
                "with all fields of the form; `losing` lists the filled days to drop, `If-Match` holds the revision",
            body: "{}", fields: planFields
        ) { (mintee: MinteePlugin, request) in
            let json = try request.json()
            let change = change(to: try mintee.draft(from: json), json)
            let losing = try losing(json)
            let plan = try await mintee.updateTask(
                try request.id, expecting: try request.revision, losing: losing, operation: request.operation,
                change: change)
            return .output(.record(plan, planFields))
        },
    ]

    /// The change to the task of a form. A client that does not know targets over several days leaves them as they are.
    private static func change(to draft: TaskDraft, _ json: JSONValue) -> @Sendable (inout TaskDraft) -> Void {
        let keepsSection = json["section"] == nil
        let keepsPeriod = json["period"] == nil && json["periodTarget"] == nil && draft.schedule.kind == .recurring
        return { task in
            let (period, section) = (task.period, task.section)
            task = draft
            if keepsSection { task.section = section }
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
