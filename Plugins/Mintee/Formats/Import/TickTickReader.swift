import CivilDate
import ICalendar
import Text

/// Reads the backup of TickTick: a table below some lines about the file, with `Title`, `Due Date`, `Repeat` and `Status`.
///
/// Its repetitions are recurrence rules, so each row is read as a to-do of a calendar.
enum TickTickReader: TaskReader {
    private static let mark = Array("\"List Name\",\"Title\"".utf8)

    static func recognizes(_ bundle: ImportBundle) -> Bool {
        bundle.single.flatMap { start(of: Array($0.bytes.prefix(8 << 10))) } != nil
    }

    /// The beginning of the line with the names of the columns; nil if there is none.
    private static func start(of bytes: [UInt8]) -> Int? {
        guard let place = bytes.firstRange(of: mark)?.lowerBound else { return nil }
        return (bytes[..<place].lastIndex(of: 0x0A) ?? -1) + 1
    }

    static func read(_ bundle: ImportBundle, _ setting: ImportSetting) -> ImportedTasks {
        var found = ImportedTasks()
        for file in bundle.files {
            guard let start = start(of: file.bytes) else { continue }
            let lines = file.bytes[..<start].count { $0 == 0x0A }
            let table = CSVTable(Array(file.bytes[start...]))
            found.problems += table.problems(of: file, in: bundle).map { moved($0, by: lines) }
            var items: [ICalComponent] = []
            for record in table.records.dropFirst() {
                func cell(_ name: String) -> String { record.cell(table.column(name)) }
                let place = record.place(file, in: bundle)
                let line = place.line + lines
                if cell("Title").isEmpty || cell("Kind") == "NOTE" { continue }
                guard !cell("Due Date").isEmpty || !cell("Start Date").isEmpty else {
                    found.problems.append(
                        ImportProblem(
                            ImportPlace(file: place.file, line: line, excerpt: place.excerpt), subject: cell("Title"),
                            "to-do without a date"))
                    continue
                }
                items.append(todo(cell, line: line, setting))
            }
            CalendarReading(items, file: bundle.files.count > 1 ? file.path : nil, setting).read(into: &found)
        }
        return found
    }

    private static func todo(
        _ cell: (String) -> String, line: Int, _ setting: ImportSetting
    ) -> ICalComponent {
        var todo = ICalComponent("VTODO", [ICalProperty("SUMMARY", text: cell("Title"))], line: line)
        if !cell("taskId").isEmpty {
            // The number of a task is unique in its file alone, and its list and creation make it one everywhere.
            let words = [cell("taskId"), cell("List Name"), cell("Created Time")].joined(separator: "/")
            todo.properties.append(ICalProperty("UID", text: "ticktick-\(words)"))
        }
        // A start without a due date is the day of the task.
        let due = [cell("Due Date"), cell("Start Date")].lazy.compactMap { day($0, setting) }.first
        if let due { todo.properties.append(ICalProperty("DUE", days: [due])) }
        let tags = cell("Tags").split(separator: ",").map(\.trimmed).filter { !$0.isEmpty }
        let list = cell("List Name")
        let all = tags + (list.isEmpty || list == "Inbox" ? [] : [list])
        if !all.isEmpty { todo.properties.append(ICalProperty("CATEGORIES", texts: all)) }
        if !cell("Content").isEmpty { todo.properties.append(ICalProperty("DESCRIPTION", text: cell("Content"))) }
        let rule = cell("Repeat").hasPrefix("RRULE:") ? String(cell("Repeat").dropFirst(6)) : cell("Repeat")
        if !rule.isEmpty { todo.properties.append(ICalProperty("RRULE", value: rule)) }
        // 0 is open; 1 and 2 are completed and archived.
        if ["1", "2"].contains(cell("Status")) { todo.properties.append(ICalProperty("STATUS", value: "COMPLETED")) }
        return todo
    }

    /// The local day of a time such as `2026-11-20T22:00:00+0000`.
    private static func day(_ text: String, _ setting: ImportSetting) -> CivilDate? {
        let zone = text.suffix(5)
        guard let sign = zone.first, "+-".contains(sign), let number = Int(zone.dropFirst()) else {
            return ImportMoment.day(text, setting)
        }
        let minutes = number / 100 * 60 + number % 100
        return ImportMoment.day(
            "\(text.dropLast(5))Z", setting, movedBy: Double(sign == "+" ? -minutes : minutes) * 60_000)
    }

    private static func moved(_ problem: ImportProblem, by lines: Int) -> ImportProblem {
        ImportProblem(
            ImportPlace(file: problem.place.file, line: problem.place.line + lines, excerpt: problem.place.excerpt),
            columns: problem.columns, subject: problem.subject, problem.message)
    }
}
