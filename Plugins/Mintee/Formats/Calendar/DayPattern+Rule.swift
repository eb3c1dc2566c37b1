package import CivilDate
package import ICalendar

extension DayPattern {
    /// The recurrence rule for the same days (RFC 5545 §3.3.10), without an end.
    package var rule: RecurrenceRule {
        var rule = daysRule
        guard let interval else { return rule }
        rule.interval = interval.count
        switch interval.unit {
        case .day:
            rule.frequency = .daily
            if weekdays == .all { rule.days = [] }
        case .week: break
        case .month: rule.frequency = .monthly
        }
        return rule
    }

    private var daysRule: RecurrenceRule {
        switch kind {
        case .daysOfWeek:
            var rule = RecurrenceRule(.weekly)
            rule.days = weekdays.days.map { RecurrenceRule.Day($0) }
            return rule
        case .weekdaysOfMonth:
            var rule = RecurrenceRule(.monthly)
            rule.days = weeks.weeks.flatMap { week in
                weekdays.days.map { RecurrenceRule.Day($0, ordinal: week == .last ? -1 : week.rawValue) }
            }
            return rule
        case .daysOfMonth:
            var rule = RecurrenceRule(.monthly)
            rule.monthDays = monthDays.days.map { day in
                switch day {
                case .day(let number): number
                case .last: -1
                }
            }
            return rule
        }
    }

    /// Returns the first day from `start` to `end` that the pattern includes; nil if there is none.
    package func firstMatch(from start: CivilDate, through end: CivilDate) -> CivilDate? {
        guard start <= end else { return nil }
        var day = CalendarDay(start)
        while day.date <= end {
            if matches(day) { return day.date }
            day.advance()
        }
        return nil
    }

    /// Returns the patterns that together match the days of `rule`, whose `DTSTART` is `start`; its end is ignored.
    ///
    /// Usually there is one pattern. Several are needed if weekdays with ordinals do not form a full combination of
    /// days and weeks. Throws if no pattern can express the rule.
    package static func patterns(of rule: RecurrenceRule, start: CivilDate) throws(RuleLoss) -> [DayPattern] {
        var rule = rule
        let original = rule
        var interval: DayInterval?
        if let yearly = monthly(rule, start) {
            rule = yearly.rule
            interval = DayInterval(every: 12 * original.interval, .month, from: yearly.start)
        } else if rule.interval > 1, let unit = DayInterval.Unit(rule.frequency),
            rule.monthDays.isEmpty || unit == .month
        {
            interval = DayInterval(every: rule.interval, unit, from: start)
        }
        if let interval {
            // Weeks that begin with another day are other weeks.
            let isOwn = interval.unit != .week || rule.weekStart == .monday
            guard isOwn, interval.unit.counts.contains(interval.count) else { throw RuleLoss(original) }
            rule.interval = 1
        }
        do throws(RuleLoss) {
            return try allPatterns(of: rule, start: start).map { $0.every(interval) }
        } catch {
            throw interval == nil ? error : RuleLoss(original)
        }
    }

    /// A yearly rule of one month as the monthly one of that month, with a day in its first year; nil for any other rule.
    private static func monthly(
        _ rule: RecurrenceRule, _ start: CivilDate
    ) -> (rule: RecurrenceRule, start: CivilDate)? {
        guard rule.frequency == .yearly, rule.months.count <= 1, rule.yearDays.isEmpty, rule.weekNumbers.isEmpty,
            !rule.months.isEmpty || rule.days.isEmpty && rule.monthDays.isEmpty && rule.positions.isEmpty
        else { return nil }
        let (year, month, _) = start.components
        guard let first = CivilDate(year: year, month: rule.months.first ?? month, day: 1) else { return nil }
        var monthly = rule
        (monthly.frequency, monthly.months) = (.monthly, [])
        return (monthly, first)
    }

