package import CivilDate

/// The states of a task on consecutive days.
package struct Timeline: Hashable, Sendable {
    /// The first day.
    package private(set) var first: CivilDate
    /// One state per day.
    package private(set) var states: [DayState]

    package init(first: CivilDate, states: [DayState]) {
        self.first = first
        self.states = states
    }

    /// Returns the states from `first` to `last` of a task with this schedule and no entries.
    package init(untouched schedule: Schedule, from first: CivilDate, to last: CivilDate) {
        self.first = first
        states = Array(repeating: .notDue, count: max(0, last.daysSinceEpoch - first.daysSinceEpoch + 1))
        let count = states.count
        let empty = schedule.sets.map { DayState($0.target.category(of: 0), isEntered: false) }
        schedule.clamped(from: first, to: last).forEachDay { date, set in
            let index = date.daysSinceEpoch - first.daysSinceEpoch
            guard index >= 0, index < count else { return }
            states[index] = set.map { empty[$0] } ?? DayState(.under, isEntered: false)
        }
    }

    /// The timeline in which a day without an entry is unknown where its target is reached by 0.
    package var withUnknownLimits: Timeline {
        Timeline(first: first, states: states.map { $0.isReached && !$0.isEntered ? .unknown : $0 })
    }

    /// The last day.
    package var last: CivilDate { first.adding(days: states.count - 1) }

    /// The state on `date`; not due outside the timeline.
    package subscript(date: CivilDate) -> DayState {
        get {
            let index = date.daysSinceEpoch - first.daysSinceEpoch
            return states.indices.contains(index) ? states[index] : .notDue
        }
        set {
            let index = date.daysSinceEpoch - first.daysSinceEpoch
            if states.indices.contains(index) { states[index] = newValue }
        }
    }

    /// The states of consecutive days; not due outside the timeline.
    package func states(from first: CivilDate, to last: CivilDate) -> [DayState] {
        first > last ? [] : (first.daysSinceEpoch...last.daysSinceEpoch).map { self[CivilDate(daysSinceEpoch: $0)] }
    }
}

extension Schedule {
    /// The same schedule, restricted to the days between two dates.
    func clamped(from first: CivilDate, to last: CivilDate) -> Schedule {
        guard case .recurring(let start, let end, let sets) = self else { return self }
        return .recurring(from: max(start, first), to: min(end, last), sets)
    }
}
