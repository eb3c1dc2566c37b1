package import CivilDate

/// A task at a point in time, with its entries then.
package struct TaskVersion: Hashable, Sendable {
    /// The task.
    package let draft: TaskDraft
    /// The entries by day.
    package let entries: [CivilDate: Entry]

    package init(_ draft: TaskDraft, entries: [CivilDate: Entry]) {
        self.draft = draft
        self.entries = entries
    }
}

/// One difference between two versions of a task.
package struct TaskDifference: Hashable, Sendable {
    /// `name`, `days`, `from`, `to`, `tags`, `reminder`, `notes`, `section`, or a day, `yyyy-MM-dd`.
    package let what: String
    /// The value before; empty for none.
    package let before: String
    /// The value after; empty for none.
    package let after: String

    /// Returns the differences between two versions, first of the task itself, then of days in order; nil means no
    /// task.
    package static func all(_ before: TaskVersion?, _ after: TaskVersion?) -> [TaskDifference] {
        let (old, new) = (before.map { fields($0.draft) }, after.map { fields($0.draft) })
        var found = names.indices.compactMap { index -> TaskDifference? in
            let (from, to) = (old?[index] ?? "", new?[index] ?? "")
            return from == to ? nil : TaskDifference(what: names[index], before: from, after: to)
        }
        let (past, present) = (before?.entries ?? [:], after?.entries ?? [:])
        for day in Set(past.keys).union(present.keys).sorted() where past[day] != present[day] {
            found.append(TaskDifference(what: "\(day)", before: text(past[day]), after: text(present[day])))
        }
        return found
    }

    private static let names = ["name", "days", "from", "to", "tags", "reminder", "notes", "section"]

    private static func fields(_ draft: TaskDraft) -> [String] {
        let (days, from, to): (String, String, String)
        switch draft.schedule {
        case .recurring(let start, let end, let sets):
            (days, from) = (DueDays(sets, draft.period).description, start.description)
            to = draft.hasOpenEnd ? "open" : end.description
        case .specific(let dates): (days, from, to) = (dates.map(\.description).joined(separator: ", "), "", "")
        }
        return [
            draft.name, days, from, to, draft.tags.sorted().joined(separator: ", "), draft.reminderTime ?? "",
            draft.notes, draft.section ?? "",
        ]
    }

    private static func text(_ entry: Entry?) -> String {
        guard let entry else { return "" }
        let value = entry.skipReason.map { $0.isEmpty ? "skipped" : "skipped: \($0)" }
        return (value ?? NumberText.text(entry.completion)) + (entry.note.map { ", note: \($0)" } ?? "")
    }
}
