package import CivilDate

extension ImportedTasks {
    /// The years from which an entry is taken; others come of broken files.
    static let years = TaskDraft.years

    /// Makes every task fit the rules: a name of its own that is not too long, tags that stand once, and entries on due
    /// days only. What does not fit is told; a task that still breaks a rule is left out.
    package mutating func settle() {
        var (names, sources) = (UniqueTexts(), UniqueTexts())
        var kept: [ImportedTask] = []
        for var task in tasks {
            task.shortenTexts()
            let name = task.draft.name
            task.draft.name = names.take(name)
            if task.draft.name != name { task.losses.append("another one is called \(name) too") }
            if !task.source.isEmpty { task.source = sources.take(task.source) }
            task.bound()
            let undue = task.dropUndueEntries()
            if !undue.isEmpty {
                problems.append(
                    ImportProblem(
                        task.place, subject: task.draft.name,
                        "\(ImportWords.days(undue)) on which it is not due cannot be kept"))
            }
            if let breach = task.draft.breaches.first {
                let why = breach.detail.isEmpty ? Rule.named(breach.rule)?.text ?? "" : breach.detail
                problems.append(ImportProblem(task.place, subject: task.draft.name, why))
            } else {
                kept.append(task)
            }
        }
        tasks = kept
    }
}

extension ImportedTask {
    /// How long notes may be, in characters.
    private static let maximumNotes = 10_000

    fileprivate mutating func shortenTexts() {
        draft.name = draft.name.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        if draft.name.count > TaskDraft.maximumName {
            draft.name = String(draft.name.prefix(TaskDraft.maximumName))
            losses.append("its name is longer than \(TaskDraft.maximumName) characters and was cut")
        }
        draft.notes = draft.notes.trimmed
        if draft.notes.count > ImportedTask.maximumNotes {
            draft.notes = String(draft.notes.prefix(ImportedTask.maximumNotes))
            losses.append("its notes are longer than \(ImportedTask.maximumNotes) characters and were cut")
        }
        var seen: Set<String> = []
        draft.tags = draft.tags.map { String($0.trimmed.prefix(TaskDraft.maximumName)) }
            .filter { !$0.isEmpty && seen.insert(TagName.folded($0)).inserted }
    }

    /// Leaves out what lies so far away that it can only be a mistake.
    fileprivate mutating func bound() {
        func isNear(_ date: CivilDate) -> Bool { ImportedTasks.years.contains(date.components.year) }
        let far = entries.keys.filter { !isNear($0) }.sorted()
        for date in far { entries[date] = nil }
        if !far.isEmpty { losses.append("\(ImportWords.days(far)) before 1900 or after 2199 left out") }
        let wild = entries.filter { !(abs($0.value.completion) < 1e308) }.map(\.key).sorted()
        for date in wild { entries[date] = nil }
        if !wild.isEmpty { losses.append("\(ImportWords.days(wild)) with a value that is no number left out") }
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
            losses.append("it is due from 1900 to 2199 only, in the file from \(start) to \(end)")
        }
    }

    /// Takes out the entries of days on which the task is not due, and answers these days.
    fileprivate mutating func dropUndueEntries() -> [CivilDate] {
        let undue = entries.keys.filter { !draft.isDue(on: $0) }.sorted()
        for date in undue { entries[date] = nil }
        return undue
    }
}

/// Texts of which each is given once: the second `Run` is `Run 2`.
private struct UniqueTexts {
    private var taken: Set<String> = []
    private var last: [String: Int] = [:]

    /// The text, or with a number behind it one that was not given yet.
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

/// Words that several readers use.
package enum ImportWords {
    /// How many days, and the first of them: `3 days (2026-11-02, …)`.
    package static func days(_ days: [CivilDate]) -> String {
        let first = days.first.map { " (\($0)\(days.count > 1 ? ", …" : ""))" } ?? ""
        return days.count == 1 ? "1 day\(first)" : "\(days.count) days\(first)"
    }

    /// A number of things: `1 line`, `3 lines`.
    package static func count(_ number: Int, _ thing: String) -> String {
        number == 1 ? "1 \(thing)" : "\(number) \(thing)s"
    }
}
