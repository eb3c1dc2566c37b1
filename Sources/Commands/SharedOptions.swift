import CivilDate

/// Options that many commands share with the same meaning; a command lists those it supports.
package enum SharedOptions {
    /// The format of a file that is read or written.
    package static let format = Option<String>(
        "as", "FORMAT", help: "format of the file", hasEnvironmentVariable: true)
    /// The maximum number of rows.
    package static let limit = Option<Int>("limit", "N", in: 1...Int.max, help: "at most N rows")
    /// Reverses the order.
    package static let reverse = Flag("reverse", help: "reverse the order")
    /// Limits the output to what happened since a time.
    package static let since = Option<DateExpression>(
        "since", "DATE", help: "from this date, time or age on: 2026-11-20, 09:12, 3d")
    /// Limits the output to what happened until a time.
    package static let until = Option<DateExpression>(
        "until", "DATE", help: "up to the end of this date, or up to this time")
    /// Returns the exclusive upper limit that `--until` means: the end of a day, or a point in time.
    package static func end(of until: DateExpression?, now: Instant, in zone: TimeZoneRules = .system) -> Instant? {
        guard let until else { return nil }
        switch until {
        case .relativeDay, .weekday, .lastWeekday, .dayOfYear, .day:
            let today = zone.localTime(at: now).day
            return zone.instant(at: LocalTime(day: until.day(today: today, .back).adding(days: 1)))
        case .time, .moment, .length, .offset: return until.instant(now: now, in: zone)
        }
    }

    /// Lists items in the trash.
    package static let trash = Flag("trash", help: "list items in the trash")

    /// Shows items in the trash instead of those that are there.
    package static let oneInTrash = Flag("trash", help: "show an item in the trash")
}
