import CivilDate
import JSON
import Text

/// Reads `userdata.json` of Habitica.
struct HabiticaData {
    private let bundle: ImportBundle
    private let file: ImportBundle.File
    private let setting: ImportSetting
    private let pieces: JSONPieces

    init(_ bundle: ImportBundle, _ file: ImportBundle.File, _ setting: ImportSetting) {
        self.bundle = bundle
        self.file = file
        self.setting = setting
        pieces = JSONPieces(file.bytes)
    }

    func read(_ found: inout ImportedTasks) {
        let root = pieces.members(of: pieces.root)
        guard let tasks = root["tasks"] else { return }
        let names = tagNames(root["tags"])
        let lists = pieces.members(of: tasks)
        func items(_ name: String) -> [JSONPieces.Piece] { lists[name].flatMap(pieces.elements) ?? [] }
        for kind in ["dailys", "habits"] {
            for piece in items(kind) { read(piece, kind, names, &found) }
        }
        var todos = ImportedTasks()
        for piece in items("todos") { read(piece, "todos", names, &todos) }
        found.problems += todos.problems
        found.tasks += HabiticaData.joined(todos.tasks)
        let rewards = items("rewards").count
        if rewards > 0 { found.notes.append("\(NumberFormat.counted(rewards, "reward")) left out") }
    }

    /// To-dos with the same name as one task with all their dates.
    private static func joined(_ todos: [ImportedTask]) -> [ImportedTask] {
        var tasks: [ImportedTask] = []
        var places: [String: Int] = [:]
        var dates: [[CivilDate]] = []
        for todo in todos {
            guard case .specific(let days) = todo.draft.schedule else { continue }
            guard let place = places[todo.draft.name] else {
                places[todo.draft.name] = tasks.count
                tasks.append(todo)
                dates.append(days)
                continue
            }
            dates[place] += days
            tasks[place].entries.merge(todo.entries) { first, _ in first }
            if tasks[place].draft.notes.isEmpty { tasks[place].draft.notes = todo.draft.notes }
            for tag in todo.draft.tags where !tasks[place].draft.tags.contains(tag) {
                tasks[place].draft.tags.append(tag)
            }
        }
        for place in tasks.indices { tasks[place].draft.schedule = .dates(dates[place]) }
        return tasks
    }

    private func tagNames(_ piece: JSONPieces.Piece?) -> [String: String] {
        let tags = piece.flatMap(pieces.elements)?.compactMap { piece -> (String, String)? in
            do throws(JSONFields.Problem) {
                let tag = try pieces.fields(piece)
                return (try tag.required("id"), try tag.required("name"))
            } catch {
                return nil
            }
        }
        return Dictionary(tags ?? []) { first, _ in first }
    }

    private func read(
        _ piece: JSONPieces.Piece, _ kind: String, _ names: [String: String], _ found: inout ImportedTasks
    ) {
        let place = ImportPlace(
            file: bundle.files.count > 1 ? file.path : nil, line: pieces.line(of: piece),
            excerpt: pieces.excerpt(of: piece))
        let item: HabiticaItem
        do throws(JSONFields.Problem) {
            item = try HabiticaItem(pieces.fields(piece))
        } catch {
            found.problems.append(ImportProblem(place, "this task cannot be read: \(error.reason)"))
            return
        }
        var task: ImportedTask
        switch kind {
        case "dailys":
            var score = HabiticaScore(isDaily: true)
            item.forEachScore(setting) { day, value, up, down, completed in
                // The day on which a Daily was missed has a lower value, or the first one of a history that was cut off.
                score.add(day, value: value, up: completed == false ? 0 : up, down: down)
            }
            task = daily(item, score.entries, place)
        case "habits":
            var score = HabiticaScore(isDaily: false)
            item.forEachScore(setting) { day, value, up, down, _ in score.add(day, value: value, up: up, down: down) }
            var habit = HabitCollection(item.text, at: place)
            habit.frequency = .tracked
            habit.entries = score.entries
            habit.losses = score.losses
            task = habit.task(source: "", setting)
        default:
            guard let todo = self.todo(item, place) else {
                found.problems.append(ImportProblem(place, subject: item.text, "to-do without a date"))
                return
            }
            task = todo
        }
        task.source = "habitica:\(item.key)"
        task.draft.notes = item.notes ?? ""
        task.draft.tags = (item.tags ?? []).compactMap { names[$0] }
        if !item.checklist.isEmpty {
            let lines = item.checklist.map { "- \($0)" }
            task.draft.notes += (task.draft.notes.isEmpty ? "" : "\n") + lines.joined(separator: "\n")
        }
        found.tasks.append(task)
    }

