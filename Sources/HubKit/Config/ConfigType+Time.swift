extension ConfigType<Duration> {
    /// A length of time from a minute to weeks: `15min`, `3h`, `2d`, `1w`. A day is 24 hours; months and years have no
    /// fixed length and are refused.
    package static let duration = ConfigType(
        #"a duration such as "15min", "3h" or "2d""#, shape: .text, write: { .text(written($0)) }
    ) { (value, _) throws(ConfigMismatch) in
        let expectation = #"a duration such as "15min", "3h" or "2d""#
        guard case .text(let text) = value else { throw .expected(expectation, found: value) }
        guard let length = DurationFormat(text), length.count > 0, let minutes = length.unit.minutes else {
            throw ConfigMismatch("expected \(expectation)")
        }
        return .seconds(length.count * minutes * 60)
    }

    private static func written(_ duration: Duration) -> String {
        let minutes = Int(duration.components.seconds / 60)
        for unit in [DurationFormat.Unit.week, .day, .hour] {
            if let length = unit.minutes, minutes.isMultiple(of: length) {
                return "\(minutes / length)\(unit.rawValue)"
            }
        }
        return "\(minutes)min"
    }
}

extension DurationFormat.Unit {
    /// The number of minutes in the unit; nil when that depends on the calendar.
    fileprivate var minutes: Int? {
        switch self {
        case .minute: 1
        case .hour: 60
        case .day: 24 * 60
        case .week: 7 * 24 * 60
        case .month, .year: nil
        }
    }
}

extension ConfigType<TimeOfDay> {
    /// A time of the day: `"04:00"`.
    package static let timeOfDay = ConfigType(
        #"a time of day such as "04:00""#, shape: .text, write: { .text($0.description) }
    ) { (value, _) throws(ConfigMismatch) in
        let expectation = #"a time of day such as "04:00""#
        guard case .text(let text) = value else { throw .expected(expectation, found: value) }
        guard let time = TimeOfDay(text) else { throw ConfigMismatch("expected \(expectation)") }
        return time
    }
}
