/// A day of the week; Monday comes first, as in ISO 8601.
package enum Weekday: Int, CaseIterable, Sendable, Comparable {
    case monday = 1, tuesday, wednesday, thursday, friday, saturday, sunday

    /// Whether `left` comes earlier in a week that starts with Monday.
    package static func < (left: Weekday, right: Weekday) -> Bool { left.rawValue < right.rawValue }
}
