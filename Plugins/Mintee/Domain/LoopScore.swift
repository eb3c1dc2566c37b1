import Glibc

/// The score of Loop Habit Tracker: an average in which days lose half their weight in 13 days (longer for less
/// frequent habits), so that one missed day costs little and a long-kept habit scores high.
package enum LoopScore {
    /// The share of the previous day's score that remains: `0.5 ^ (√frequency / 13)`.
    package static func multiplier(frequency: Double) -> Double { pow(0.5, frequency.squareRoot() / 13) }

    /// Returns the score after one more day.
    /// - Parameters:
    ///   - frequency: The frequency of the habit, in times per day.
    ///   - completion: The share of the day's target that was reached, 0...1.
    package static func next(frequency: Double, score: Double, completion: Double) -> Double {
        let kept = multiplier(frequency: frequency)
        return score * kept + completion * (1 - kept)
    }

    /// One day of a yes-or-no habit.
    package enum Check: Sendable { case yes, no, skip }

    /// Returns the scores of a habit due `times` in `days`, one for each day; a rolling count of completed days
    /// determines them.
    package static func scores(of checks: [Check], times: Int, in days: Int) -> [Double] {
        let isRare = times < days
        let (wanted, window) = isRare ? (times * 2, days * 2) : (times, days)
        return rolling(
            checks.map { $0 == .yes ? 1 : 0 }, window: window, frequency: Double(times) / Double(days), start: 0
        ) {
            min(1, $0 / Double(wanted))
        } isSkipped: {
            checks[$0] == .skip
        }
    }

    /// The amount that a habit requires in each period.
    package enum Goal: Sendable { case atLeast(Double), atMost(Double) }

    /// Returns the scores of a habit of amounts, due `times` in `days`, one for each day; an amount of nil is a skipped
    /// day, which does not change the score.
    package static func scores(of amounts: [Double?], _ goal: Goal, times: Int = 1, in days: Int = 1) -> [Double] {
        let isSkipped = { amounts[$0] == nil }
        let frequency = Double(times) / Double(days)
        switch goal {
        case .atLeast(let target):
            return rolling(amounts.map { max(0, $0 ?? 0) }, window: days, frequency: frequency, start: 0) {
                target <= 0 ? 1 : min(1, $0 / target)
            } isSkipped: {
                isSkipped($0)
            }
        case .atMost(let target):
            return rolling(amounts.map { max(0, $0 ?? 0) }, window: days, frequency: frequency, start: 1) {
                if target <= 0 { return $0 > 0 ? 0 : 1 }
                return min(1, max(0, 1 - ($0 - target) / target))
            } isSkipped: {
                isSkipped($0)
            }
        }
    }

    private static func rolling(
        _ values: [Double], window: Int, frequency: Double, start: Double, completion: (Double) -> Double,
        isSkipped: (Int) -> Bool = { _ in false }
    ) -> [Double] {
        let kept = multiplier(frequency: frequency)
        var (sum, score) = (0.0, start)
        return values.indices.map { index in
            sum += values[index]
            if index >= window { sum -= values[index - window] }
            if !isSkipped(index) { score = score * kept + completion(sum) * (1 - kept) }
            return score
        }
    }
}

/// The score of a task with fixed due days: each day counts like the last due day, so that the score of a weekly task
/// rises and falls as slowly as that of a weekly habit in Loop.
struct DueScore {
    private(set) var value = 0.0
    private var completion: Double?
    private var kept: (frequency: Double, multiplier: Double)?

    /// The frequency of a task in times per day, counted from its first due day.
    static func frequency(of states: [DayState]) -> Double {
        let due = states.drop { !$0.isDue }
        return due.isEmpty ? 1 : Double(due.count { $0.isDue }) / Double(due.count)
    }

    /// Adds one day; nothing counts before the first due day, and a skipped day changes nothing. A day that missed its target
    /// counts as its `credit`, 0...1.
    mutating func add(_ state: DayState, frequency: Double, credit: Double = 0) {
        if state.isSkipped { return }
        if state.counts { completion = state.isReached ? 1 : credit }
        guard let completion else { return }
        if kept?.frequency != frequency { kept = (frequency, LoopScore.multiplier(frequency: frequency)) }
        guard let kept else { return }
        value = value * kept.multiplier + completion * (1 - kept.multiplier)
    }
}
