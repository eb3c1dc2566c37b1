package import Time

extension DurationFormat: ArgumentValue {
    /// Parses a duration such as `45min` or `3w`.
    package static func parse(argument: String) throws(InvalidArgument) -> DurationFormat {
        guard let length = DurationFormat(argument) else {
            throw InvalidArgument(expected: "a duration", hint: "use 45min, 3h, 2d, 3w, 6mo or 1y")
        }
        return length
    }
}

extension DateExpression: ArgumentValue {
    /// Parses a date, a time or a duration.
    package static func parse(argument: String) throws(InvalidArgument) -> DateExpression {
        guard let expression = DateExpression(argument) else {
            throw InvalidArgument(
                expected: "a date",
                hint: "use today, mon, 2026-11-20, 14:30, 2026-11-20T14:30 or a duration: 45min 3h 2d")
        }
        return expression
    }
}

extension DateRange: ArgumentValue {
    /// Parses `A..B`, `A..` or `..B`.
    package static func parse(argument: String) throws(InvalidArgument) -> DateRange {
        guard let range = DateRange(argument) else {
            throw InvalidArgument(
                expected: "a range of dates", hint: "use 2026-11-01..2026-11-20, mon..today or 2w..")
        }
        return range
    }
}
