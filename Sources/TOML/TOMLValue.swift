/// A value of TOML 1.0.
package enum TOMLValue: Hashable, Sendable {
    case string(String)
    case integer(Int64)
    case float(Double)
    case boolean(Bool)
    case dateTime(TOMLDateTime)
    case array([TOMLNode])
    case table(TOMLTable)
}

/// A value and its place in the text.
package struct TOMLNode: Hashable, Sendable {
    package var value: TOMLValue
    /// The value as it is written: a string with its quotes, an array with its brackets.
    package var range: TOMLRange

    package init(_ value: TOMLValue, range: TOMLRange) {
        self.value = value
        self.range = range
    }
}

/// A date, a time of the day, or both; with both also an offset. At least one of `date` and `time` is there.
package struct TOMLDateTime: Hashable, Sendable {
    /// A day of the proleptic Gregorian calendar.
    package struct Day: Hashable, Sendable {
        package var year: Int
        package var month: Int
        package var day: Int
    }

    /// A time of the day.
    package struct Time: Hashable, Sendable {
        package var hour: Int
        package var minute: Int
        package var second: Int
        package var nanosecond: Int
    }

    package var date: Day?
    package var time: Time?
    /// Minutes east of UTC; nil for a local time.
    package var offset: Int?
}
