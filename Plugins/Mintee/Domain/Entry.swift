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

/// Computes values entered for an instance: any real numbers.
package enum Completion {
    /// Returns the next whole number above the value.
    package static func up(_ value: Double, by count: Int = 1) -> Double { value.rounded(.down) + Double(count) }

    /// Returns the next whole number below the value.
    package static func down(_ value: Double, by count: Int = 1) -> Double { value.rounded(.up) - Double(count) }

    /// Returns the value after it was increased by `amount`, or decreased if it is negative: a whole number counts as
    /// ``up(_:by:)`` and ``down(_:by:)`` do, any other one is added as a decimal, so that 0.1 and 0.2 are 0.3.
    package static func add(_ amount: Double, to value: Double) -> Double {
        if amount == amount.rounded(), abs(amount) < 1e15 {
            return amount == 0 ? value : amount > 0 ? up(value, by: Int(amount)) : down(value, by: Int(-amount))
        }
        let places = max(decimals(amount), decimals(value))
        let scale = (0..<places).reduce(1.0) { scale, _ in scale * 10 }
        let sum = (value * scale).rounded() + (amount * scale).rounded()
        return places <= 15 && abs(sum) < 9e15 ? sum / scale : value + amount
    }

    /// The number of decimals of a number.
    private static func decimals(_ number: Double) -> Int {
        let text = NumberText.text(number)
        return text.firstIndex(of: ".").map { text.distance(from: $0, to: text.endIndex) - 1 } ?? 0
    }

    /// Returns the smallest value that reaches `target`, for `done`; 1 for a specific task, which has no target.
    ///
    /// It is the lower bound if there is one, or a value just above it (a whole number if one fits) if the bound itself
    /// is excluded; a maximum is already reached by 0.
    package static func reaching(_ target: Target?) -> Double {
        guard let target else { return 1 }
        switch target.minOperator {
        case .none:
            return target.status(of: 0) == .satisfactory ? 0 : target.maxOperator == .less ? target.max - 1 : target.max
        case .equal, .lessOrEqual: return target.min
        case .less:
            let next = target.min.rounded(.down) + 1
            return target.status(of: next) == .satisfactory ? next : decimal(in: target)
        }
    }

    /// The smallest number above the lower bound of `target` with the fewest decimals that reach it.
    private static func decimal(in target: Target) -> Double {
        var scale = 1.0
        for _ in 0..<15 {
            scale *= 10
            let first = (target.min * scale).rounded(.down)
            // The binary value of a bound such as 0.1 may differ slightly from its decimal.
            for step in 0...2 where target.status(of: (first + Double(step)) / scale) == .satisfactory {
                return (first + Double(step)) / scale
            }
        }
        return (target.min + target.max) / 2
    }
}

/// The state of a task on one day, in one byte, so that a year of a task is a string of 366.
package struct DayState: Hashable, Sendable {
    /// The stored byte: 0 not due, 1 to 3 a ``CompletionCategory``, 4 skipped, with bit 7 set if something was entered.
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The task is not due.
    package static let notDue = DayState(rawValue: 0)
    /// The day was skipped: neither reached nor missed.
    package static let skipped = DayState(rawValue: 4 | enteredBit)

    /// Something may be entered, but nothing is needed: a day of a task with a period target. Such days are not stored.
    package static let free = DayState(rawValue: 5)
    /// A free day with an entry that says nothing of a sum, such as 0. Such days are not stored.
    static let freeEntered = DayState(rawValue: 5 | enteredBit)

    /// Nothing was entered for a target that 0 would reach, and the person wants to be asked. Such days are not stored.
    package static let unknown = DayState(rawValue: 6)

    private static let enteredBit: UInt8 = 0x80

    /// A due day with a value of this category; `isEntered` distinguishes an entered value from the 0 of an untouched
    /// day.
    package init(_ category: CompletionCategory, isEntered: Bool) {
        rawValue = UInt8(category.rawValue) | (isEntered ? DayState.enteredBit : 0)
    }

    /// The category of the value; nil if the task is not due, or the day was skipped, is free or
    /// unknown.
    package var category: CompletionCategory? { CompletionCategory(rawValue: Int(rawValue & 0x7F)) }

    /// Whether the task is due, including skipped days.
    package var isDue: Bool { rawValue != 0 }

    /// Whether a value, a note or a skip was entered.
    package var isEntered: Bool { rawValue & DayState.enteredBit != 0 }

    /// Whether the day was skipped.
    package var isSkipped: Bool { rawValue & 0x7F == 4 }

    /// Whether the day is free: see ``free``.
    package var isFree: Bool { rawValue & 0x7F == 5 }

    /// Whether the day is unknown: see ``unknown``.
    package var isUnknown: Bool { rawValue == 6 }

    /// Whether the day counts towards shares and streaks.
    package var counts: Bool { category != nil }

    /// Whether the target was reached.
    package var isReached: Bool { category == .reached }

    /// Whether the target can still be reached on a day that is not over.
    package var isOpen: Bool { category == .under }
}
