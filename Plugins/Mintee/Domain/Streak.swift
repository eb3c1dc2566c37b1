/// A run of due days on which the target was reached; days that are not due or were skipped neither add nor break.
package struct Streak: Hashable, Sendable {
    /// The run that is going on.
    package private(set) var current: Int
    /// The longest one so far.
    package private(set) var longest: Int

    /// Creates a streak; `longest` is at least `current`.
    package init(current: Int = 0, longest: Int = 0) {
        self.current = current
        self.longest = max(longest, current)
    }

    /// Goes on by one day that is over.
    package mutating func add(_ state: DayState) {
        guard state.counts else { return }
        current = state.isReached ? current + 1 : 0
        longest = max(longest, current)
    }

    /// Goes on by a day that is not over: a value that is still under its target breaks nothing.
    package mutating func addToday(_ state: DayState) {
        if !state.isOpen { add(state) }
    }
}
