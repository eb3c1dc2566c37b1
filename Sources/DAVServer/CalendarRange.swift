import CivilDate
import ContentLines
import ICalendar
import Time
import XML

/// A `time-range`: which components overlap it is defined for each kind (RFC 4791 §9.9).
struct CalendarRange {
    /// The ends in milliseconds since 1970 UTC.
    private var start, end: Int64
    /// Whether it was made larger by what zones differ at most.
    private var isWide = false

    private var widened: CalendarRange {
        var range = self
        let most: Int64 = 26 * 3_600_000
        (range.start, range.end, range.isWide) = (start - most, end - most > .max / 4 ? end : end + most, true)
        return range
    }

    /// Reads `time-range`. Throws 403 unless its ends are times in UTC, one of which may be missing, in this order.
    init(_ element: XMLElement) throws(DAVFailure) {
        func time(_ name: String) throws(DAVFailure) -> Int64? {
            guard let text = element.attributes[XMLName("", name)] else { return nil }
            guard let time = ICalTime(text)?.milliseconds else { throw CalendarFilter.invalid }
            return time
        }
        let ends = (try time("start"), try time("end"))
        (start, end) = (ends.0 ?? .min / 2, ends.1 ?? .max / 2)
        guard ends.0 != nil || ends.1 != nil, start < end else { throw CalendarFilter.invalid }
    }

    /// Whether the time of a property is in it.
    func contains(_ property: ICalProperty, _ zone: TimeZoneRules) -> Bool {
        property.times?.contains { start <= $0.instant(in: zone) && $0.instant(in: zone) < end } ?? false
    }

    /// Whether a component in `parent` overlaps it, at least once if it recurs.
    func contains(_ component: ICalComponent, in parent: ICalComponent?, _ zone: TimeZoneRules) -> Bool {
        if component.name == "VALARM" {
            return parent.flatMap { component.trigger(in: ComponentTimes($0, zone), zone) }.map {
                start <= $0 && $0 < end
            } ?? false
        }
        // The rules of a zone of the calendar's own are not known here: what may be in the range is.
        if component.name == "VEVENT", component["DTSTART"]?.times?.first?.zone != nil, !isWide {
            return widened.contains(component, in: parent, zone)
        }
        let times = ComponentTimes(component, zone)
        guard component["RECURRENCE-ID"] == nil, component["RRULE"] != nil || component["RDATE"] != nil,
            let first = component.firstDay
        else {
            return overlaps(component, times)
        }
        return offsets(of: component, from: first).contains { days in
            overlaps(component, times.moved(by: Int64(days) * 86_400_000))
        }
    }

    /// The days by which the occurrences in the range are later than the first.
    func occurrences(of component: ICalComponent, _ zone: TimeZoneRules) -> [Int] {
        guard let first = component.firstDay else { return [] }
        let times = ComponentTimes(component, zone)
        return offsets(of: component, from: first).filter { days in
            overlaps(component, times.moved(by: Int64(days) * 86_400_000))
        }
    }

    private func overlaps(_ component: ICalComponent, _ times: ComponentTimes) -> Bool {
        component.name == "VTODO" ? overlapsTodo(times) : overlapsEvent(times)
    }

    /// The table of `VTODO`: it depends on which of its properties are there.
    private func overlapsTodo(_ times: ComponentTimes) -> Bool {
        switch (times.start, times.duration, times.due) {
        case (let begin?, let duration?, nil):
            start <= begin + duration && (end > begin || end >= begin + duration)
        case (let begin?, _, let due?): (start < due || start <= begin) && (end > begin || end >= due)
        case (let begin?, nil, nil): start <= begin && end > begin
        case (nil, _, let due?): start < due && end >= due
        case (nil, _, nil):
            switch (times.completed, times.created) {
            case (let completed?, let created?):
                (start <= created || start <= completed) && (end >= created || end >= completed)
            case (let completed?, nil): start <= completed && end >= completed
            case (nil, let created?): end > created
            case (nil, nil): true
            }
        }
    }

    private func overlapsEvent(_ times: ComponentTimes) -> Bool {
        guard let begin = times.start else { return false }
        let length = times.end.map { $0 - begin } ?? times.duration ?? (times.isWholeDay ? 86_400_000 : 0)
        return (length > 0 ? start < begin + length : start <= begin) && end > begin
    }

