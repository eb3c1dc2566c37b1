extension Instant {
    /// The moment as RFC 3339 in UTC with milliseconds only when there are any: `2026-11-20T14:30:00Z`.
    package var rfc3339: String {
        let local = TimeZoneRules.utc.localTime(at: self)
        let milliseconds = local.millisecond % 1000
        let digits = String(milliseconds)
        let fraction = milliseconds == 0 ? "" : "." + String(repeating: "0", count: 3 - digits.count) + digits
        let text = local.description.split(separator: " ").joined(separator: "T")
        return text + fraction + "Z"
    }
}
