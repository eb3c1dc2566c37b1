/// The state of a task on one day, in one byte, so that a year of a task is a string of 366.
package struct DayState: Hashable, Sendable {
    /// The stored byte: 0 not due, 1 to 3 a ``CompletionCategory``, 4 skipped, with bit 7 set if something was entered.
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The task is not due.
    package static let notDue = DayState(rawValue: 0)
    /// The day was skipped: neither reached nor missed.
    package static let skipped = DayState(rawValue: 4 | enteredBit)

    private static let enteredBit: UInt8 = 0x80

    /// A due day with a value of this category; `isEntered` distinguishes an entered value from the 0 of an untouched
    /// day.
    package init(_ category: CompletionCategory, isEntered: Bool) {
        rawValue = UInt8(category.rawValue) | (isEntered ? DayState.enteredBit : 0)
    }

    /// The category of the value; nil if the task is not due, or the day was skipped.
    package var category: CompletionCategory? { CompletionCategory(rawValue: Int(rawValue & 0x7F)) }

    /// Whether the task is due, including skipped days.
    package var isDue: Bool { rawValue != 0 }

    /// Whether a value, a note or a skip was entered.
    package var isEntered: Bool { rawValue & DayState.enteredBit != 0 }

    /// Whether the day was skipped.
    package var isSkipped: Bool { rawValue & 0x7F == 4 }

    /// Whether the day counts towards shares and streaks.
    package var counts: Bool { category != nil }

    /// Whether the target was reached.
    package var isReached: Bool { category == .reached }

    /// Whether the target can still be reached on a day that is not over.
    package var isOpen: Bool { category == .under }
}