    private static func allPatterns(of rule: RecurrenceRule, start: CivilDate) throws(RuleLoss) -> [DayPattern] {
        try RuleLoss.check(rule)
        switch rule.frequency {
        case .secondly, .minutely, .hourly, .yearly: throw RuleLoss(rule)
        case .daily:
            if !rule.monthDays.isEmpty { return [try DayPattern(monthDays: rule.monthDays, of: rule)] }
            return [rule.days.isEmpty ? .daily : DayPattern(weekdays: WeekdaySet(rule.days.map(\.weekday)))]
        case .weekly:
            guard rule.monthDays.isEmpty else { throw RuleLoss(rule) }
            return [
                DayPattern(weekdays: WeekdaySet(rule.days.isEmpty ? [start.weekday] : rule.days.map(\.weekday)))
            ]
        case .monthly:
            if !rule.positions.isEmpty { return try positioned(rule) }
            if !rule.monthDays.isEmpty { return [try DayPattern(monthDays: rule.monthDays, of: rule)] }
            if rule.days.isEmpty { return [DayPattern(monthDays: [.day(start.components.day)])] }
            return try weekdaysOfMonth(rule)
        }
    }

    private init(monthDays numbers: [Int], of rule: RecurrenceRule) throws(RuleLoss) {
        guard numbers.allSatisfy({ $0 == -1 || (1...31).contains($0) }) else { throw RuleLoss(rule) }
        self.init(monthDays: MonthDaySet(numbers.map { $0 == -1 ? .last : .day($0) }))
    }

    /// `BYSETPOS`: an ordinal for a single weekday, a day of the month for all seven.
    private static func positioned(_ rule: RecurrenceRule) throws(RuleLoss) -> [DayPattern] {
        let weekdays = WeekdaySet(rule.days.map(\.weekday))
        guard rule.monthDays.isEmpty, rule.days.allSatisfy({ $0.ordinal == 0 }) else { throw RuleLoss(rule) }
        if weekdays == .all { return [try DayPattern(monthDays: rule.positions, of: rule)] }
        guard weekdays.days.count == 1 else { throw RuleLoss(rule) }
        var weeks: MonthWeekSet = []
        for position in rule.positions { weeks.formUnion([try week(position, of: rule)]) }
        return [DayPattern(weekdays: weekdays, weeks: weeks)]
    }

    private static func week(_ ordinal: Int, of rule: RecurrenceRule) throws(RuleLoss) -> MonthWeek {
        guard ordinal == -1 || (1...4).contains(ordinal), let week = MonthWeek(rawValue: ordinal == -1 ? 5 : ordinal)
        else { throw RuleLoss(rule) }
        return week
    }

    /// Weekdays with ordinals: weeks with the same weekdays share a pattern.
    private static func weekdaysOfMonth(_ rule: RecurrenceRule) throws(RuleLoss) -> [DayPattern] {
        let every = WeekdaySet(rule.days.filter { $0.ordinal == 0 }.map(\.weekday))
        var patterns = every.isEmpty ? [] : [DayPattern(weekdays: every)]
        var days: [MonthWeek: WeekdaySet] = [:]
        for day in rule.days where day.ordinal != 0 {
            let week = try week(day.ordinal, of: rule)
            if !every.contains(day.weekday) { days[week, default: []].formUnion([day.weekday]) }
        }
        var done: Set<WeekdaySet> = []
        for week in MonthWeek.allCases {
            guard let weekdays = days[week], done.insert(weekdays).inserted else { continue }
            let weeks = MonthWeek.allCases.filter { days[$0] == weekdays }
            patterns.append(DayPattern(weekdays: weekdays, weeks: MonthWeekSet(weeks)))
        }
        return patterns
    }
}

extension DayInterval.Unit {
    /// The unit of a rule; nil for one that intervals cannot count.
    fileprivate init?(_ frequency: RecurrenceRule.Frequency) {
        switch frequency {
        case .daily: self = .day
        case .weekly: self = .week
        case .monthly: self = .month
        case .secondly, .minutely, .hourly, .yearly: return nil
        }
    }
}
