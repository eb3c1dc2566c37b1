package import Time

extension TimeLength: ArgumentValue {
    package static func parse(argument: String) throws(InvalidArgument) -> TimeLength {
        guard let length = TimeLength(argument) else {
            throw InvalidArgument(expected: "a length of time", hint: "write 45min, 3h, 2d, 3w, 6mo or 1y")
        }
        return length
    }
}

extension DateExpression: ArgumentValue {
    package static func parse(argument: String) throws(InvalidArgument) -> DateExpression {
        guard let expression = DateExpression(argument) else {
            throw InvalidArgument(
                expected: "a date",
                hint: "write today, mon, 2026-11-20, 14:30, 2026-11-20T14:30 or a length: 45min 3h 2d")
        }
        return expression
    }
}

extension DateRange: ArgumentValue {
    package static func parse(argument: String) throws(InvalidArgument) -> DateRange {
        guard let range = DateRange(argument) else {
            throw InvalidArgument(
                expected: "a range of dates", hint: "write 2026-11-01..2026-11-20, mon..today or 2w..")
        }
        return range
    }
}
