import CivilDate
import ICalendar
import Text

/// Converts an item or a series of another program to a task.
struct ForeignTask {
    /// The maximum number of dates to which an unsupported rule is expanded.
    private static let mostDates = 5000
    /// The maximum number of days of a series that are searched for them.
    private static let mostFollowed = 40_000

    private let series: CalendarSeries
    private let setting: ImportSetting
    private var master: ICalComponent { series.master }

    init(_ series: CalendarSeries, _ setting: ImportSetting) {
        self.series = series
        self.setting = setting
    }

    /// Returns the task, with descriptions of unsupported data. Throws if it cannot become a task.
    func task(at place: ImportPlace) throws(CalendarProblem) -> ImportedTask {
        guard series.name != nil else { throw CalendarProblem("no SUMMARY to use as the task name") }
        guard let start = series.start else {
            throw CalendarProblem("neither DTSTART nor DUE; a task needs a date")
        }
        guard let times = start.times, let time = times.first, var first = setting.day(of: time) else {
            throw CalendarProblem("invalid date \"\(start.value.prefix(40))\"")
        }
        let source = series.uid.isEmpty ? "" : "ics:\(series.uid)"
        var task = ImportedTask(source: source, draft: series.draft, place: place)
        task.losses = series.losses(from: first, setting)
        let rules = master.all("RRULE")
        // A to-do is due on its DUE; its start says when it is shown.
        var delay = max(0, series.due(setting).map { $0.daysSinceEpoch - first.daysSinceEpoch } ?? 0)
        if rules.isEmpty {
            let days = Set(dates("RDATE")).subtracting(dates("EXDATE")).union([first])
            task.draft.schedule = .dates(days.map { $0.adding(days: delay) })
        } else {
            delay = try recur(rules, from: first, delay: delay, &task)
        }
        first = first.adding(days: delay)
        if !series.isSingle { fill(&task, delay: delay) }
        // A to-do on one day, or one that its program moves on when it is done: its state is that of its own day.
        if master.name == "VTODO", task.entries[first] == nil, task.draft.isDue(on: first) {
            var entry = CalendarEntry.of(master, for: task.draft.target(on: first))
            entry?.note = nil
            if let entry, entry != Entry() {
                task.entries[first] = entry
            } else if case let progress = TodoProgress(master), progress.percent > 0 {
                task.losses.append(
                    "progress of \(progress.percent) % left out: a task with specific dates is either done or not")
            }
        }
        return task
    }

    /// All dates of a property that may have several.
    private func dates(_ name: String) -> [CivilDate] {
        master.all(name).flatMap { $0.times ?? [] }.compactMap { setting.day(of: $0) }
    }

    /// Applies the rules of a series that is due `delay` days after each of its days. Returns the delay that was applied.
    private func recur(
        _ properties: [ICalProperty], from first: CivilDate, delay: Int, _ task: inout ImportedTask
    ) throws(CalendarProblem) -> Int {
        var rules: [RecurrenceRule] = []
        for property in properties {
            do throws(ICalError) {
                rules.append(try RecurrenceRule(property.value))
            } catch {
                // Some programs add parts of their own, such as FROM=COMPLETION.
                let (known, others) = ForeignTask.parts(property.value)
                guard !others.isEmpty, let rule = try? RecurrenceRule(known) else { throw CalendarProblem("\(error)") }
                rules.append(rule)
                task.losses.append("\(others.joined(separator: ", ")) of its rule left out")
            }
        }
        do throws(RuleLoss) {
            guard rules.count == 1 else { throw RuleLoss("\(rules.count) rules") }
            var patterns = try DayPattern.patterns(of: rules[0], start: first)
            guard dates("RDATE").isEmpty else { throw RuleLoss("additional dates (RDATE)") }
            let isWeekly = patterns.allSatisfy { $0.kind == .daysOfWeek }
            if delay > 0, !isWeekly {
                task.losses.append("due \(NumberFormat.counted(delay, "day")) after its start: imported on its start")
            }
            let delay = isWeekly ? delay : 0
            if delay > 0 { patterns = patterns.map { DayPattern(weekdays: $0.weekdays.moved(by: delay)) } }
            try follow(rules[0], patterns, from: first, delay: delay, &task)
            return delay
        } catch {
            try expand(rules, error, from: first, delay: delay, &task)
            return delay
        }
    }

    /// The parts of a recurrence rule that RFC 5545 knows, and all others.
    private static func parts(_ rule: String) -> (known: String, others: [String]) {
        let parts = rule.split(separator: ";").prefix(100).map(String.init)
        let isKnown = { (part: String) in names.contains(part.prefix { $0 != "=" }.uppercased()) }
        return (
            parts.filter(isKnown).joined(separator: ";"), parts.filter { !isKnown($0) }.map { String($0.prefix(40)) }
        )
    }

    private static let names: Set<String> = [
        "FREQ", "UNTIL", "COUNT", "INTERVAL", "BYSECOND", "BYMINUTE", "BYHOUR", "BYDAY", "BYMONTHDAY", "BYYEARDAY",
        "BYWEEKNO",
        "BYMONTH", "BYSETPOS", "WKST",
    ]

