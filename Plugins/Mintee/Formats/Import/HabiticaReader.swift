import CivilDate
import Text

/// Reads Habitica: `history.csv`, which has the changes of values, and `userdata.json`, which has everything.
enum HabiticaReader: TaskReader {
    static func recognizes(_ bundle: ImportBundle) -> Bool {
        guard let file = bundle.single else { return false }
        if Set(CSVTable.header(of: file)).isSuperset(of: ["task name", "task id", "task type", "date", "value"]) {
            return true
        }
        let pieces = JSONPieces(file.bytes)
        return pieces.member("tasks", of: pieces.root).map { pieces.member("dailys", of: $0) != nil } ?? false
    }

    static func read(_ bundle: ImportBundle, _ setting: ImportSetting) -> ImportedTasks {
        var found = ImportedTasks()
        for file in bundle.files {
            if file.bytes.first(where: { $0 > 0x20 && $0 < 0x80 }) == UInt8(ascii: "{") {
                HabiticaData(bundle, file, setting).read(&found)
            } else if CSVTable.header(of: file).contains("task id") {
                readHistory(file, bundle, setting, &found)
            }
        }
        return found
    }

    /// A task of the table while its lines are read.
    private struct Told {
        let name: String
        let isDaily: Bool
        let place: ImportPlace
        var scores: [(day: CivilDate, moment: String, value: Double)] = []
    }

    private static func readHistory(
        _ file: ImportBundle.File, _ bundle: ImportBundle, _ setting: ImportSetting, _ found: inout ImportedTasks
    ) {
        let table = CSVTable(file.bytes)
        found.problems += table.problems(of: file, in: bundle)
        let (name, id) = (table.column("Task Name"), table.column("Task ID"))
        let (kind, date, value) = (table.column("Task Type"), table.column("Date"), table.column("Value"))
        var tasks: [String: Told] = [:]
        var order: [String] = []
        for record in table.records.dropFirst() {
            let place = record.place(file, in: bundle)
            let (moment, key) = (record.cell(date), record.cell(id))
            func refuse(_ message: String) {
                found.problems.append(ImportProblem(place, subject: record.cell(name), message))
            }
            guard let day = CivilDate(moment.prefix(10)) else {
                refuse("invalid date and time \"\(moment.prefix(40))\"")
                continue
            }
            guard let number = Double(record.cell(value)), number.isFinite, !key.isEmpty else {
                refuse("invalid value \"\(record.cell(value).prefix(40))\"")
                continue
            }
            if tasks[key] == nil {
                tasks[key] = Told(
                    name: record.cell(name), isDaily: record.cell(kind).lowercased() == "daily", place: place)
                order.append(key)
            }
            tasks[key]?.scores.append((day, moment, number))
        }
        for key in order {
            if let told = tasks[key] { found.tasks.append(task(told, key, setting)) }
        }
    }

    private static func task(_ told: Told, _ id: String, _ setting: ImportSetting) -> ImportedTask {
        var habit = HabitCollection(told.name, at: told.place)
        var score = HabiticaScore(isDaily: told.isDaily)
        for (day, _, value) in told.scores.sorted(by: { $0.moment < $1.moment }) {
            score.add(day, value: value, up: nil)
        }
        habit.entries = score.entries
        if told.isDaily {
            habit.losses = ["history.csv has no due days; imported as due every day (userdata.json has them)"]
        } else {
            habit.frequency = .tracked
            habit.losses = score.losses
        }
        return habit.task(source: "habitica:\(id)", setting)
    }
}

/// The entries of a row of scores: the days on which the value rose.
struct HabiticaScore {
    /// Whether a day is done or not; else each rise counts.
    let isDaily: Bool
    private(set) var entries: [CivilDate: Entry] = [:]
    private var value = 0.0
    private var downs = 0

    init(isDaily: Bool) { self.isDaily = isDaily }

    /// Adds one score; without a number of rises, the value shows whether it rose.
    mutating func add(_ day: CivilDate, value: Double?, up: Int?, down: Int? = nil) {
        let rises = up ?? ((value ?? self.value) > self.value ? 1 : 0)
        let falls = down ?? (rises == 0 && (value ?? self.value) < self.value ? 1 : 0)
        if let value { self.value = value }
        downs += min(max(0, falls), 10_000)
        guard rises > 0 else { return }
        let before = entries[day]?.completion ?? 0
        entries[day] = Entry(completion: isDaily ? 1 : before + Double(min(rises, 1_000_000)))
    }

    /// Descriptions of the scores that a count cannot represent.
    var losses: [String] { isDaily || downs == 0 ? [] : ["\(NumberFormat.counted(downs, "minus score")) left out"] }
}
