import CivilDate

/// The days of one month that a schedule names. All days of a month at once cost a pattern about as much as one.
struct MonthDays {
    /// The first day of the month.
    let first: CalendarDay
    /// For each set the days that its pattern includes; bit 0 is the first day.
    private let days: [UInt32]
    /// The days of all sets.
    private let all: UInt32

    /// Finds the days of the month of `day` that match any of the sets.
    init(of day: CalendarDay, _ sets: [TargetSet]) {
        let first = day.firstOfMonth
        self.first = first
        days = sets.map { $0.pattern.days(ofMonth: first) }
        all = days.reduce(0, |)
    }

    /// The first day of the next month.
    var next: CalendarDay { first.nextMonth }

    /// Returns the days of the month that begins with `first` that any of the sets includes; bit 0 is the first day.
    static func due(inMonth first: CalendarDay, _ sets: [TargetSet]) -> UInt32 {
        sets.indices.reduce(0) { $0 | sets[$1].pattern.days(ofMonth: first) }
    }

    /// Calls `body` for each due day between two dates, ascending, with the index of the first set that includes it.
    func forEachDay(from start: CivilDate, to end: CivilDate, _ body: (_ date: CivilDate, _ set: Int) -> Void) {
        var rest = all
        if index(of: start) > 0 { rest &= ~0 << UInt32(min(index(of: start), 31)) }
        if index(of: end) < 31 { rest &= ~(~0 << UInt32(max(index(of: end) + 1, 0))) }
        while rest != 0 {
            let bit = rest & (~rest &+ 1)
            rest ^= bit
            var set = 0
            while days[set] & bit == 0 { set += 1 }
            body(first.date.adding(days: bit.trailingZeroBitCount), set)
        }
    }

    private func index(of date: CivilDate) -> Int { date.daysSinceEpoch - first.date.daysSinceEpoch }
}

extension DayPattern {
    /// Returns the days of the month that begins with `first` that the pattern includes, as ``matches(_:)`` says; bit 0 is the first
    /// day.
    func days(ofMonth first: CalendarDay) -> UInt32 {
        var days = possibleDays(ofMonth: first) & (1 << UInt32(first.daysInMonth) - 1)
        guard interval != nil || exception != nil else { return days }
        var rest = days
        while rest != 0 {
            let bit = rest & (~rest &+ 1)
            rest ^= bit
            if !matches(CalendarDay(first.date.adding(days: bit.trailingZeroBitCount))) { days ^= bit }
        }
        return days
    }

    /// The days that match but for intervals and holidays; what follows the end of the month means nothing.
    private func possibleDays(ofMonth first: CalendarDay) -> UInt32 {
        switch kind {
        case .daysOfWeek: return sameWeekdays(first)
        case .weekdaysOfMonth:
            var days: UInt32 = 0
            for ordinal in 1...4 where weeks.contains(ordinal: ordinal) { days |= 0x7F << UInt32(7 * (ordinal - 1)) }
            if weeks.contains(.last) { days |= 0x7F << UInt32(first.daysInMonth - 7) }
            return days & sameWeekdays(first)
        case .daysOfMonth:
            let last: UInt32 = monthDays.contains(.last) ? 1 << UInt32(first.daysInMonth - 1) : 0
            return monthDays.rawValue >> 1 | last
        }
    }

    /// The days of the month with one of the weekdays.
    private func sameWeekdays(_ first: CalendarDay) -> UInt32 {
        let (week, shift) = (UInt32(weekdays.rawValue & 0x7F), UInt32(first.weekday.rawValue - 1))
        let days = week >> shift | week << (7 - shift) & 0x7F
        return days | days << 7 | days << 14 | days << 21 | days << 28
    }
}
