/// Numbers as people read them.
package enum NumberFormat {
    /// Formats a whole number with separated thousands: `1,204`.
    package static func grouped(_ number: Int) -> String { grouped(String(number)) }

    /// Formats a count with its noun: `1 contact`, `1,204 contacts`; the plural is the noun with an `s` unless given.
    package static func counted(_ count: Int, _ one: String, _ many: String? = nil) -> String {
        "\(grouped(count)) \(count == 1 ? one : many ?? one + "s")"
    }

    /// Formats an exact decimal with separated thousands and all its digits: `-1,204.50`.
    package static func grouped(_ decimal: String) -> String {
        let sign = decimal.prefix { $0 == "-" || $0 == "+" }
        let whole = decimal.dropFirst(sign.count).prefix { ("0"..."9").contains($0) }
        let rest = decimal.dropFirst(sign.count + whole.count)
        guard whole.count > 3 else { return decimal }
        var groups: [Substring] = []
        var left = whole
        while left.count > 3 {
            groups.insert(left.suffix(3), at: 0)
            left = left.dropLast(3)
        }
        groups.insert(left, at: 0)
        return sign + groups.joined(separator: ",") + rest
    }
}

/// Names of several things in one line of a message.
package enum NameList {
    /// The names in alphabetical order, so that each message about the same things lists them alike; at most `limit` of
    /// them, the rest counted.
    package static func line(_ names: [String], limit: Int = 5) -> String {
        let shown = names.sorted().prefix(limit).joined(separator: ", ")
        return names.count > limit ? "\(shown) and \(names.count - limit) more" : shown
    }
}
