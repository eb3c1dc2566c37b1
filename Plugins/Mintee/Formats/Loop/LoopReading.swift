import CSV
import CivilDate

/// Reads the habits of Loop's CSV files.
struct LoopReading {
    private let bundle: ImportBundle
    private(set) var habits: [LoopHabit] = []
    private(set) var problems: [ImportProblem] = []

    /// The number of invalid cells of each file.
    private var unreadable: [String: Int] = [:]
    /// The maximum number of them that are reported one by one.
    private static let shownMarks = 3

    init(_ bundle: ImportBundle) { self.bundle = bundle }

    /// Adds a problem for the invalid cells of each file that were not reported one by one.
    mutating func finish() {
        for (file, count) in unreadable.sorted(by: { $0.key < $1.key }) where count > LoopReading.shownMarks {
            let name = file.isEmpty ? bundle.name : file
            let scores = name.hasSuffix("Scores.csv") ? ": it has scores; the entries are in Checkmarks.csv" : ""
            problems.append(
                ImportProblem(
                    ImportPlace(file: file.isEmpty ? nil : file),
                    "\(count - LoopReading.shownMarks) more cells are not valid marks\(scores)"))
        }
    }

    /// Reads the habits of `list` with their folders; without a list, the table of all habits.
    mutating func read(_ list: ImportBundle.File) {
        let base = String(list.path.dropLast(list.name.count))
        var withoutFolder: [Int] = []
        let table = CSVTable(list.bytes)
        problems += table.problems(of: list, in: bundle)
        let columns = Columns(table)
        // The folders of habits by name prefix; each belongs to one habit.
        var folders: [String: ImportBundle.File] = [:]
        for file in bundle.files where file.name == "Checkmarks.csv" && file.path.hasPrefix(base) {
            guard let end = file.path.dropFirst(base.count).firstIndex(where: { $0 == " " || $0 == "/" }) else {
                continue
            }
            let position = String(file.path[..<end].dropFirst(base.count))
            if folders[position] == nil { folders[position] = file }
        }
        for record in table.records.dropFirst() {
            let place = record.place(list, in: bundle)
            let position = record.cell(columns.position)
            guard var habit = self.habit(record, columns, place) else { continue }
            let digits = String(repeating: "0", count: max(0, 3 - position.count)) + position
            // Loop removes letters other than a to z from folder names, and trailing blanks.
            if let file = folders.removeValue(forKey: digits) {
                readDays(file, of: &habit)
            } else {
                withoutFolder.append(habits.count)
            }
            habits.append(habit)
        }
        fillFromMatrix(base, withoutFolder)
    }

    private struct Columns {
        let position, name, kind, question, description, times, days, color, unit, goal, value, archived: Int?

        init(_ table: CSVTable) {
            position = table.column("Position")
            name = table.column("Name")
            kind = table.column("Type")
            question = table.column("Question")
            description = table.column("Description")
            times = table.column("FrequencyNumerator", "NumRepetitions")
            days = table.column("FrequencyDenominator", "Interval")
            color = table.column("Color")
            unit = table.column("Unit")
            goal = table.column("Target Type")
            value = table.column("Target Value")
            archived = table.column("Archived?", "Archived")
        }
    }

    private mutating func habit(_ record: CSVRecord, _ columns: Columns, _ place: ImportPlace) -> LoopHabit? {
        var habit = LoopHabit(record.cell(columns.name))
        habit.place = place
        func refuse(_ message: String) -> LoopHabit? {
            problems.append(ImportProblem(place, subject: habit.name.isEmpty ? nil : habit.name, message))
            return nil
        }
        if habit.name.isEmpty { return refuse("the habit has no name") }
        switch record.cell(columns.kind) {
        case "NUMERICAL": habit.isNumerical = true
        case "YES_NO", "": break
        case let other: return refuse("unknown habit type \"\(other.prefix(40))\"")
        }
        habit.question = record.cell(columns.question)
        habit.description = record.cell(columns.description)
        habit.unit = record.cell(columns.unit)
        habit.isAtMost = record.cell(columns.goal) == "AT_MOST"
        habit.isArchived = ["true", "1"].contains(record.cell(columns.archived).lowercased())
        habit.color = LegendColor(record.cell(columns.color).dropFirst() + "FF")
        guard let times = LoopReading.count(record.cell(columns.times)),
            let days = LoopReading.count(record.cell(columns.days))
        else { return refuse("invalid frequency: expected a number of times and days") }
        (habit.times, habit.days) = (times, days)
        if habit.isNumerical {
            let text = record.cell(columns.value)
            guard let value = text.isEmpty ? 0 : Double(text), value.isFinite else {
                return refuse("invalid target \"\(text.prefix(40))\"")
            }
            habit.targetValue = value
        }
        return habit
    }

    /// A number of times or days; 1 for an empty text.
    private static func count(_ text: String) -> Int? {
        text.isEmpty ? 1 : Int(text).flatMap { (1...9999).contains($0) ? $0 : nil }
    }

    /// Reads tables that hold the days of one habit each, and neither what it asks for nor whether it counts amounts.
    mutating func readLone(_ tables: [(name: String, file: ImportBundle.File)]) {
        for (name, file) in tables {
            var habit = LoopHabit(name)
            habit.place = ImportPlace(file: bundle.single == nil ? file.path : nil, line: 1)
            habit.isLone = true
            // The marks of a habit that is done or not are words, in older exports 0 to 2; amounts are thousandths.
            habit.isNumerical = CSVTable(file.bytes).records.contains { record in
                Int(record.cell(1)).map { !(0...2).contains($0) } ?? false
            }
            if habit.isNumerical { habit.targetValue = 0.001 }
            readDays(file, of: &habit)
            habits.append(habit)
        }
    }

