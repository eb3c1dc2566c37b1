import CivilDate
import ICalendar
import Time

/// The zones of the times in a calendar: those that it describes itself (RFC 5545 §3.6.5); all else is in one other zone.
struct CalendarZones {
    private let other: TimeZoneRules
    private var own: [String: TimeZoneRules] = [:]

    /// Without zones of a calendar's own.
    init(_ other: TimeZoneRules) { self.other = other }

    /// With the zones of `calendar`.
    init(of calendar: ICalComponent, _ other: TimeZoneRules) {
        self.other = other
        for component in calendar.components.prefix(Self.most) where component.name == "VTIMEZONE" {
            guard let name = component["TZID"]?.text, let changes = Self.changes(of: component) else { continue }
            own[name] = TimeZoneRules { instant in
                // The last change that is not later.
                var (low, high) = (0, changes.count)
                while low < high {
                    let middle = (low + high) / 2
                    if changes[middle].at <= instant.milliseconds { low = middle + 1 } else { high = middle }
                }
                return low == 0 ? changes[0].before : changes[low - 1].after
            }
        }
    }

    /// More zones and rules than a calendar has; others are left out.
    private static let most = 100
    /// The last day that is looked at: no rule is followed without an end.
    private static let lastDay = CivilDate(daysSinceEpoch: 47_846)

    /// The changes of the clock, in order; nil for a zone that cannot be read.
    private static func changes(of zone: ICalComponent) -> [(at: Int64, before: Int, after: Int)]? {
        var changes: [(at: Int64, before: Int, after: Int)] = []
        for rule in zone.components.prefix(most) where rule.name == "STANDARD" || rule.name == "DAYLIGHT" {
            guard let start = rule["DTSTART"]?.times?.first, let second = start.second,
                let before = rule["TZOFFSETFROM"].flatMap({ seconds($0.value) }),
                let after = rule["TZOFFSETTO"].flatMap({ seconds($0.value) })
            else { return nil }
            var days = [start.date]
            if let recurrence = rule["RRULE"].flatMap({ try? RecurrenceRule($0.value) }) {
                days += (try? recurrence.days(from: start.date, through: lastDay, limit: 400)) ?? []
            }
            days += rule.all("RDATE").flatMap { $0.times ?? [] }.map(\.date)
            for day in Set(days) {
                let wall = (Int64(day.daysSinceEpoch) * 86_400 + Int64(second)) * 1000
                changes.append((wall - Int64(before) * 1000, before, after))
            }
        }
        return changes.isEmpty ? nil : changes.sorted { $0.at < $1.at }
    }

    /// The seconds of a difference from UTC such as `+0100` or `-013015`; nil for anything else.
    private static func seconds(_ text: String) -> Int? {
        let bytes = Array(text.utf8)
        guard [5, 7].contains(bytes.count), bytes[0] == UInt8(ascii: "+") || bytes[0] == UInt8(ascii: "-"),
            bytes.dropFirst().allSatisfy({ 0x30...0x39 ~= $0 })
        else { return nil }
        let digits = bytes.dropFirst().map { Int($0 - 0x30) }
        var sum = (digits[0] * 10 + digits[1]) * 3600 + (digits[2] * 10 + digits[3]) * 60
        if digits.count == 6 { sum += digits[4] * 10 + digits[5] }
        return bytes[0] == UInt8(ascii: "-") ? -sum : sum
    }

    /// The moment of a time in milliseconds since 1970 UTC; of a day its begin. `days` are added to its day on the wall first.
    func instant(of time: ICalTime, later days: Int = 0) -> Int64 {
        var time = time
        if days != 0 { time.date = CivilDate(daysSinceEpoch: time.date.daysSinceEpoch + days) }
        if let moment = time.milliseconds { return moment }
        let zone = time.zone.flatMap { own[$0] } ?? other
        return zone.instant(at: LocalTime(day: time.date, millisecond: (time.second ?? 0) * 1000)).milliseconds
    }
}
