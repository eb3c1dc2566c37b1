/// What a person said of a task on one day.
package struct Entry: Hashable, Sendable {
    /// The completion; 0 unless it was set.
    package var completion: Double
    /// Why the day is skipped, which may be empty; nil when it is not skipped.
    package var skipReason: String?
    /// A note; nil for none.
    package var note: String?

    package init(completion: Double = 0, skipReason: String? = nil, note: String? = nil) {
        self.completion = completion
        self.skipReason = skipReason
        self.note = note
    }

    /// What became of the day with this target; nil for a specific task, which asks for more than 0.
    package func state(_ target: Target?) -> DayState {
        skipReason == nil ? DayState(Entry.category(of: completion, target), isEntered: true) : .skipped
    }

    /// Where a value lies; a specific task is done by anything above 0.
    package static func category(of value: Double, _ target: Target?) -> CompletionCategory {
        target.map { $0.category(of: value) } ?? (value > 0 ? .reached : .under)
    }
}
