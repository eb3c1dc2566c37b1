import CivilDate
import Text

/// Reads the CSV of a project of Todoist: `TYPE,CONTENT,DESCRIPTION,…,DATE`, with tasks, sections and notes.
///
/// It has open tasks alone, without their past. Dates are words, which are read as patterns of hub are.
enum TodoistReader: TaskReader {
    static func recognizes(_ bundle: ImportBundle) -> Bool {
        guard let file = bundle.single else { return false }
        return Set(CSVTable.header(of: file)).isSuperset(of: ["type", "content", "priority", "indent", "date"])
    }

    static func read(_ bundle: ImportBundle, _ setting: ImportSetting) -> ImportedTasks {
        var found = ImportedTasks()
        for file in bundle.files {
            let table = CSVTable(file.bytes)
            guard table.header.contains("content") else { continue }
            found.problems += table.problems(of: file, in: bundle)
            var isTask = false
            for record in table.records.dropFirst() {
                func cell(_ name: String) -> String { record.cell(table.column(name)) }
                let place = record.place(file, in: bundle)
                switch cell("TYPE") {
                case "task":
                    let (name, tags) = labels(in: cell("CONTENT"))
                    isTask = false
                    do throws(TextProblem) {
                        let (schedule, losses) = try schedule(cell("DATE"), setting)
                        var draft = TaskDraft(name: name, tags: tags, schedule: schedule)
                        draft.notes = cell("DESCRIPTION")
                        draft.hasOpenEnd = schedule.kind == .recurring
                        found.tasks.append(ImportedTask(source: "", draft: draft, losses: losses, place: place))
                        isTask = true
                    } catch {
                        found.problems.append(ImportProblem(place, subject: name, error.message))
                    }
                case "note" where isTask:
                    let last = found.tasks.count - 1
                    let notes = found.tasks[last].draft.notes
                    found.tasks[last].draft.notes = notes.isEmpty ? cell("CONTENT") : "\(notes)\n\(cell("CONTENT"))"
                default: continue
                }
            }
        }
        return found
    }

    /// The name of a task without its `@labels`, and these.
    private static func labels(in content: String) -> (name: String, tags: [String]) {
        let words = content.split(whereSeparator: \.isWhitespace)
        let isLabel = { (word: Substring) in
            word.first == "@" && word.count > 1 && word.dropFirst().first?.isLetter == true
        }
        let name = words.filter { !isLabel($0) }.joined(separator: " ")
        return name.isEmpty ? (content, []) : (name, words.filter(isLabel).map { String($0.dropFirst()) })
    }

    /// The days of a date in words: `2026-11-20`, `2026-11-20T18:30:00Z`, `every mon at 18:30`.
    private static func schedule(
        _ text: String, _ setting: ImportSetting
    ) throws(TextProblem) -> (Schedule, losses: [String]) {
        if text.isEmpty { throw TextProblem("to-do without a date", 1..<2) }
        if let day = CivilDate(text.prefix(10)), !text.lowercased().contains("every") {
            let local = text.hasSuffix("Z") ? ImportMoment.day(text, setting) ?? day : day
            return (.dates([local]), text.count > 10 ? ["time of day left out"] : [])
        }
        var losses: [String] = []
        var words = text.lowercased()
        if words.hasPrefix("every!") {
            words = "every" + words.dropFirst(6)
            losses.append("\"every!\", from the day of completion, is imported as fixed days")
        }
        if let time = words.firstRange(of: " at ") {
            words = String(words[..<time.lowerBound])
            losses.append("time of day left out")
        }
        guard words.hasPrefix("every") || words.hasPrefix("daily"),
            let sets = try? TargetSet.sets(words, start: setting.today)
        else { throw TextProblem("the date \"\(text.prefix(60))\" cannot be read", 1..<2) }
        let end = setting.horizon ?? setting.today.adding(days: TaskRecord.openDays)
        return (.recurring(from: setting.today, to: end, sets), losses)
    }
}
