/// The entry of a task on one day.
package struct Entry: Hashable, Sendable {
    /// The value; 0 unless it was set.
    package var completion: Double
    /// The reason for skipping the day, which may be empty; nil if it is not skipped.
    package var skipReason: String?
    /// A note; nil for none.
    package var note: String?

    package init(completion: Double = 0, skipReason: String? = nil, note: String? = nil) {
        self.completion = completion
        self.skipReason = skipReason
        self.note = note
    }

    /// Returns the state of the day with this target; nil for a specific task, which requires more than 0.
    package func state(_ target: Target?) -> DayState {
        skipReason == nil ? DayState(Entry.category(of: completion, target), isEntered: true) : .skipped
    }

    /// Returns the category of a value; a specific task is done with any value above 0.
    package static func category(of value: Double, _ target: Target?) -> CompletionCategory {
        target.map { $0.category(of: value) } ?? (value > 0 ? .reached : .under)
    }
}
