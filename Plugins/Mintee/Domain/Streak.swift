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
        guard state.counts else { return }
        current = state.isReached ? current + 1 : 0
        longest = max(longest, current)
    }

    /// Adds a day that is not over: a value still under its target does not break the series.
    package mutating func addToday(_ state: DayState) {
        if !state.isOpen { add(state) }
    }
}
