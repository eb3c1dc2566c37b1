package import CivilDate
import Collation
import Time

/// The data of a task as entered, before it has an id.
package struct TaskDraft: Hashable, Sendable {
    /// The name; unique among tasks.
    package var name: String
    /// The tags as entered.
    package var tags: [String]
    /// The due days with their targets.
    package var schedule: Schedule
    /// The target over several days, of a recurring task alone; nil for none.
    package var period: PeriodTarget?
    /// Whether a recurring task has no end date: then its end moves with the current day.
    package var hasOpenEnd: Bool
    /// The reminder time, in minutes after midnight; nil for none.
    package var remindAt: Int?
    /// Notes; may be empty.
    package var notes: String
    /// The section of a day in which the task is shown; nil for none.
    package var section: String?

    package init(
        name: String, tags: [String] = [], schedule: Schedule, period: PeriodTarget? = nil, hasOpenEnd: Bool = false,
        remindAt: Int? = nil, notes: String = "", section: String? = nil
    ) {
        self.name = name
        self.tags = tags
        self.schedule = schedule
        self.period = period
        self.hasOpenEnd = hasOpenEnd
        self.remindAt = remindAt
        self.notes = notes
        self.section = section
    }

    /// The maximum number of target sets and dates of a task: priorities are 16-bit numbers.
    package static let maximumSets = Int(Int16.max)
    /// The maximum length of a name or tag, in characters.
    package static let maximumName = 200

    /// Returns the default for a new task: every day, done or not, with an open end.
    package static func daily(_ name: String, today: CivilDate) -> TaskDraft {
        TaskDraft(
            name: name,
            schedule: .recurring(from: today, to: today.adding(days: TaskRecord.openDays), [TargetSet(.daily)]),
            hasOpenEnd: true)
    }

    /// The rules that the task violates by itself, regardless of others.
    package var violations: [RuleViolation] {
        var broken: [RuleViolation] = []
        if name.isBlank || name.count > TaskDraft.maximumName {
            broken.append(RuleViolation("I-1", name, TaskDraft.nameProblem(name)))
        }
        broken += tagViolations
        if let section, section.isBlank || section.count > TaskDraft.maximumName {
            let problem = section.isBlank ? "a section has a name" : TaskDraft.nameProblem(section)
            broken.append(RuleViolation("I-11", section, problem))
        }
        switch schedule {
        case .specific(let dates):
            if dates.isEmpty { broken.append(RuleViolation("TASK-4", name, "has no dates; choose at least one")) }
        case .recurring(let start, let end, let sets):
            if sets.isEmpty { broken.append(RuleViolation("TASK-3", name, "has no due days")) }
            if sets.count > TaskDraft.maximumSets {
                broken.append(RuleViolation("I-8", name, "has too many target sets"))
            }
            if end < start {
                broken.append(RuleViolation("TASK-6", name, "ends on \(end), before it starts on \(start)"))
            }
            for set in sets { broken += set.violations.map { RuleViolation($0, name) } }
        }
        broken += (period?.violations(with: schedule) ?? []).map { RuleViolation($0, name) }
        return broken
    }

    /// The years in which a task may be due; what lies outside can only be a mistake.
    package static let years = 1900...2199

    /// Whether days of tasks may lie there.
    package static func isNear(_ date: CivilDate) -> Bool { years.contains(date.components.year) }

    /// The days outside of ``years`` that were typed for the task, as violations at their fields; without those of `old`.
    package func farViolations(besides old: TaskDraft? = nil) -> [RuleViolation] {
        let known = Set(old?.typedDays.map(\.date) ?? [])
        return typedDays.filter { !TaskDraft.isNear($0.date) && !known.contains($0.date) }.map { rule, field, date in
            RuleViolation(rule, name, TaskDraft.farProblem(date), field: field)
        }
    }

    /// What is wrong with a day that is too far away.
    package static func farProblem(_ date: CivilDate) -> String {
        "cannot be due on \(date); days of tasks lie in the years \(years.lowerBound) to \(years.upperBound)"
    }

    /// The days that say when the task is due, each with its rule and field.
    private var typedDays: [(rule: RuleCode, field: String, date: CivilDate)] {
        switch schedule {
        case .specific(let dates): dates.map { ("TASK-4", "dates", $0) }
        case .recurring(let start, let end, _):
            hasOpenEnd
                ? [("TASK-2", "start", start)] : [("TASK-2", "start", start), ("TASK-2", "end", end)]
        }
    }

    /// The reminder time as `HH:mm`; nil for no reminder.
    package var reminderTime: String? { remindAt.flatMap { TimeOfDay(minutes: $0) }?.description }

    /// Returns the problem of a name that is too short or too long.
    static func nameProblem(_ name: String) -> String {
        name.isBlank ? "a name is required" : "is longer than \(maximumName) characters"
    }

    private var tagViolations: [RuleViolation] {
        var seen: Set<String> = []
        return tags.compactMap { tag in
            if tag.isBlank || tag.count > TaskDraft.maximumName {
                return RuleViolation("I-3", tag, tag.isBlank ? "a tag has a name" : TaskDraft.nameProblem(tag))
            }
            return seen.insert(TagName.folded(tag)).inserted ? nil : RuleViolation("I-3", tag, "is given twice")
        }
    }
}

extension StringProtocol {
    /// Whether the text has no visible characters: only blanks, and characters without a width such as U+200B.
    package var isBlank: Bool {
        unicodeScalars.allSatisfy {
            $0.properties.isWhitespace || $0.properties.isDefaultIgnorableCodePoint || $0.value < 32
        }
    }

    /// The words of the text with single spaces between them.
    package var singleSpaced: String { split(whereSeparator: \.isWhitespace).joined(separator: " ") }
}

/// Compares tags without case and accents; the first spelling is kept.
package enum TagName {
    /// Returns the form that all spellings of one tag share.
    package static func folded(_ name: some StringProtocol) -> String {
        Transliterator.fold(String(name)).singleSpaced
    }

    /// Whether a tag is suggested for the text `typed`: it contains the text, ignoring case and accents.
    package static func matches(_ name: String, typed: String) -> Bool {
        typed.isEmpty || folded(name).contains(folded(typed))
    }
}
