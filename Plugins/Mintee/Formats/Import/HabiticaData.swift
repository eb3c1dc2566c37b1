import CivilDate
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
        for kind in ["dailys", "habits", "todos"] {
            for piece in items(kind) { read(piece, kind, names, &found) }
        }
        let rewards = items("rewards").count
        if rewards > 0 { found.notes.append("\(NumberFormat.counted(rewards, "reward")) left out") }
    }

    private struct Tag: Decodable {
        let id, name: String
    }

    private func tagNames(_ piece: JSONPieces.Piece?) -> [String: String] {
        let tags = piece.flatMap(pieces.elements)?.compactMap { try? pieces.decode(Tag.self, $0) } ?? []
        return Dictionary(tags.map { ($0.id, $0.name) }) { first, _ in first }
    }

    private func read(
        _ piece: JSONPieces.Piece, _ kind: String, _ names: [String: String], _ found: inout ImportedTasks
    ) {
        let place = ImportPlace(
            file: bundle.files.count > 1 ? file.path : nil, line: pieces.line(of: piece),
            excerpt: pieces.excerpt(of: piece))
        let item: HabiticaItem
        do throws(JSONFault) {
            item = try pieces.decode(HabiticaItem.self, piece)
        } catch {
            found.problems.append(ImportProblem(place, "this task cannot be read: \(error.reason)"))
            return
        }
        var task: ImportedTask
        switch kind {
        case "dailys":
            var score = HabiticaScore(isDaily: true)
            item.forEachScore(setting) { score.add($0, value: $1, up: $2, down: $3) }
            task = daily(item, score.entries, place)
        case "habits":
            var score = HabiticaScore(isDaily: false)
            item.forEachScore(setting) { score.add($0, value: $1, up: $2, down: $3) }
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
        if let list = item.checklist, !list.isEmpty {
            let lines = list.compactMap { $0.value?.text }.map { "- \($0)" }
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
struct HabiticaItem: Decodable {
    struct Score: Decodable {
        let date: Moment
        let value: Double?
        let scoredUp, scoredDown: Int?
    }

    /// Milliseconds, or text.
    struct Moment: Decodable {
        let milliseconds: Double

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let number = try? container.decode(Double.self) {
                milliseconds = number
            } else if let number = ImportMoment.milliseconds(try container.decode(String.self)) {
                milliseconds = number
            } else {
                throw DecodingError.dataCorruptedError(in: container, debugDescription: "invalid date and time")
            }
        }
    }

    struct Step: Decodable {
        let text: String
    }

    let text: String
    private let id, alias: String?
    let notes, frequency, startDate, createdAt, date, dateCompleted: String?
    let everyX: Int?
    let `repeat`: [String: Bool]?
    let daysOfMonth, weeksOfMonth: [Int]?
    let history: [Lossy<Score>]?
    let checklist: [Lossy<Step>]?
    let completed: Bool?
    let tags: [String]?

    /// The identity of the task.
    var key: String { id ?? alias ?? text }

    private enum CodingKeys: String, CodingKey {
        case text, id, notes, frequency, startDate, createdAt, date, dateCompleted, everyX, `repeat`, daysOfMonth
        case weeksOfMonth, history, checklist, completed, tags
        case alias = "_id"
    }

    /// Calls `body` for each score, the oldest first.
    func forEachScore(
        _ setting: ImportSetting, _ body: (_ day: CivilDate, _ value: Double?, _ up: Int?, _ down: Int?) -> Void
    ) {
        let scores = (history ?? []).compactMap(\.value).sorted { $0.date.milliseconds < $1.date.milliseconds }
        for score in scores {
            guard let day = setting.day(at: score.date.milliseconds) else { continue }
            body(day, score.value, score.scoredUp, score.scoredDown)
        }
    }
}
