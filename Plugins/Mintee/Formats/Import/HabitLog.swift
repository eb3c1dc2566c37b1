import CivilDate

/// The two files of harsh and habitctl: `habits`, the list of habits, and `log`, the entries by day.
struct HabitLog {
    /// The program of a reader.
    let program: String
    private let bundle: ImportBundle
    /// Whether the later of two lines for one day applies, as in the program itself.
    private let lastLineCounts: Bool
    private var habits: [String: HabitCollection] = [:]
    private var order: [String] = []
    private(set) var problems: [ImportProblem] = []

    init(_ program: String, _ bundle: ImportBundle, lastLineCounts: Bool = false) {
        self.program = program
        self.lastLineCounts = lastLineCounts
        self.bundle = bundle
    }

    /// The lines of the habit files, then those of the logs, without comments; a log starts with a date.
    static func forEachLine(
        of bundle: ImportBundle, _ body: (_ line: ImportText.Line, _ place: ImportPlace, _ isLog: Bool) -> Void
    ) {
        for wantsLog in [false, true] {
            for file in bundle.files where isRelevant(file, of: bundle) {
                let lines = ImportText.lines(file.bytes)
                guard isLog(file, lines) == wantsLog else { continue }
                for line in lines where isSaying(line) { body(line, line.place(file, in: bundle), wantsLog) }
            }
        }
    }

    private static func isRelevant(_ file: ImportBundle.File, of bundle: ImportBundle) -> Bool {
        bundle.files.count == 1 || file.name == "habits" || file.name == "log"
    }

    private static func isSaying(_ line: ImportText.Line) -> Bool {
        line.text.first { !$0.isWhitespace }.map { $0 != "#" } ?? false
    }

    /// Whether a file is a log: by its name, else by its first line.
    private static func isLog(_ file: ImportBundle.File, _ lines: [ImportText.Line]) -> Bool {
        if file.name == "log" || file.name == "habits" { return file.name == "log" }
        return lines.first(where: isSaying).map { CivilDate($0.text.trimmed.prefix(10)) != nil } ?? false
    }

    /// Returns the first meaningful line of the files, of a log or of a list of habits.
    static func firstLine(of bundle: ImportBundle, isLog wanted: Bool) -> String? {
        guard bundle.files.count <= 2 || bundle.file(named: "log") != nil else { return nil }
        for file in bundle.files where isRelevant(file, of: bundle) {
            let lines = ImportText.lines(Array(file.bytes.prefix(8 << 10)))
            if let line = lines.first(where: isSaying), isLog(file, lines) == wanted { return line.text.trimmed }
        }
        return nil
    }

    /// Adds a habit of the list; a duplicate is reported.
    mutating func add(_ habit: HabitCollection) {
        if habits[habit.name] != nil {
            return refuse(habit.place, subject: habit.name, "the habit is already in the list")
        }
        habits[habit.name] = habit
        order.append(habit.name)
    }

    /// Adds the entry of a log line.
    mutating func add(_ entry: Entry, to name: String, on day: CivilDate, _ place: ImportPlace) {
        if habits[name] == nil {
            var habit = HabitCollection(name, at: place)
            habit.isOver = true
            habit.losses = ["only found in the log; ends on its last day there"]
            habits[name] = habit
            order.append(name)
        }
        if let before = habits[name]?.entries[day], before != entry {
            let counting = lastLineCounts ? "last" : "first"
            refuse(place, subject: name, "\(day) has two lines; the \(counting) one counts")
            if lastLineCounts { habits[name]?.entries[day] = entry }
        } else {
            habits[name]?.entries[day] = entry
        }
    }

    /// Records a problem with a line.
    mutating func refuse(_ place: ImportPlace, columns: Range<Int> = 1..<2, subject: String? = nil, _ message: String) {
        problems.append(ImportProblem(place, columns: columns, subject: subject, message))
    }

    /// All habits found. A value below 1 counts as done, so such a habit gets a target of more than 0.
    func found(_ setting: ImportSetting) -> ImportedTasks {
        var found = ImportedTasks()
        found.problems = problems
        found.tasks = order.compactMap { habits[$0] }.map { habit in
            var habit = habit
            if habit.entries.values.contains(where: { $0.completion > 0 && $0.completion < 1 }) {
                habit.target = Target(unchecked: .less, .none, 0, 0)
            }
            return habit.task(source: "\(program):\(habit.name)", setting)
        }
        return found
    }
}
