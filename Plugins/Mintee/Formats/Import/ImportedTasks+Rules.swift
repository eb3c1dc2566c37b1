package import CivilDate
import Text

extension ImportedTasks {
    /// The years of accepted entries; others come from broken files.
    static let years = TaskDraft.years

    /// Makes every task fit the rules: a unique name that is not too long, unique tags, and entries on due days only.
    /// Changes are reported; a task that still violates a rule is left out.
    package mutating func applyRules() {
        var (names, sources) = (UniqueTexts(), UniqueTexts())
        var kept: [ImportedTask] = []
        for var task in tasks {
            task.shortenTexts()
            let name = task.draft.name
            task.draft.name = names.take(name)
            if task.draft.name != name { task.losses.append("renamed: another task is also named \(name)") }
            if !task.source.isEmpty { task.source = sources.take(task.source) }
            task.bound()
            let undue = task.dropUndueEntries()
            if !undue.isEmpty {
                problems.append(
                    ImportProblem(
                        task.place, subject: task.draft.name,
                        "\(ImportWords.days(undue)) left out: the task is not due then"))
            }
            if let violation = task.draft.violations.first {
                let why = violation.detail.isEmpty ? Rule.named(violation.rule)?.text ?? "" : violation.detail
                problems.append(ImportProblem(task.place, subject: task.draft.name, why))
            } else {
                kept.append(task)
            }
        }
        tasks = kept
    }
}

extension ImportedTask {
    /// The maximum length of notes, in characters.
    private static let maximumNotes = 10_000

    fileprivate mutating func shortenTexts() {
        draft.name = draft.name.singleSpaced
        if draft.name.count > TaskDraft.maximumName {
            draft.name = String(draft.name.prefix(TaskDraft.maximumName))
            losses.append("name shortened to \(TaskDraft.maximumName) characters")
        }
        draft.notes = draft.notes.trimmed
        if draft.notes.count > ImportedTask.maximumNotes {
            draft.notes = String(draft.notes.prefix(ImportedTask.maximumNotes))
            losses.append("notes shortened to \(ImportedTask.maximumNotes) characters")
        }
        var seen: Set<String> = []
        draft.tags = draft.tags.map { String($0.trimmed.prefix(TaskDraft.maximumName)) }
            .filter { !$0.isEmpty && seen.insert(TagName.folded($0)).inserted }
    }

    /// Removes dates that are so far away that they must be mistakes.
    fileprivate mutating func bound() {
        func isNear(_ date: CivilDate) -> Bool { ImportedTasks.years.contains(date.components.year) }
        let far = entries.keys.filter { !isNear($0) }.sorted()
        for date in far { entries[date] = nil }
        if !far.isEmpty { losses.append("\(ImportWords.days(far)) before 1900 or after 2199 left out") }
        let wild = entries.filter { !(abs($0.value.completion) < 1e308) }.map(\.key).sorted()
        for date in wild { entries[date] = nil }
        if !wild.isEmpty { losses.append("\(ImportWords.days(wild)) with an invalid value left out") }
        switch draft.schedule {
        case .specific(let dates):
            let near = dates.filter(isNear)
            if near.count < dates.count {
                losses.append("\(ImportWords.days(dates.filter { !isNear($0) })) before 1900 or after 2199 left out")
            }
            draft.schedule = .specific(near)
        case .recurring(let start, let end, let sets):
            guard !isNear(start) || !isNear(end), let first = CivilDate(year: 1900, month: 1, day: 1),
                let last = CivilDate(year: 2199, month: 12, day: 31)
            else { return }
            draft.schedule = .recurring(from: min(max(start, first), last), to: max(min(end, last), first), sets)
            losses.append("limited to the years 1900 to 2199; the file has \(start) to \(end)")
        }
    }

    /// Removes the entries of days on which the task is not due, and returns these days.
    fileprivate mutating func dropUndueEntries() -> [CivilDate] {
        let undue = entries.keys.filter { !draft.isDue(on: $0) }.sorted()
        for date in undue { entries[date] = nil }
        return undue
    }
}

/// Makes texts unique: the second `Run` becomes `Run 2`.
private struct UniqueTexts {
    private var taken: Set<String> = []
    private var last: [String: Int] = [:]

    /// Returns the text, with a number appended if it was used before.
    mutating func take(_ text: String) -> String {
        if taken.insert(text).inserted { return text }
        let start = text.prefix(TaskDraft.maximumName - 8)
        while true {
            let number = last[text, default: 1] + 1
            last[text] = number
            let numbered = "\(start) \(number)"
            if taken.insert(numbered).inserted { return numbered }
        }
    }
}

/// Wording shared by readers.
package enum ImportWords {
    /// A number of days with the first of them: `3 days (2026-11-02, …)`.
    package static func days(_ days: [CivilDate]) -> String {
        let first = days.first.map { " (\($0)\(days.count > 1 ? ", …" : ""))" } ?? ""
        return NumberFormat.counted(days.count, "day") + first
    }
}
