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
    /// The value without its position.
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
        /// The year, from 0 to 9999.
        package var year: Int
        /// The month, from 1 to 12.
        package var month: Int
        /// The day of the month, from 1 to 31.
        package var day: Int
    }

    /// A time of the day.
    package struct Time: Hashable, Sendable {
        /// The hour, from 0 to 23.
        package var hour: Int
        /// The minute, from 0 to 59.
        package var minute: Int
        /// The second, from 0 to 59.
        package var second: Int
        /// The fraction of the second in nanoseconds.
        package var nanosecond: Int
    }

    /// The date; nil for a time of day alone.
    package var date: Day?
    /// The time of day; nil for a date alone.
    package var time: Time?
    /// Minutes east of UTC; nil for a local time.
    package var offset: Int?
}

/// A table: its entries in the order of the text.
package struct TOMLTable: Hashable, Sendable {
    /// One key with its value.
    package struct Entry: Hashable, Sendable {
        /// The key, without quotes and escapes.
        package var key: String
        /// The position of the key's first occurrence; of a dotted key, or of a header, its own part.
        package var keyRange: TOMLRange
        /// The value with its position.
        package var node: TOMLNode
    }

    /// The entries in the order of the file.
    package var entries: [Entry]
    /// Whether it is written in braces, so that nothing outside them can add to it.
    package var isInline: Bool

    package init(entries: [Entry], isInline: Bool = false) {
        self.entries = entries
        self.isInline = isInline
    }

    /// The entry with this key, if there is one.
    package func entry(_ key: String) -> Entry? { entries.first { $0.key == key } }

    /// The node under `path`, one table deeper for each key; nil when it is not there.
    package func node(at path: some Collection<String>) -> TOMLNode? {
        guard let first = path.first, let node = entry(first)?.node else { return nil }
        if path.count == 1 { return node }
        guard case .table(let inner) = node.value else { return nil }
        return inner.node(at: path.dropFirst())
    }
}