    /// The days by which the occurrences that matter are later than the first.
    private func offsets(of component: ICalComponent, from first: CivilDate) -> [Int] {
        // A range without an end is true as soon as one occurrence is after its start; rules repeat within some years.
        let horizon = end == .max / 2 ? max(start, 0) + 40 * 366 * 86_400_000 : end
        let last = CivilDate(daysSinceEpoch: Int(clamping: min(max(horizon, 0), 4_102_444_800_000) / 86_400_000) + 1)
        var days: Set<Int> = [0]
        if let rule = component["RRULE"].flatMap({ try? RecurrenceRule($0.value) }) {
            let found = (try? rule.days(from: first, through: last, limit: 20_000)) ?? []
            days.formUnion(found.map { $0.daysSinceEpoch - first.daysSinceEpoch })
        }
        func listed(_ name: String) -> [Int] {
            component.all(name).flatMap { $0.times ?? [] }.map { $0.date.daysSinceEpoch - first.daysSinceEpoch }
        }
        return days.union(listed("RDATE")).subtracting(listed("EXDATE")).sorted()
    }
}

/// The times of a component, in milliseconds since 1970 UTC.
private struct ComponentTimes {
    var start, due, end, completed, created: Int64?
    var duration: Int64?
    var isWholeDay = false

    init(_ component: ICalComponent, _ zone: TimeZoneRules) {
        func time(_ name: String) -> Int64? { component[name]?.times?.first?.instant(in: zone) }
        (start, due, end) = (time("DTSTART"), time("DUE"), time("DTEND"))
        (completed, created) = (time("COMPLETED"), time("CREATED"))
        duration = component["DURATION"].flatMap { CalendarDuration.milliseconds($0.value) }
        isWholeDay = component["DTSTART"]?.times?.first?.second == nil
    }

    /// The times of an occurrence that is later.
    func moved(by distance: Int64) -> ComponentTimes {
        var times = self
        (times.start, times.due) = (start.map { $0 + distance }, due.map { $0 + distance })
        times.end = end.map { $0 + distance }
        return times
    }
}

extension ICalComponent {
    fileprivate var firstDay: CivilDate? { (self["DTSTART"] ?? self["DUE"])?.times?.first?.date }

    /// The moment of an alarm of a component with these times.
    fileprivate func trigger(in times: ComponentTimes, _ zone: TimeZoneRules) -> Int64? {
        guard let trigger = self["TRIGGER"] else { return nil }
        if let time = ICalTime(trigger.value) { return time.instant(in: zone) }
        let end = times.end ?? times.due ?? times.duration.flatMap { length in times.start.map { $0 + length } }
        let base = trigger["RELATED"]?.uppercased() == "END" ? end : times.start ?? end
        return base.flatMap { base in CalendarDuration.milliseconds(trigger.value).map { base + $0 } }
    }
}

extension ICalTime {
    /// The moment; of a day its begin. What has no zone, or one of a calendar's own, is in `zone`.
    func instant(in zone: TimeZoneRules) -> Int64 {
        milliseconds
            ?? zone.instant(at: LocalTime(day: date, millisecond: (second ?? 0) * 1000)).milliseconds
    }
}

/// Durations of iCalendar (RFC 5545 §3.3.6).
enum CalendarDuration {
    /// Parses a duration such as `-P1DT2H`; nil for anything else.
    static func milliseconds(_ text: String) -> Int64? {
        var rest = text.utf8[...]
        var sign: Int64 = 1
        if let first = rest.first, first == UInt8(ascii: "-") || first == UInt8(ascii: "+") {
            sign = first == UInt8(ascii: "-") ? -1 : 1
            rest = rest.dropFirst()
        }
        guard rest.first == UInt8(ascii: "P"), rest.count < 40 else { return nil }
        var (sum, number, isTime, hasPart): (Int64, Int64?, Bool, Bool) = (0, nil, false, false)
        for byte in rest.dropFirst() {
            if 0x30...0x39 ~= byte {
                let value = (number ?? 0) * 10 + Int64(byte - 0x30)
                guard value < 1_000_000_000 else { return nil }
                number = value
                continue
            }
            if byte == UInt8(ascii: "T"), number == nil, !isTime {
                isTime = true
                continue
            }
            let units: [UInt8: Int64] =
                isTime
                ? [UInt8(ascii: "H"): 3600, UInt8(ascii: "M"): 60, UInt8(ascii: "S"): 1]
                : [UInt8(ascii: "W"): 604_800, UInt8(ascii: "D"): 86_400]
            guard let unit = units[byte], let count = number else { return nil }
            (sum, number, hasPart) = (sum + count * unit * 1000, nil, true)
        }
        return number == nil && hasPart ? sign * sum : nil
    }
}
