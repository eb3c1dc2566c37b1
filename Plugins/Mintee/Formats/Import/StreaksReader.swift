import CivilDate
import Text

/// Reads the CSV of Streaks: one line for each entry, with `task_id`, `title`, `entry_type`, `entry_date` as `yyyyMMdd`,
/// and in newer versions `notes`.
enum StreaksReader: TaskReader {
    static func recognizes(_ bundle: ImportBundle) -> Bool {
        guard let file = bundle.single else { return false }
        return Set(CSVTable.header(of: file)).isSuperset(of: ["title", "entry_type", "entry_date"])
    }

    static func read(_ bundle: ImportBundle, _ setting: ImportSetting) -> ImportedTasks {
        var found = ImportedTasks()
        for file in bundle.files where CSVTable.header(of: file).contains("entry_type") {
            read(file, bundle, setting, &found)
        }
        return found
    }

    /// What happened on a day; of several entries of one day, the largest counts.
    private enum Result: Int, Comparable {
        case missed, skipped, done

        /// The types that end with how they came about, as `_manually` and `_auto`; nil for any other, such as
        /// `timer_manually` and `missed_auto_partial`, of which the file does not say how much was done.
        init?(_ type: String) {
            let parts = type.split(separator: "_", omittingEmptySubsequences: false)
            guard parts.count == 2, parts[1] == "manually" || parts[1] == "auto" else { return nil }
            switch parts[0] {
            case "completed": self = .done
            case "skipped": self = .skipped
            case "missed": self = .missed
            default: return nil
            }
        }

        static func < (left: Result, right: Result) -> Bool { left.rawValue < right.rawValue }

        var entry: Entry { Entry(completion: self == .done ? 1 : 0, skipReason: self == .skipped ? "" : nil) }
    }

    /// A task while its lines are read.
    private struct Lines {
        let name: String
        let place: ImportPlace
        var results: [CivilDate: Result] = [:]
        var notes: [CivilDate: [String]] = [:]
        /// The numbers of entries of other types.
        var others: [String: Int] = [:]
        var quantities = 0
    }

    private static func read(
        _ file: ImportBundle.File, _ bundle: ImportBundle, _ setting: ImportSetting, _ found: inout ImportedTasks
    ) {
        let table = CSVTable(file.bytes)
        found.problems += table.problems(of: file, in: bundle)
        let (id, title) = (table.column("task_id"), table.column("title"))
        let (type, date) = (table.column("entry_type"), table.column("entry_date"))
        let (quantity, notes) = (table.column("quantity"), table.column("notes"))
        var tasks: [String: Lines] = [:]
        var order: [String] = []
        for record in table.records.dropFirst() {
            let place = record.place(file, in: bundle)
            let name = record.cell(title)
            func refuse(_ message: String) {
                found.problems.append(ImportProblem(place, subject: name.isEmpty ? nil : name, message))
            }
            if name.isEmpty {
                refuse("no title")
                continue
            }
            guard let day = day(record.cell(date)) else {
                refuse("invalid date \"\(record.cell(date).prefix(40))\"")
                continue
            }
            let key = record.cell(id).isEmpty ? name : record.cell(id)
            if tasks[key] == nil {
                tasks[key] = Lines(name: name, place: place)
                order.append(key)
            }
            let word = record.cell(type).lowercased()
            if let result = Result(word) {
                let before = tasks[key]?.results[day] ?? result
                tasks[key]?.results[day] = max(before, result)
                let number = NumberText.number(record.cell(quantity)) ?? 0
                if number != 0, number != 1 { tasks[key]?.quantities += 1 }
            } else {
                tasks[key]?.others[String(word.prefix(40)), default: 0] += 1
            }
            let note = record.cell(notes)
            if !note.isEmpty, tasks[key]?.notes[day]?.contains(note) != true {
                tasks[key]?.notes[day, default: []].append(note)
            }
        }
        for key in order {
            if let lines = tasks[key] { found.tasks.append(task(lines, key, setting)) }
        }
    }

    private static func task(_ lines: Lines, _ key: String, _ setting: ImportSetting) -> ImportedTask {
        var habit = HabitCollection(lines.name, at: lines.place)
        habit.entries = lines.results.mapValues(\.entry)
        for (day, notes) in lines.notes { habit.entries[day, default: Entry()].note = notes.joined(separator: "\n") }
        habit.losses = ["Streaks exports neither due days nor targets; imported as due every day"]
        for (type, count) in lines.others.sorted(by: { $0.key < $1.key }) {
            habit.losses.append(
                "\(NumberFormat.counted(count, "entry", "entries")) of the type \"\(type)\" left out")
        }
        if lines.quantities > 0 {
            habit.losses.append(
                "\(NumberFormat.counted(lines.quantities, "quantity", "quantities")) left out; a completed day is 1")
        }
        return habit.task(source: "streaks:\(key)", setting)
    }

    /// Parses `20261120`, or `2026-11-20`.
    private static func day(_ text: String) -> CivilDate? {
        if let day = CivilDate(text) { return day }
        let digits = text.utf8.map { Int($0) - 0x30 }
        guard digits.count == 8, digits.allSatisfy({ (0...9).contains($0) }) else { return nil }
        func number(_ range: Range<Int>) -> Int { digits[range].reduce(0) { $0 * 10 + $1 } }
        return CivilDate(year: number(0..<4), month: number(4..<6), day: number(6..<8))
    }
}
