import CivilDate
import HubKit
import MinteeDomain

/// Tasks over HTTP, by the use cases of `list`, `show`, `new`, `edit`, `rm`, `history` and `tags`.
enum TaskRoutes {
    static let all = reading + writing

    private static let reading = [
        Route(.get, "/api/mintee/tasks", summary: "list tasks by name, those that match q, or with a tag") {
            (mintee: MinteePlugin, request) in
            var filter = GetTasks.Filter()
            filter.words = SearchTasks.words(request.query["q"] ?? "")
            filter.tags = [request.query["tag"]].compactMap { $0 }
            return .output(.list(try await mintee.listed(try await mintee.getTasks(filter)), ListedTask.fields))
        },
        Route(.get, "/api/mintee/tasks/{id}", summary: "all that is known of one task; form is what can be edited") {
            (mintee: MinteePlugin, request) in
            let details = try await details(try request.id, mintee)
            let short = try await mintee.shortenIDs([details.task.id])[details.task.id] ?? details.task.id
            let form = try mintee.taskForm(details.task.draft)
            let fields =
                ShownTask.fields + [
                    Field("short_id", "SHORT", help: "the beginning of the id that names only it") {
                        .text($0.shortID)
                    },
                    Field("filled", "FILLED", help: "how many days have entries") { .integer($0.details.filled) },
                    Field("today", "TODAY", help: "the day it is") { .day($0.details.today) },
                    Field("deleted_at", "DELETED", help: "since when it is in the trash") {
                        FieldValue($0.details.task.deletedAt.map { Instant(milliseconds: $0) })
                    },
                    Field("form", "FORM", help: "what a form is filled with") { _ in form },
                ]
            return .output(.record(ShownTask(details: details, shortID: short), fields))
        },
        Route(.get, "/api/mintee/tasks/{id}/history", summary: "what was done to a task, the newest first") {
            (mintee: MinteePlugin, request) in
            .output(.list(try await mintee.getHistory(try request.id), TaskHistoryCommand.fields))
        },
        Route(.get, "/api/mintee/tags", summary: "the tags and how many tasks have them; q is a part of a name") {
            (mintee: MinteePlugin, request) in
            let typed = request.query["q"] ?? ""
            let found = try await mintee.getTags().filter { TagName.matches($0.tag, typed: typed) }
            return .output(.list(found, TagCommands.fields))
        },
    ]

    /// A task by its id or the beginning of it, as `hub web mintee:7kt` names it.
    private static func details(_ id: String, _ mintee: MinteePlugin) async throws -> GetTaskDetails.Details {
        do {
            return try await mintee.getDetails(id)
        } catch let error as HubError where error.kind == .notFound && Identifier.isPrefix(id) {
            let found = try await mintee.resolve(id)
            guard found.count == 1 else { throw error }
            return try await mintee.getDetails(found[0].id)
        }
    }

    private static let writing = [
        Route(.post, "/api/mintee/tasks", summary: "make a task of what a form says") {
            (mintee: MinteePlugin, request) in
            let draft = try mintee.fillForm.draft(try request.json())
            let record = try await mintee.create(draft, operation: request.operation)
            return .created(
                .record(try await mintee.listed([record])[0], ListedTask.fields),
                location: "/api/mintee/tasks/\(record.id)")
        },
        Route(.post, "/api/mintee/tasks/{id}/plan", summary: "what a form would change, and which filled days it drops")
        {
            (mintee: MinteePlugin, request) in
            let draft = try mintee.fillForm.draft(try request.json())
            return .output(.record(try await mintee.update.plan(try request.id) { $0 = draft }, planFields))
        },
        Route(
            .put, "/api/mintee/tasks/{id}",
            summary: "give a task what a form says; losing lists the filled days that go; If-Match is the revision"
        ) { (mintee: MinteePlugin, request) in
            let json = try request.json()
            let draft = try mintee.fillForm.draft(json)
            let losing = try losing(json)
            let plan = try await mintee.update(
                try request.id, expecting: try request.revision, losing: losing, operation: request.operation
            ) { $0 = draft }
            return .output(.record(plan, planFields))
        },
        Route(.delete, "/api/mintee/tasks/{id}", summary: "move a task to the trash") {
            (mintee: MinteePlugin, request) in
            try await mintee.delete(
                [try request.id], expecting: request.ifMatch.flatMap { Int($0) }, operation: request.operation)
            return .output(.done("in the trash for \(mintee.config[HubKeys.trashDays]) days"))
        },
    ]

    /// The days that the request agrees to lose, in whatever order they are named.
    private static func losing(_ json: JSONValue) throws -> [CivilDate] {
        guard let value = json["losing"], value != .null else { return [] }
        guard let days = value.array else { throw HubError(field: "losing", "is an array of dates") }
        return try Set(days.map { try RouteRequest.day($0.string ?? "") }).sorted()
    }

    private static let planFields = [
        Field<UpdateTask.Plan>("id", "ID", help: "the task") { .text($0.before.id) },
        Field<UpdateTask.Plan>("name", "TASK", help: "its name") { .text($0.after.name) },
        Field<UpdateTask.Plan>("is_changed", "CHANGED", help: "whether anything is another") {
            .bool($0.after != $0.before.draft)
        },
        Field<UpdateTask.Plan>("changes", "CHANGES", help: "what, in a few words") { .text($0.text) },
        Field<UpdateTask.Plan>("losses", "LOSSES", help: "filled days that the task would no longer name") {
            .list($0.losses.map(FieldValue.day))
        },
    ]
}
