import CivilDate
import ICalendar

/// Reads a task that hub exported to a calendar, without loss.
struct OwnTask {
    private let id: String
    private let series: [CalendarSeries]
    private let setting: ImportSetting

    init(_ id: String, _ series: [CalendarSeries], _ setting: ImportSetting) {
        self.id = id
        self.series = series
        self.setting = setting
    }

    /// Returns the task id in a `UID` of hub: `task/2gd…`, `task/2gd…/set/0`, `task/2gd…/day/2026-11-20`.
    static func taskID(ofUID uid: String) -> String? {
        let parts = uid.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard parts.count >= 2, parts[0] == "task", !parts[1].isEmpty else { return nil }
        switch parts.count {
        case 2: return parts[1]
        case 4 where parts[2] == "set" && Int(parts[3]) != nil: return parts[1]
        case 4 where parts[2] == "day" && CivilDate(parts[3]) != nil: return parts[1]
        default: return nil
        }
    }

    /// Returns the task; nil if another program changed it so that hub cannot read it as exported.
    func task(at place: ImportPlace) -> ImportedTask? {
        guard let first = series.first else { return nil }
        var task = ImportedTask(source: "ics:task/\(id)", draft: first.draft, place: place)
        let sets = series.compactMap { series in number(series).map { (number: $0, series: series) } }
            .sorted { $0.number < $1.number }
        if sets.isEmpty { return specific(&task) ? task : nil }
        guard sets.count == series.count, recurring(sets.map(\.series), &task) else { return nil }
        return task
    }

    private func number(_ series: CalendarSeries) -> Int? {
        let parts = series.uid.split(separator: "/")
        return parts.count == 4 && parts[2] == "set" ? Int(parts[3]) : nil
    }

    private func recurring(_ series: [CalendarSeries], _ task: inout ImportedTask) -> Bool {
        var sets: [TargetSet] = []
        for series in series {
            let master = series.master
            guard let text = (master["RRULE"] ?? master[TaskFields.rule])?.value, let rule = try? RecurrenceRule(text),
                let start = day(master, TaskFields.from),
                let patterns = try? DayPattern.patterns(of: rule, start: start), patterns.count == 1,
                let target = (master[TodoFields.target]?.text).flatMap({ try? Target($0) })
            else { return false }
            var pattern = patterns[0]
            if let anchor = day(master, TaskFields.interval) { pattern.interval?.start = anchor }
            if let name = master[TaskFields.except]?.text, HolidayCalendar.isName(name) {
                pattern.exception = HolidayException(name)
            }
            sets.append(TargetSet(pattern, target))
        }
        guard let master = series.first?.master, let start = day(master, TaskFields.from),
            let end = day(master, TaskFields.to)
        else { return false }
        task.draft.schedule = .recurring(from: start, to: end, sets)
        task.draft.hasOpenEnd = master[TaskFields.openEnd] != nil
        if let text = master[TaskFields.period]?.text {
            guard let period = (try? DueDays(text))?.period else { return false }
            task.draft.period = period
        }
        for (number, series) in series.enumerated() {
            for override in series.overrides {
                guard let date = override["RECURRENCE-ID"]?.times?.first?.date else { continue }
                task.entries[date] = CalendarEntry.of(override, for: sets[number].target)
            }
        }
        return true
    }

    /// A task with specific dates: one series, or one item for each day.
    private func specific(_ task: inout ImportedTask) -> Bool {
        var dates: [CivilDate] = []
        for series in series {
            if let own = DayTodo.parts(ofUID: series.uid) {
                dates.append(own.date)
                let target = (series.master[TodoFields.target]?.text).flatMap { try? Target($0) }
                task.entries[own.date] = CalendarEntry.of(series.master, for: target)
                task.draft.notes = ""
                continue
            }
            let start = series.master["DTSTART"]?.times ?? []
            let others = series.master.all("RDATE").flatMap { $0.times ?? [] }
            guard series.master["RRULE"] == nil, !start.isEmpty else { return false }
            dates += (start + others).map(\.date)
            for override in series.overrides {
                guard let date = override["RECURRENCE-ID"]?.times?.first?.date else { continue }
                task.entries[date] = CalendarEntry.of(override, for: nil)
            }
        }
        task.draft.schedule = .dates(dates)
        return true
    }

    private func day(_ component: ICalComponent, _ name: String) -> CivilDate? { component[name]?.times?.first?.date }
}

/// The entry of the day in a calendar item.
enum CalendarEntry {
    /// The state of a to-do, or the custom properties of an event, which has no state. Nil if there is none.
    static func of(_ component: ICalComponent, for target: Target?) -> Entry? {
        let todo = IncomingTodo(component)
        if component.name == "VTODO" { return todo.entry(for: target) }
        var entry = todo.written
        if entry == nil, todo.progress.status == .cancelled { entry = Entry(skipReason: "") }
        if let note = todo.note {
            entry = entry ?? Entry()
            entry?.note = note
        }
        return entry
    }
}

extension ImportedTask {
    /// The id that the task had when hub exported it; nil for a task of another program.
    package var ownID: String? { source.hasPrefix("ics:") ? OwnTask.taskID(ofUID: String(source.dropFirst(4))) : nil }
}
