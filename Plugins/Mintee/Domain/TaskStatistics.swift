package import CivilDate

/// Statistics of a task up to a day: streaks, share reached, score and remaining buffer.
package struct TaskStatistics: Hashable, Sendable {
    /// Streaks over due days, or over the periods of a period target.
    package let streak: Streak
    /// The number of due days of the last ``window`` days, or of the last periods, that reached their target.
    package let reached: Int
    /// The number of due days or periods of these; today and the current period count once they are decided.
    package let due: Int
    /// The score by Loop's formula, 0...1.
    package let score: Double
    /// The number of due days in a row that can be missed before the share falls below ``goal``; nil if it is already
    /// below, or if no day counts. With a period target, the number of days that the current period can do without; nil if
    /// it is missed.
    package let buffer: Int?

    init(streak: Streak, reached: Int, due: Int, score: Double, buffer: Int?) {
        self.streak = streak
        self.reached = reached
        self.due = due
        self.score = score
        self.buffer = buffer
    }

    /// The number of days of the share.
    package static let window = 28
    /// The share that the buffer keeps.
    package static let goal = 0.8

    /// Computes the statistics on `today` of a task whose timeline begins with its first day and may extend beyond
    /// today for entries made in advance.
    ///
    /// The score stays constant after the last due day, since nothing can be done or missed any more. `credits` are the shares
    /// that days count in it which missed their target, if not 0.
    package init(
        _ timeline: Timeline, schedule: Schedule, today: CivilDate, credits: [CivilDate: Double] = [:]
    ) {
        var streak = Streak()
        var score = DueScore()
        let end = min(today, timeline.last, schedule.lastDueDay ?? timeline.first)
        let states = timeline.states(from: timeline.first, to: end)
        let frequency = DueScore.frequency(of: states)
        for (offset, state) in states.enumerated() {
            let isToday = timeline.first.daysSinceEpoch + offset == today.daysSinceEpoch
            if isToday { streak.addToday(state) } else { streak.add(state) }
            let credit = credits.isEmpty ? 0 : credits[timeline.first.adding(days: offset)] ?? 0
            if !(isToday && state.isOpen) { score.add(state, frequency: frequency, credit: credit) }
        }
        let counted =
            timeline.states(from: today.adding(days: 1 - TaskStatistics.window), to: today.adding(days: -1))
            + [timeline[today]].filter { !$0.isOpen }
        self.streak = streak
        self.score = score.value
        reached = counted.count { $0.isReached }
        due = counted.count { $0.counts }
        // What is below the goal as it is shown has nothing to lose.
        buffer =
            due == 0 || Double(reached) / Double(due) < TaskStatistics.goal
            ? nil : TaskStatistics.buffer(timeline, schedule: schedule, today: today)
    }

    /// Returns how many of the next due days can be missed while each window that ends with one of them keeps the goal.
    private static func buffer(_ timeline: Timeline, schedule: Schedule, today: CivilDate) -> Int {
        let horizon = today.adding(days: window)
        var future = timeline
        var untouched = Timeline(untouched: schedule, from: today, to: horizon)
        if timeline.states.contains(.unknown) { untouched = untouched.withUnknownLimits }
        let first = future.first
        var states = future.states(from: first, to: today.adding(days: -1))
        let start = future[today].isOpen ? today : today.adding(days: 1)
        if start > today { states.append(future[today]) }
        states += untouched.states(from: start, to: horizon)
        let known = future
        future = Timeline(first: first, states: states)
        for offset in start.daysSinceEpoch...horizon.daysSinceEpoch {
            let day = CivilDate(daysSinceEpoch: offset)
            if known[day].isEntered { future[day] = known[day] }
        }
        func share(endingOn day: CivilDate) -> Double {
            let window = future.states(from: day.adding(days: 1 - TaskStatistics.window), to: day).filter(\.counts)
            return window.isEmpty ? 1 : Double(window.count { $0.isReached }) / Double(window.count)
        }
        var missed = 0
        for offset in start.daysSinceEpoch...horizon.daysSinceEpoch {
            let day = CivilDate(daysSinceEpoch: offset)
            guard future[day].counts, !(future[day].isEntered && future[day].isReached) else { continue }
            future[day] = DayState(.under, isEntered: false)
            if share(endingOn: day) < goal { return missed }
            missed += 1
        }
        return missed
    }
}

/// A series of consecutive due days that reached their target; days that are not due or were skipped neither extend nor
/// break it.
package struct Streak: Hashable, Sendable {
    /// The length of the current series, in due days.
    package private(set) var current: Int
    /// The length of the longest series so far, in due days.
    package private(set) var longest: Int

    /// Creates a streak; `longest` is at least `current`.
    package init(current: Int = 0, longest: Int = 0) {
        self.current = current
        self.longest = max(longest, current)
    }

    /// Adds a day that is over.
    package mutating func add(_ state: DayState) {
        if state.counts { add(state.isReached) }
    }

    /// Adds a day or a period that counts.
    mutating func add(_ isReached: Bool) {
        current = isReached ? current + 1 : 0
        longest = max(longest, current)
    }

    /// Adds a day that is not over: a value still under its target does not break the series.
    package mutating func addToday(_ state: DayState) {
        if !state.isOpen { add(state) }
    }
}
