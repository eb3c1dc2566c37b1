import CivilDate
import Text

/// taskwarrior items that become one task: a template with its children, or all single items with one description.
struct TaskwarriorGroups {
    private struct Group {
        var name: String
        var source: String
        var place: ImportPlace
        var template: TaskwarriorItem?
        var items: [TaskwarriorItem] = []
    }

    private let setting: ImportSetting
    private var groups: [String: Group] = [:]
    private var order: [String] = []
    private(set) var problems: [ImportProblem] = []
    private var deleted = 0

    init(_ setting: ImportSetting) { self.setting = setting }

    /// Descriptions of the items left out of the whole file.
    var notes: [String] {
        deleted == 0 ? [] : ["\(NumberFormat.counted(deleted, "deleted task")) left out"]
    }

    mutating func add(_ item: TaskwarriorItem, _ place: ImportPlace) {
        let recurring = item.isTemplate ? item.uuid : item.parent
        if recurring == nil, item.status == "deleted" {
            deleted += 1
            return
        }
        let key = recurring.map { "uuid \($0)" } ?? "name \(item.description)"
        if groups[key] == nil {
            groups[key] = Group(
                name: item.description, source: "taskwarrior:\(recurring ?? item.description)", place: place)
            order.append(key)
        }
        if item.isTemplate {
            groups[key]?.template = item
            groups[key]?.name = item.description
        } else {
            groups[key]?.items.append(item)
        }
    }

    /// Returns the tasks, in the order found.
    mutating func tasks() -> [ImportedTask] {
        order.compactMap { groups[$0] }.compactMap { group in
            if group.items.isEmpty, group.template?.status == "deleted" {
                deleted += 1
                return nil
            }
            return task(group)
        }
    }

    private mutating func task(_ group: Group) -> ImportedTask? {
        var entries: [CivilDate: Entry] = [:]
        var dates: Set<CivilDate> = []
        var undated = 0
        let rule = self.rule(of: group)
        for item in group.items {
            if item.due == nil { undated += 1 }
            guard let day = self.day(of: item, rule) else {
                problems.append(
                    ImportProblem(group.place, subject: group.name, "a task has no valid date"))
                continue
            }
            dates.insert(day)
            guard let entry = TaskwarriorGroups.entry(item) else { continue }
            if (entries[day]?.completion ?? 0) < 1 { entries[day] = entry }
        }
        let all = group.items + [group.template].compactMap(\.self)
        var losses: [String] = []
        if undated > 0 {
            losses.append(
                "\(NumberFormat.counted(undated, "task")) without a due date, imported on the end or entry date")
        }
        guard let due = schedule(group, dates, &losses) else { return nil }
        let tags = all.flatMap { ($0.tags ?? []) + [$0.project].compactMap(\.self) }
        let pending = group.items.filter { TaskwarriorGroups.entry($0) == nil }.map(\.note)
        let notes = ([group.template?.note ?? ""] + pending).filter { !$0.isEmpty }
        let draft = TaskDraft(
            name: group.name, tags: tags, schedule: due.schedule, hasOpenEnd: due.isOpen,
            notes: notes.joined(separator: "\n"))
        return ImportedTask(source: group.source, draft: draft, entries: entries, losses: losses, place: group.place)
    }

    /// The entry of an item: 1 for a completed task; a deleted one of a series is a skipped day.
    private static func entry(_ item: TaskwarriorItem) -> Entry? {
        let note = item.note.isEmpty ? nil : item.note
        switch item.status {
        case "completed": return Entry(completion: 1, note: note)
        case "deleted": return Entry(skipReason: "deleted in taskwarrior", note: note)
        default: return nil
        }
    }

    private func day(of item: TaskwarriorItem, _ pattern: DayPattern?) -> CivilDate? {
        let finished = item.status == "completed" ? item.end : item.scheduled
        guard let day = [item.due, finished, item.entry].lazy.compactMap({ ImportMoment.day($0, setting) }).first else {
            return nil
        }
        // taskwarrior repeats a time in UTC: after a daylight saving change, midnight is off by an hour.
        guard let pattern, !pattern.matches(day), let due = item.due else { return day }
        let near = [3_600_000, -3_600_000].lazy.compactMap { ImportMoment.day(due, self.setting, movedBy: $0) }
        return near.first { pattern.matches($0) } ?? day
    }

    /// Returns the pattern of the recurrence; nil if there is none.
    private func rule(of group: Group) -> DayPattern? {
        let recur = group.template?.recur ?? group.items.lazy.compactMap(\.recur).first
        let first = group.items.lazy.compactMap { ImportMoment.day($0.due, self.setting) }.min()
        guard let recur, let anchor = ImportMoment.day(group.template?.due, setting) ?? first else { return nil }
        return TaskwarriorGroups.pattern(recur, anchor)
    }

