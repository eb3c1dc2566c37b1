import CivilDate
import Time

/// Times in files: RFC 3339 in UTC, with or without a fraction, as Joplin and hub write them.
enum Timestamp {
    /// Returns the time; nil for anything else.
    static func read(_ text: String) -> Instant? {
        let parts = text.split(separator: "T", omittingEmptySubsequences: false)
        guard parts.count == 2, text.utf8.count <= 30, parts[1].hasSuffix("Z"), let day = CivilDate(String(parts[0]))
        else { return nil }
        let clock = parts[1].dropLast().split(separator: ":", omittingEmptySubsequences: false)
        guard clock.count == 3, let hour = number(clock[0]), let minute = number(clock[1]), hour < 24, minute < 60
        else {
            return nil
        }
        let second = clock[2].split(separator: ".", omittingEmptySubsequences: false)
        guard second.count <= 2, let whole = number(second[0]), whole < 61 else { return nil }
        var milliseconds = 0
        if second.count == 2 {
            guard let digits = Int(second[1].prefix(3)), digits >= 0, !second[1].isEmpty else { return nil }
            milliseconds = digits * [100, 10, 1][min(second[1].count, 3) - 1]
        }
        let time = ((hour * 60 + minute) * 60 + whole) * 1000 + milliseconds
        return TimeZoneRules.utc.instant(at: LocalTime(day: day, millisecond: min(time, 86_399_999)))
    }

    private static func number(_ digits: Substring) -> Int? {
        digits.utf8.count == 2 && digits.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(digits) : nil
    }
}