    /// Applies a rule that patterns can express.
    private func follow(
        _ rule: RecurrenceRule, _ patterns: [DayPattern], from start: CivilDate, delay: Int, _ task: inout ImportedTask
    ) throws(RuleLoss) {
        let first = start.adding(days: delay)
        let target = (master[TodoFields.target]?.text).flatMap { try? Target($0) } ?? .done
        let sets = patterns.map { TargetSet($0, target) }
        var end = rule.until.flatMap { setting.day(of: $0)?.adding(days: delay) }
        if let count = rule.count {
            let days = try? rule.days(from: start, through: start.adding(days: 366 * 200), limit: ForeignTask.mostDates)
            if let days, days.count == count {
                end = days.last?.adding(days: delay)
            } else {
                task.losses.append("end after \(count) times left out")
            }
        }
        task.draft.hasOpenEnd = end == nil && setting.horizon == nil
        let open = setting.horizon ?? max(first, setting.today).adding(days: TaskRecord.openDays)
        task.draft.schedule = .recurring(from: first, to: max(first, end ?? open), sets)
        if !sets.contains(where: { $0.pattern.matches(first) }) {
            task.losses.append("first day (\(first)) left out: it does not match the rule")
        }
        let out = Set(dates("EXDATE").map { $0.adding(days: delay) }).filter { [draft = task.draft] in
            draft.isDue(on: $0)
        }.sorted()
        for date in out { task.entries[date] = Entry(skipReason: ForeignTask.exception) }
        if !out.isEmpty { task.losses.append("\(ImportWords.days(out)) excluded in the calendar: skipped") }
    }

    /// Expands a rule that no pattern can express to dates.
    private func expand(
        _ rules: [RecurrenceRule], _ loss: RuleLoss, from first: CivilDate, delay: Int, _ task: inout ImportedTask
    ) throws(CalendarProblem) {
        let last = setting.horizon ?? max(first, setting.today).adding(days: TaskRecord.openDays)
        var days = Set(dates("RDATE"))
        for rule in rules {
            do throws(ICalError) {
                var rule = rule
                // The local day counts, not the time in UTC.
                rule.until = rule.until.flatMap { setting.day(of: $0) }.map { ICalTime(date: $0) }
                days.formUnion(try rule.days(from: first, through: last, limit: ForeignTask.mostFollowed))
            } catch {
                throw CalendarProblem("\(loss.words): unsupported recurrence rule")
            }
        }
        days.subtract(dates("EXDATE"))
        // A long series keeps its last dates, which are still to come.
        let dates = days.sorted().suffix(ForeignTask.mostDates).map { $0.adding(days: delay) }
        guard let end = dates.last else { throw CalendarProblem("\(loss.words): no dates until \(last)") }
        task.draft.schedule = .specific(dates)
        task.losses.append("\(loss.words): expanded to \(NumberFormat.counted(dates.count, "date")) until \(end)")
        if days.count > dates.count, let start = dates.first {
            task.losses.append("\(NumberFormat.counted(days.count - dates.count, "date")) before \(start) left out")
        }
    }

    /// Adds the entries of days that differ from the series.
    private func fill(_ task: inout ImportedTask, delay: Int) {
        var excluded: [CivilDate] = []
        var chosen: Set<CivilDate>?
        if case .specific(let dates) = task.draft.schedule { chosen = Set(dates) }
        let note = master["DESCRIPTION"]?.text
        for override in series.overrides {
            guard let time = override["RECURRENCE-ID"]?.times?.first,
                let date = setting.day(of: time)?.adding(days: delay)
            else { continue }
            var day = date
            let moved = override["DTSTART"]?.times?.first.flatMap { setting.day(of: $0)?.adding(days: delay) }
            if let start = moved, start != date {
                guard chosen != nil else {
                    excluded.append(date)
                    task.entries[date] = Entry(skipReason: "moved to \(start)")
                    continue
                }
                chosen?.remove(date)
                chosen?.insert(start)
                day = start
            }
            guard chosen?.contains(day) ?? task.draft.isDue(on: day) else { continue }
            var entry = CalendarEntry.of(override, for: task.draft.target(on: day))
            // Programs copy the notes of the series to its days.
            if entry?.note == note { entry?.note = nil }
            if entry != Entry() { task.entries[day] = entry }
        }
        if let chosen { task.draft.schedule = .dates(chosen) }
        if !excluded.isEmpty {
            task.losses.append("\(ImportWords.days(excluded.sorted())) moved to another day: skipped")
        }
    }

    /// The skip reason of a day that the calendar excludes.
    private static let exception = "left out in the calendar"
}

extension ImportSetting {
    /// The day of a time; local for a time in UTC.
    func day(of time: ICalTime) -> CivilDate? {
        guard let milliseconds = time.milliseconds else { return time.date }
        return day(at: Double(milliseconds))
    }
}