    private mutating func readDays(_ file: ImportBundle.File, of habit: inout LoopHabit) {
        let table = CSVTable(file.bytes)
        problems += table.problems(of: file, in: bundle)
        var seen: Set<CivilDate> = []
        for record in table.records where record.cell(0) != "Date" {
            let place = record.place(file, in: bundle)
            guard let (date, mark) = day(record.cell(0), record.cell(1), place, of: habit) else { continue }
            guard seen.insert(date).inserted else {
                problems.append(ImportProblem(place, subject: habit.name, "\(date) is already in the table"))
                continue
            }
            habit.entered.append(LoopHabit.Day(date, mark, note: record.cells.count > 2 ? record.cells[2] : ""))
        }
    }

    private mutating func day(
        _ date: String, _ mark: String, _ place: ImportPlace, of habit: LoopHabit
    ) -> (CivilDate, LoopHabit.Mark)? {
        guard let day = CivilDate(date) else {
            problems.append(ImportProblem(place, subject: habit.name, "invalid date \"\(date.prefix(40))\""))
            return nil
        }
        guard let meaning = LoopHabit.Mark(mark, isNumerical: habit.isNumerical) else {
            let column = place.excerpt.split(separator: ",").first.map { $0.count + 2 } ?? 1
            let file = place.file ?? ""
            unreadable[file, default: 0] += 1
            if unreadable[file] ?? 0 <= LoopReading.shownMarks {
                problems.append(
                    ImportProblem(
                        place, columns: column..<column + max(1, min(40, mark.count)), subject: habit.name,
                        "\"\(mark.prefix(40))\" is not a mark"))
            }
            return nil
        }
        return (day, meaning)
    }

    // MARK: The table of all habits

    /// Reads its habits by name; it contains neither targets nor notes.
    mutating func readMatrix() {
        guard let file = bundle.files.first(where: { $0.name == "Checkmarks.csv" }) ?? bundle.single else { return }
        let table = CSVTable(file.bytes)
        // A table of a single habit has no name column, and other files are not tables of Loop.
        guard let header = table.records.first, header.cells.count > 2, header.cell(0) == "Date",
            header.cell(header.cells.count - 1).isEmpty
        else { return }
        let filled = filledRecords(of: table)
        for index in header.cells.indices.dropFirst() where !header.cell(index).isEmpty {
            var habit = LoopHabit(header.cell(index))
            habit.place = header.place(file, in: bundle)
            habit.isNumerical = (filled[index] ?? []).contains { Int($0.cell(index)) != nil }
            if habit.isNumerical { habit.targetValue = 0.001 }
            readColumn(index, of: filled[index] ?? [], file, to: &habit)
            habits.append(habit)
        }
        problems += table.problems(of: file, in: bundle)
    }

    /// Reads the days of habits without a folder from the table of all habits. Habits without any days are reported.
    private mutating func fillFromMatrix(_ base: String, _ withoutFolder: [Int]) {
        guard !withoutFolder.isEmpty else { return }
        let file = bundle.files.first { $0.path == "\(base)Checkmarks.csv" }
        let table = file.map { CSVTable($0.bytes) }
        if let file, let table { problems += table.problems(of: file, in: bundle) }
        let filled = table.map(filledRecords(of:)) ?? [:]
        // Each of several habits with the same name has a column, in the order of the list.
        var columns: [String: ArraySlice<Int>] = [:]
        for (column, name) in (table?.records.first?.cells ?? []).enumerated() {
            columns[name, default: []].append(column)
        }
        let missing = Set(withoutFolder)
        for index in habits.indices {
            let column = columns[habits[index].name]?.popFirst()
            guard missing.contains(index) else { continue }
            var habit = habits[index]
            if let file, let column {
                readColumn(column, of: filled[column] ?? [], file, to: &habit)
            } else {
                habit.hasNoDays = true
            }
            habits[index] = habit
        }
    }

    /// Returns the non-empty cells of each column below the header.
    private func filledRecords(of table: CSVTable) -> [Int: [CSVRecord]] {
        var filled: [Int: [CSVRecord]] = [:]
        for record in table.records.dropFirst() {
            for column in record.cells.indices.dropFirst() where !record.cell(column).isEmpty {
                filled[column, default: []].append(record)
            }
        }
        return filled
    }

    private mutating func readColumn(
        _ column: Int, of records: [CSVRecord], _ file: ImportBundle.File, to habit: inout LoopHabit
    ) {
        var seen: Set<CivilDate> = []
        for record in records {
            let place = record.place(file, in: bundle)
            guard let (date, mark) = day(record.cell(0), record.cell(column), place, of: habit),
                seen.insert(date).inserted
            else { continue }
            habit.entered.append(LoopHabit.Day(date, mark))
        }
    }
}

extension LoopHabit.Mark {
    /// Parses the mark of a cell; nil if it is invalid. A word is a code; digits are an amount for habits of amounts.
    init?(_ text: String, isNumerical: Bool) {
        switch text {
        case "UNKNOWN": self = .unknown
        case "SKIP": self = .skip
        case "NO": self = .number(0)
        case "YES_AUTO": self = .number(1)
        case "YES_MANUAL": self = .number(2)
        default:
            guard let number = Int(text) else { return nil }
            self.init(code: number, isNumerical: isNumerical, isWhole: isNumerical)
        }
    }

    /// Returns the mark for a number of the database; with `isWhole` every number is an amount.
    package init?(code: Int, isNumerical: Bool, isWhole: Bool = false) {
        switch code {
        case -1 where !isWhole: self = .unknown
        case 3 where !isWhole: self = .skip
        default:
            guard isNumerical || (0...2).contains(code) else { return nil }
            self = .number(code)
        }
    }
}