    private func todo(_ item: HabiticaItem, _ place: ImportPlace) -> ImportedTask? {
        let isDone = item.completed ?? false
        let candidates = [item.date, isDone ? item.dateCompleted : nil, isDone ? item.createdAt : nil]
        guard let day = candidates.lazy.compactMap({ ImportMoment.day($0, setting) }).first else { return nil }
        return ImportedTask(
            source: "", draft: TaskDraft(name: item.text, schedule: .dates([day])),
            entries: isDone ? [day: Entry(completion: 1)] : [:], place: place)
    }

    private func daily(_ item: HabiticaItem, _ entries: [CivilDate: Entry], _ place: ImportPlace) -> ImportedTask {
        let start = ImportMoment.day(item.startDate, setting) ?? ImportMoment.day(item.createdAt, setting)
        let days = HabiticaDays(item, start: start ?? entries.keys.min() ?? setting.today)
        let done = entries.keys.filter { ImportedTasks.years.contains($0.components.year) }
        if let pattern = days.pattern {
            // Days of an earlier schedule that the current one does not include are reported by the last step of the
            // import.
            let first = min(days.start, done.min() ?? days.start)
            let end = max(setting.today, done.max() ?? first, first).adding(days: TaskRecord.openDays)
            let draft = TaskDraft(
                name: item.text, schedule: .recurring(from: first, to: end, [TargetSet(pattern)]), hasOpenEnd: true)
            return ImportedTask(source: "", draft: draft, entries: entries, place: place)
        }
        let horizon = setting.today.adding(days: TaskRecord.openDays)
        let dates = days.dates(through: horizon)
        return ImportedTask(
            source: "", draft: TaskDraft(name: item.text, schedule: .dates(dates + done)), entries: entries,
            losses: ["\(days.text) cannot be represented; imported as \(dates.count) dates until \(horizon)"],
            place: place)
    }
}

/// A task in the format of Habitica.
struct HabiticaItem {
    private struct Score {
        /// Milliseconds since 1970.
        let date: Double
        let value: Double?
        let scoredUp, scoredDown: Int?
        let completed: Bool?

        init(_ fields: JSONFields) throws(JSONFields.Problem) {
            let date: JSONValue = try fields.required("date")
            guard let moment = Double(json: date) ?? date.string.flatMap(ImportMoment.milliseconds) else {
                throw JSONFields.Problem(reason: "invalid date and time")
            }
            self.date = moment
            value = try fields.optional("value")
            scoredUp = try fields.optional("scoredUp")
            scoredDown = try fields.optional("scoredDown")
            completed = try fields.optional("completed")
        }
    }

    let text: String
    private let id, alias: String?
    let notes, frequency, startDate, createdAt, date, dateCompleted: String?
    let everyX: Int?
    let `repeat`: [String: Bool]?
    let daysOfMonth, weeksOfMonth: [Int]?
    private let history: [Score]
    let checklist: [String]
    let completed: Bool?
    let tags: [String]?

    /// The identity of the task.
    var key: String { id ?? alias ?? text }

    init(_ fields: JSONFields) throws(JSONFields.Problem) {
        text = try fields.required("text")
        id = try fields.optional("id")
        alias = try fields.optional("_id")
        notes = try fields.optional("notes")
        frequency = try fields.optional("frequency")
        startDate = try fields.optional("startDate")
        createdAt = try fields.optional("createdAt")
        date = try fields.optional("date")
        dateCompleted = try fields.optional("dateCompleted")
        everyX = try fields.optional("everyX")
        `repeat` = try fields.optional("repeat")
        daysOfMonth = try fields.optional("daysOfMonth")
        weeksOfMonth = try fields.optional("weeksOfMonth")
        history = try fields.readable("history") { score throws(JSONFields.Problem) in try Score(score) }
        checklist = try fields.readable("checklist") { step throws(JSONFields.Problem) -> String in
            try step.required("text")
        }
        completed = try fields.optional("completed")
        tags = try fields.optional("tags")
    }

    /// Calls `body` for each score, the oldest first.
    func forEachScore(
        _ setting: ImportSetting,
        _ body: (_ day: CivilDate, _ value: Double?, _ up: Int?, _ down: Int?, _ completed: Bool?) -> Void
    ) {
        for score in history.sorted(by: { $0.date < $1.date }) {
            guard let day = setting.day(at: score.date) else { continue }
            body(day, score.value, score.scoredUp, score.scoredDown, score.completed)
        }
    }
}
