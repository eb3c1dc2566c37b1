import CivilDate
import Text

/// Reads HabitBull: `HabitName,HabitDescription,HabitCategory,CalendarDate,Value,CommentText`.
enum HabitBullReader: TaskReader {
    static func recognizes(_ bundle: ImportBundle) -> Bool {
        guard let file = bundle.single else { return false }
        return Set(CSVTable.header(of: file)).isSuperset(of: ["habitname", "calendardate", "value"])
    }

    static func read(_ bundle: ImportBundle, _ setting: ImportSetting) -> ImportedTasks {
        var found = ImportedTasks()
        for file in bundle.files where file.name.hasSuffix(".csv") || bundle.files.count == 1 {
            let table = CSVTable(file.bytes)
            found.problems += table.problems(of: file, in: bundle)
            guard let name = table.column("HabitName"), let date = table.column("CalendarDate"),
                let value = table.column("Value")
            else { continue }
            var habits: [String: HabitCollection] = [:]
            var order: [String] = []
            var negative: [String: Int] = [:]
            for record in table.records.dropFirst() {
                let place = record.place(file, in: bundle)
                func refuse(_ message: String) {
                    let subject = record.cell(name)
                    found.problems.append(ImportProblem(place, subject: subject.isEmpty ? nil : subject, message))
                }
                let habit = record.cell(name)
                if habit.isEmpty {
                    refuse("no habit name")
                    continue
                }
                guard let day = Self.day(record.cell(date)) else {
                    refuse("invalid date \"\(record.cell(date).prefix(40))\"")
                    continue
                }
                guard let number = Self.number(record.cell(value)) else {
                    refuse("invalid number \"\(record.cell(value).prefix(40))\"")
                    continue
                }
                if habits[habit] == nil {
                    var collection = HabitCollection(habit, at: place)
                    collection.notes = record.cell(table.column("HabitDescription"))
                    collection.tags = [record.cell(table.column("HabitCategory"))]
                    collection.losses = [
                        "HabitBull exports neither due days nor targets; imported as due every day with a target of 1"
                    ]
                    habits[habit] = collection
                    order.append(habit)
                }
                let comment = record.cell(table.column("CommentText"))
                if number < 0 { negative[habit, default: 0] += 1 }
                if number < 0, comment.isEmpty { continue }
                let entry = Entry(completion: max(0, number), note: comment.isEmpty ? nil : comment)
                if let before = habits[habit]?.entries[day], before != entry {
                    refuse("\(day) is given twice; the first line counts")
                } else {
                    habits[habit]?.entries[day] = entry
                }
            }
            found.tasks += order.compactMap { habits[$0] }.map { habit in
                var habit = habit
                if let count = negative[habit.name] {
                    habit.losses.append("\(NumberFormat.counted(count, "value")) below 0 left out")
                }
                return habit.task(source: "habitbull:\(habit.name)", setting)
            }
        }
        return found
    }

    /// A number as HabitBull writes it, or as a spreadsheet that saved the file again: `-2147483648`, `-2.15E+09`.
    private static func number(_ text: String) -> Double? {
        if let number = NumberText.number(text) { return number }
        let parts = text.lowercased().split(separator: "e", omittingEmptySubsequences: false)
        guard parts.count == 2, NumberText.number(parts[0]) != nil, (1...4).contains(parts[1].utf8.count),
            let power = Int(parts[1]), abs(power) <= 15
        else { return nil }
        return Double(text)
    }

    /// `2026-11-20`, with or without a time, or `11/20/2026`.
    private static func day(_ text: String) -> CivilDate? {
        let word = text.prefix { !$0.isWhitespace && $0 != "T" }
        if let day = CivilDate(word) { return day }
        let parts = word.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
        guard parts.count == 3, let month = parts[0], let day = parts[1], let year = parts[2] else { return nil }
        return CivilDate(year: year < 100 ? year + 2000 : year, month: month, day: day)
    }
}
