/// The values of a key: how they are read, written and described.
package struct ConfigType<Value: Sendable>: Sendable {
    /// Reads a value; `home` is the folder that `~` stands for.
    package typealias Read = @Sendable (_ value: ConfigValue, _ home: String) throws(ConfigMismatch) -> Value

    /// The expectation, after the word "expected": `a duration such as "15min"`.
    package let expectation: String
    /// The way text from the environment or the command line becomes a value.
    package let shape: ConfigShape
    /// All words that can be written, when that is a short list.
    package let choices: [String]
    /// Reads a value.
    package let read: Read
    /// The value as it is written in the file.
    package let write: @Sendable (Value) -> ConfigValue

    package init(
        _ expectation: String, shape: ConfigShape, choices: [String] = [],
        write: @escaping @Sendable (Value) -> ConfigValue, read: @escaping Read
    ) {
        self.expectation = expectation
        self.shape = shape
        self.choices = choices
        self.read = read
        self.write = write
    }
}

/// The way unquoted text from the environment or the command line becomes a value.
package enum ConfigShape: Sendable, Equatable {
    /// `true`, `yes`, `on`, `1` and their opposites.
    case boolean
    /// Decimal digits.
    case integer
    /// The word itself.
    case text
    /// A TOML array, or words separated by commas.
    case list
    /// A TOML inline table, or the word itself.
    case textOrTable
}

extension ConfigType {
    /// A list of values of one type.
    package static func list<Element: Sendable>(of element: ConfigType<Element>) -> ConfigType
    where Value == [Element] {
        let expectation = "a list, each \(element.expectation)"
        return ConfigType(
            expectation, shape: .list, choices: element.choices, write: { .list($0.map(element.write)) }
        ) { (value, home) throws(ConfigMismatch) in
            guard case .list(let values) = value else { throw .expected(expectation, found: value) }
            var result: [Element] = []
            for (index, value) in values.enumerated() {
                do throws(ConfigMismatch) {
                    result.append(try element.read(value, home))
                } catch {
                    throw ConfigMismatch(error.note, part: .element(index))
                }
            }
            return result
        }
    }
}

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
