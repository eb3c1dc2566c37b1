import CivilDate
package import Time

extension QueryPart {
    /// A range of times; nil for no limit.
    package struct TimeRange: Hashable, Sendable {
        /// The first moment.
        package var since: Instant?
        /// The moment after the last.
        package var until: Instant?
    }

    /// Returns the range that the value gives: `<30d`, `>2026-01-01`, `today`, `2026-01-01..2026-03-31`.
    package func timeRange(now: Instant, in zone: TimeZoneRules) throws(QueryError) -> TimeRange {
        let text = value[...]
        if let dots = text.firstRange(of: "..") {
            let (first, last) = (text[..<dots.lowerBound], text[dots.upperBound...])
            if first.isEmpty, last.isEmpty { throw invalidTime(first) }
            return TimeRange(
                since: first.isEmpty ? nil : try moment(first, now, zone).since,
                until: last.isEmpty ? nil : try moment(last, now, zone).until)
        }
        let sign = text.prefix { "<>=".contains($0) }
        let found = try moment(text.dropFirst(sign.count), now, zone)
        switch (sign, found.isAge) {
        // An age is smaller the later the moment is.
        case ("<", true), ("<=", true), ("", true), ("=", true): return TimeRange(since: found.since)
        case (">", true), (">=", true): return TimeRange(until: found.since)
        case ("<", false): return TimeRange(until: found.since)
        case ("<=", false): return TimeRange(until: found.until)
        case (">", false): return TimeRange(since: found.until)
        case (">=", false): return TimeRange(since: found.since)
        case ("", false), ("=", false): return TimeRange(since: found.since, until: found.until)
        default: throw QueryError(self, "\"\(sign)\" is not a comparison", "use <, >, <= or >=")
        }
    }

    private func moment(
        _ text: Substring, _ now: Instant, _ zone: TimeZoneRules
    ) throws(QueryError) -> (since: Instant, until: Instant, isAge: Bool) {
        guard let date = DateExpression(String(QueryPart.trimmed(text))) else { throw invalidTime(text) }
        switch date {
        case .length, .offset:
            let start = date.instant(now: now, in: zone)
            return (start, start, true)
        case .time, .moment:
            let start = date.instant(now: now, in: zone)
            return (start, start + .seconds(60), false)
        case .relativeDay, .weekday, .lastWeekday, .dayOfYear, .day:
            let day = date.day(today: zone.localTime(at: now).day, .back)
            return (
                zone.instant(at: LocalTime(day: day)), zone.instant(at: LocalTime(day: day.adding(days: 1))), false
            )
        }
    }

    private func invalidTime(_ text: Substring) -> QueryError {
        let name = name ?? "changed"
        return QueryError(
            self, text.isEmpty ? "\(name): needs a time" : "invalid time \"\(text)\"",
            "such as \(name):<30d, \(name):>1y, \(name):today or \(name):2026-01-01..2026-03-31")
    }
}
