package import CivilDate

/// A first and a last day, as a form with two date fields moves them (I-5): neither field can pass the other.
package struct DateSpan: Hashable, Sendable {
    /// The first day.
    package private(set) var start: CivilDate
    /// The last day, never before the first.
    package private(set) var end: CivilDate

    /// Creates a span; an end before the start is moved to the start.
    package init(from start: CivilDate, to end: CivilDate) {
        self.start = start
        self.end = max(start, end)
    }

    /// Moves the start, and the end with it if it would be earlier.
    package mutating func moveStart(to day: CivilDate) {
        start = day
        end = max(end, day)
    }

    /// Moves the end, and the start with it if it would be later.
    package mutating func moveEnd(to day: CivilDate) {
        end = day
        start = min(start, day)
    }
}
