import CivilDate

/// The due days of a Habitica Daily.
struct HabiticaDays {
    private enum Unit { case day, week, month, year }

    /// The first day.
    let start: CivilDate
    private let unit: Unit
    /// The number of days, weeks, months or years between due days.
    private let interval: Int
    private let weekdays: WeekdaySet
    private let monthDays: [Int]
    /// The occurrences of the weekdays in a month: 0 the first, 4 the fifth.
    private let ordinals: [Int]

    static let names: [(String, Weekday)] = [
        ("su", .sunday), ("m", .monday), ("t", .tuesday), ("w", .wednesday), ("th", .thursday), ("f", .friday),
        ("s", .saturday),
    ]

    init(_ item: HabiticaItem, start: CivilDate) {
        let year = start.components.year
        self.start =
            ImportedTasks.years.contains(year)
            ? start : CivilDate(year: year < 1900 ? 1900 : 2199, month: 1, day: 1) ?? start
        interval = min(max(1, item.everyX ?? 1), 9999)
        switch item.frequency {
        case "daily": unit = .day
        case "monthly": unit = .month
        case "yearly": unit = .year
        default: unit = .week
        }
        weekdays = WeekdaySet(HabiticaDays.names.filter { item.repeat?[$0.0] ?? (item.repeat == nil) }.map(\.1))
        monthDays = (item.daysOfMonth ?? []).filter { (1...31).contains($0) }
        ordinals = (item.weeksOfMonth ?? []).filter { (0...4).contains($0) }
    }

    /// The pattern with exactly these days; nil if there is none.
    var pattern: DayPattern? {
        // Its weeks begin on Sunday, so only intervals without that day are the same here.
        let unit: DayInterval.Unit =
            switch self.unit {
            case .day: .day
            case .week: .week
            case .month, .year: .month
            }
        let count = self.unit == .year ? interval * 12 : interval
        if count == 1 { return days }
        guard unit.counts.contains(count), unit != .week || !weekdays.days.contains(.sunday) && start.weekday != .sunday
        else { return nil }
        return days.map { $0.every(DayInterval(every: count, unit, from: start)) }
    }

    /// The days of each interval.
    private var days: DayPattern? {
        switch unit {
        case .day: return .daily
        case .week: return weekdays.isEmpty ? nil : DayPattern(weekdays: weekdays)
        case .month:
            if !ordinals.isEmpty {
                guard !weekdays.isEmpty, !ordinals.contains(4) else { return nil }
                return DayPattern(
                    weekdays: weekdays, weeks: MonthWeekSet(ordinals.compactMap { MonthWeek(rawValue: $0 + 1) }))
            }
            return monthDays.isEmpty ? nil : DayPattern(monthDays: MonthDaySet(monthDays.map(MonthDay.day)))
        case .year: return DayPattern(monthDays: [.day(start.components.day)])
        }
    }

    /// The days in words: `every 3 days`, `on the 5th Mon of a month`.
    var text: String {
        let name =
            switch unit {
            case .day: "day"
            case .week: "week"
            case .month: "month"
            case .year: "year"
            }
        let period = interval == 1 ? "every \(name)" : "every \(interval) \(name)s"
        switch unit {
        case .week: return weekdays.isEmpty ? "on no weekday" : "\(period) on \(weekdays.names.joined(separator: ","))"
        case .month where !ordinals.isEmpty:
            let words = ordinals.map { ["1st", "2nd", "3rd", "4th", "5th"][$0] }.joined(separator: ", ")
            return "\(period) on the \(words) \(weekdays.names.joined(separator: ","))"
        default: return period
        }
    }

    /// The days from the first one through `last`.
    func dates(through last: CivilDate) -> [CivilDate] {
        guard start <= last else { return isDue(start) ? [start] : [] }
        return (start.daysSinceEpoch...last.daysSinceEpoch).map { CivilDate(daysSinceEpoch: $0) }.filter(isDue)
    }

    private func isDue(_ date: CivilDate) -> Bool {
        let (first, day) = (start.components, date.components)
        switch unit {
        case .day: return (date.daysSinceEpoch - start.daysSinceEpoch) % interval == 0
        case .week:
            // Its weeks begin on Sunday; 1970-01-04 was one.
            func week(_ date: CivilDate) -> Int { (date.daysSinceEpoch - 3 + 7_000_000) / 7 }
            return weekdays.contains(date.weekday) && (week(date) - week(start)) % interval == 0
        case .month:
            guard ((day.year - first.year) * 12 + day.month - first.month) % interval == 0 else { return false }
            if !ordinals.isEmpty { return weekdays.contains(date.weekday) && ordinals.contains((day.day - 1) / 7) }
            return monthDays.contains(day.day)
        case .year:
            return day.month == first.month && day.day == first.day && (day.year - first.year) % interval == 0
        }
    }
}
