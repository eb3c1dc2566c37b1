package import CivilDate

/// The days of a period on which its one to-do is shown in a calendar.
extension PeriodTarget {
    /// Returns the next day on which something can be entered, and the day on which the to-do of the period is due; nil if
    /// nothing can be entered any more, or if nothing is needed at all.
    ///
    /// A calendar period is due on its last possible day, and on a day that is needed on that day. The last days have no
    /// end: they are due when they would be missed without another entry.
    /// - Parameters:
    ///   - progress: The progress of the period; of the last days that of today.
    ///   - days: The days of the task in the period; for the last days as many before and after today.
    package func todoDays(_ progress: PeriodProgress, _ days: PeriodDays, today: CivilDate) -> ClosedRange<CivilDate>? {
        guard lowerBound != nil, progress.state == .open || progress.state == .reached else { return nil }
        let (first, end) =
            isRolling ? (today, today.adding(days: length)) : (progress.days.lowerBound, progress.days.upperBound)
        let possible = PeriodTarget.dates(first...end).filter { days[$0].isPossible }
        guard let last = possible.last else { return nil }
        if progress.state == .reached, !isRolling { return (possible.first ?? last)...last }
        guard let next = possible.first(where: { $0 >= today && isLeft(days[$0]) }) else { return nil }
        if progress.isTight { return next...max(next, today) }
        guard isRolling else { return next...last }
        let lost = PeriodTarget.dates(next...max(next, end)).first { isLost(on: $0, days) }
        return next...max(next, possible.last { $0 <= lost ?? last } ?? next)
    }

    /// Whether the days that end with `date` are missed with what is entered so far.
    private func isLost(on date: CivilDate, _ days: PeriodDays) -> Bool {
        let span = self.days(around: date, weekStart: .monday)
        let amount = PeriodTarget.dates(span).reduce(0.0) { $0 + self.amount(of: days[$1]) }
        return !isMet(amount, lowerBound) && isMissed(amount, span, days)
    }

    /// Whether an amount is what a period with this progress needs.
    package func isReached(_ amount: Double, in progress: PeriodProgress) -> Bool { isMet(amount, progress.needed) }

    /// What the sum of a period lacks; 0 if it is reached.
    package func missing(in progress: PeriodProgress) -> Double {
        guard let needed = progress.needed, !isMet(progress.amount, needed) else { return 0 }
        return needed - progress.amount + (target.minOperator == .less ? 1 : 0)
    }

    static func dates(_ range: ClosedRange<CivilDate>) -> [CivilDate] {
        (range.lowerBound.daysSinceEpoch...range.upperBound.daysSinceEpoch).map { CivilDate(daysSinceEpoch: $0) }
    }
}

extension PeriodProgress {
    /// The amount and what is needed: `2 of 3`, `2 of 4 to 6`, `12, at most 14`.
    package var count: String {
        let amount = NumberText.text(self.amount)
        let needed = needed.map { NumberText.text(($0 * 10).rounded(.up) / 10) }
        let limit = limit.map { NumberText.text($0) }
        return switch (needed, limit) {
        case (let low?, let high?) where low == high: "\(amount) of \(low)"
        case (let low?, let high?): "\(amount) of \(low) to \(high)"
        case (let low?, nil): "\(amount) of \(low)"
        case (nil, let high?): "\(amount), at most \(high)"
        case (nil, nil): "\(amount), 0"
        }
    }
}
