import CivilDate
import Commands
import HubKit
import MinteeDomain

/// `hub mintee edit`: changes a task with options, or as a form in the editor.
enum EditCommand {
    private static let name = Option<String>("name", "NAME", help: "new name")
    private static let options = TaskOptions()
    private static let source = Option<String>(
        "from-source", "FILE", help: "take the days and targets from this export of another program",
        completion: .files([]))

    static let command = Command(
        "edit", summary: "change a task with options, or in the editor",
        discussion: [
            "Entries on days that are still due are kept. If an edit would drop filled days, they are listed and you are "
                + "asked to confirm."
        ],
        examples: [
            Example("hub mintee edit read", "in $VISUAL or $EDITOR"),
            Example(#"hub mintee edit run --on "Tue,Thu: x >= 3" --to 2027-03-31"#, "with options"),
        ], parameters: [TaskCommands.one, name, source] + options.all,
        exclusive: [
            ["on", "dates"], ["dates", "from"], ["dates", "to"], ["from-source", "on"], ["from-source", "dates"],
        ], fields: TaskListItem.fields, changes: true
    ) { (mintee: MinteePlugin, input: Input) in
        let record = try await mintee.tasks.select(input[TaskCommands.one], asking: input)
        let today = mintee.day.today
        var draft = record.draft
        if let text = input[name] { draft.name = text }
        if let path = input[source] {
            let days = try await mintee.draft(of: record, fromSource: try await TaskImportSource(path: path))
            (draft.schedule, draft.period, draft.hasOpenEnd) = (days.schedule, days.period, days.hasOpenEnd)
        }
        try options.apply(input, to: &draft, today: today, mintee.config.decimalMark)
        draft = try await mintee.resolved(draft, of: record.id)
        if draft == record.draft {
            if input[name] != nil || input[source] != nil || options.isGiven(input) {
                let row = try await mintee.tasks.listed(record)
                return .edited("\(row.label): nothing changed", row, TaskListItem.fields)
            }
            if input.dryRun { return .done("Would open \(record.draft.name) in the editor") }
            guard let edited = try await edited(draft, input, today: today) else { return .cancelled }
            draft = edited
        }
        let change = draft
        let plan = try await mintee.planUpdate(record.id) { $0 = change }
        if input.dryRun {
            let lost = plan.losses.isEmpty ? "" : ", \(count(plan.losses)) dropped"
            var planned = record
            planned.draft = plan.after
            var output = Output.changed(
                "Would change \(record.draft.name): \(plan.text)\(lost)", try await mintee.tasks.listed(planned),
                TaskListItem.fields)
            if !plan.losses.isEmpty { output.human? += preview(plan) }
            return output
        }
        if !plan.losses.isEmpty {
            await input.console.show(preview(plan))
            let question = "Drop \(count(plan.losses))?"
            guard try await input.confirm(question, consequence: "\(count(plan.losses)) would be dropped") else {
                return .cancelled
            }
        }
        let done = try await mintee.updateTask(
            record.id, expecting: record.revision, losing: plan.losses, operation: Operation(input)
        ) { $0 = change }
        let row = try await mintee.tasks.listed(try await mintee.tasks.get(record.id))
        return .edited(
            "\(row.label): \(done.text)\(lost(done.losses))", row,
            TaskListItem.fields)
    }

    /// Returns the task as saved in the editor; nil if nothing changed or the user drops the changes.
    private static func edited(_ draft: TaskDraft, _ input: Input, today: CivilDate) async throws -> TaskDraft? {
        try await input.edited(
            TaskForm(draft).text, suffix: ".task", option: "hub mintee edit TASK --name NAME --on PATTERN"
        ) { text in
            do throws(TaskForm.Problem) {
                return .valid(try TaskForm.read(text, editing: draft, today: today))
            } catch {
                let excerpt = SourceExcerpt(
                    lines: [error.excerpt], line: error.line, columns: error.columns, note: error.message)
                return .invalid([EditorProblem(excerpt.rendered, hint: error.hint)])
            }
        }
    }

    private static func preview(_ plan: TaskUpdate) -> [String] {
        ["\(plan.before.draft.name) would no longer be due on \(count(plan.losses)):"]
            + stride(from: 0, to: min(plan.losses.count, 60), by: 6).map { start in
                "  " + plan.losses[start..<min(start + 6, plan.losses.count)].map(\.description).joined(separator: "  ")
            } + (plan.losses.count > 60 ? ["  and \(plan.losses.count - 60) more"] : [])
    }

    private static func lost(_ losses: [CivilDate]) -> String {
        losses.isEmpty ? "" : ". \(count(losses)) dropped"
    }

    private static func count(_ losses: [CivilDate]) -> String {
        NumberFormat.counted(losses.count, "filled day")
    }
}

extension TaskDraft {
    /// The first day if it is not today, and the last one if there is one: `, from Mon 30 November to Fri 4 December`; empty for
    /// specific dates.
    func spanText(today: CivilDate) -> String {
        guard case .recurring(let start, let end, _) = schedule else { return "" }
        return (start == today ? "" : ", from \(start.shortText(today: today))")
            + (hasOpenEnd ? "" : " to \(end.shortText(today: today))")
    }

    /// The first and the last day, if they are others than those of `old`.
    fileprivate func spanText(since old: TaskDraft) -> String {
        guard case .recurring(let start, let end, _) = schedule else { return "" }
        var (first, last): (CivilDate?, CivilDate?)
        if case .recurring(let from, let to, _) = old.schedule { (first, last) = (from, old.hasOpenEnd ? nil : to) }
        let isEndNew = hasOpenEnd ? first != nil && last != nil : last != end
        return (first == start ? "" : ", from \(start.dayText)")
            + (isEndNew ? hasOpenEnd ? ", no end date" : " to \(end.dayText)" : "")
    }
}

extension TaskUpdate {
    /// Targets that no set has any more while another set is only done or not, or while the task now has specific
    /// dates: probably dropped by mistake.
    private var lostTargets: [Target] {
        let (old, new) = (before.draft.schedule.sets.map(\.target), after.schedule.sets.map(\.target))
        guard new.isEmpty || new.contains(.done) else { return [] }
        var seen: Set<Target> = [.done]
        return old.filter { !new.contains($0) && seen.insert($0).inserted }
    }

    /// A short description of the differences.
    var text: String {
        let old = before.draft
        var parts: [String] = []
        if old.name != after.name { parts.append("name \(after.name)") }
        if old.schedule != after.schedule || old.hasOpenEnd != after.hasOpenEnd {
            parts.append(after.daysText + after.spanText(since: old))
        }
        if !lostTargets.isEmpty {
            parts.append("target \(lostTargets.map(\.description).joined(separator: " and ")) dropped")
        }
        if old.tags != after.tags {
            parts.append("tags \(after.tags.isEmpty ? "none" : after.tags.joined(separator: ", "))")
        }
        if old.remindAt != after.remindAt {
            parts.append("reminder \(after.reminderTime ?? "none")")
        }
        if old.section != after.section { parts.append("section \(after.section ?? "none")") }
        if old.notes != after.notes { parts.append("notes") }
        return parts.isEmpty ? "nothing changed" : parts.joined(separator: ", ")
    }
}
