import MinteeDomain
import SQLite
import Storage

extension [RowChange] {
    /// Descriptions of the changes of a task, in a few words each: those of the task itself first, then days by date.
    package var taskChanges: [String] {
        // A new task says nothing but that it is new.
        if contains(where: { $0.table == "mintee_task" && $0.kind == .insert }) { return [] }
        let own = filter { $0.table == "mintee_task" }.flatMap(\.ownChanges)
        let sets =
            contains { ["mintee_target_set", "mintee_interval", "mintee_exception"].contains($0.table) }
            ? ["days and targets"] : []
        let tags = contains { $0.table == "mintee_task_tag" } ? ["tags"] : []
        let places = filter { $0.table == "mintee_place" }.flatMap { change in
            ["section", "position"].filter { change.before[$0] != change.after[$0] }.map {
                $0 == "position" ? "order" : $0
            }
        }
        let days = [RowChange].runs(filter { $0.table == "mintee_instance" }.compactMap(\.dayChange))
        let shown = days.count > 20 ? days.prefix(20) + ["\(days.count - 20) more days"] : days[...]
        return own + sets + tags + places + shown
    }
}

extension [RowChange] {
    /// The days in order, three or more in a row that were changed alike as one: `2026-12-20 to 2027-01-03 (15 days): 0 → 1`.
    fileprivate static func runs(_ days: [(day: String, text: String)]) -> [String] {
        var words: [String] = []
        var rest = days.sorted { $0.day < $1.day }[...]
        while let first = rest.first {
            let run = rest.prefix { $0.text == first.text }
            rest = rest.dropFirst(run.count)
            if run.count > 2, let last = run.last {
                words.append("\(first.day) to \(last.day) (\(run.count) days): \(first.text)")
            } else {
                words += run.map { "\($0.day): \($0.text)" }
            }
        }
        return words
    }
}

extension RowChange {
    fileprivate var ownChanges: [String] {
        guard kind == .update else { return [] }
        var changes: [String] = []
        if let old = before["name"], let new = after["name"] { changes.append("name \(old) → \(new)") }
        for (column, word) in [
            ("start_day", "start"), ("end_day", "end"), ("remind_at", "reminder"), ("notes", "notes"), ("kind", "kind"),
        ]
        where after[column] != nil { changes.append(word) }
        return changes
    }

    /// The day with its change: `2026-11-20` and `2 → 3`.
    fileprivate var dayChange: (day: String, text: String)? {
        guard let day = key["day"] else { return nil }
        func number(_ value: Value?) -> String? {
            guard case .real(let number)? = value else { return nil }
            return NumberText.text(number)
        }
        var parts: [String] = []
        let (old, new) = (number(before["completion"]), number(after["completion"]))
        switch kind {
        case .insert: parts.append(new ?? "0")
        case .delete: parts.append("\(old ?? "0") → nothing")
        case .update: if let new { parts.append("\(old ?? "0") → \(new)") }
        }
        if case .text(let reason)? = after["skip"] { parts.append(reason.isEmpty ? "skipped" : "skipped: \(reason)") }
        if case .text(let note)? = after["note"] { parts.append("note: \(note)") }
        return parts.isEmpty ? nil : ("\(day)", parts.joined(separator: ", "))
    }
}