    /// Returns the schedule: a pattern if the recurrence can be expressed, else these dates.
    private mutating func schedule(
        _ group: Group, _ dates: Set<CivilDate>, _ losses: inout [String]
    ) -> (schedule: Schedule, isOpen: Bool)? {
        let recur = group.template?.recur ?? group.items.lazy.compactMap(\.recur).first
        let anchor = ImportMoment.day(group.template?.due, setting) ?? dates.min()
        guard let anchor else {
            problems.append(ImportProblem(group.place, subject: group.name, "no due date"))
            return nil
        }
        let known = dates.filter { ImportedTasks.years.contains($0.components.year) }
        guard let recur, let pattern = TaskwarriorGroups.pattern(recur, anchor),
            known.allSatisfy({ pattern.matches($0) })
        else {
            if let recur {
                losses.append(
                    TaskwarriorGroups.pattern(recur, anchor) == nil
                        ? "recurrence \(recur) cannot be represented; imported with the existing dates, and never due again"
                        : "recurrence \(recur) does not match all due dates; imported with the existing dates, and never due again"
                )
            }
            return (.dates(dates.isEmpty ? [anchor] : dates), false)
        }
        let start = min(anchor, known.min() ?? anchor)
        let last = max(known.max() ?? start, start)
        let isOver = group.template.map { ["deleted", "completed"].contains($0.status) } ?? false
        let until = ImportMoment.day(group.template?.until, setting) ?? (isOver ? last : nil)
        let end = until ?? max(last, setting.today).adding(days: TaskRecord.openDays)
        return (.recurring(from: start, to: max(end, last), [TargetSet(pattern)]), until == nil)
    }

    /// Returns the pattern of a recurrence that began on `anchor`; nil if there is none.
    private static func pattern(_ recur: String, _ anchor: CivilDate) -> DayPattern? {
        switch recur.lowercased() {
        case "daily", "day", "1d", "1day", "p1d": return .daily
        case "weekdays": return DayPattern(weekdays: [.monday, .tuesday, .wednesday, .thursday, .friday])
        case "weekly", "week", "1w", "1wk", "1week", "7d", "p7d", "p1w": return DayPattern(weekdays: [anchor.weekday])
        case "monthly", "month", "1m", "1mo", "1month", "p1m":
            let day = anchor.components.day
            // taskwarrior moves a day that a month lacks to its last day; hub skips it.
            return day <= 28 ? DayPattern(monthDays: [.day(day)]) : day == 31 ? DayPattern(monthDays: [.last]) : nil
        default: return interval(recur.lowercased(), anchor)
        }
    }

    /// The pattern of `2wks`, `11d`, `quarterly` or `p2w`; nil for anything else.
    private static func interval(_ recur: String, _ anchor: CivilDate) -> DayPattern? {
        let text = recur.first == "p" ? recur.dropFirst() : recur[...]
        let digits = text.prefix { ("0"..."9").contains($0) }
        let name = text.dropFirst(digits.count)
        guard let number = digits.isEmpty ? 1 : Int(digits), (1...999).contains(number) else { return nil }
        let (unit, factor): (DayInterval.Unit, Int)
        switch name {
        case "d", "day", "days": (unit, factor) = (.day, 1)
        case "w", "wk", "wks", "week", "weeks", "weekly": (unit, factor) = (.week, 1)
        case "biweekly", "fortnight": (unit, factor) = (.week, 2)
        case "m", "mo", "mos", "mth", "mths", "month", "months", "monthly": (unit, factor) = (.month, 1)
        case "bimonthly": (unit, factor) = (.month, 2)
        case "q", "qtr", "qtrs", "quarter", "quarters", "quarterly": (unit, factor) = (.month, 3)
        case "semiannual": (unit, factor) = (.month, 6)
        case "y", "yr", "yrs", "year", "years", "yearly", "annual": (unit, factor) = (.month, 12)
        case "biannual", "biyearly": (unit, factor) = (.month, 24)
        default: return nil
        }
        let (count, day) = (number * factor, anchor.components.day)
        // A day that a month lacks is moved there, and left out here.
        guard unit.counts.contains(count), unit != .month || day <= 28 else { return nil }
        let days: DayPattern =
            switch unit {
            case .day: .daily
            case .week: DayPattern(weekdays: [anchor.weekday])
            case .month: DayPattern(monthDays: [.day(day)])
            }
        return days.every(DayInterval(every: count, unit, from: anchor))
    }
}
