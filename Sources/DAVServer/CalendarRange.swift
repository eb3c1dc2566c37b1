import CivilDate
import ContentLines
import ICalendar
import XML

/// A `time-range`: which components overlap it is defined for each kind (RFC 4791 §9.9).
struct CalendarRange {
    /// The ends in milliseconds since 1970 UTC.
    let start, end: Int64

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
    func contains(_ property: ICalProperty, _ zones: CalendarZones) -> Bool {
        property.times?.contains { start..<end ~= zones.instant(of: $0) } ?? false
    }

    /// Whether a component in `parent` overlaps it, at least once if it recurs.
    func contains(_ component: ICalComponent, in parent: ICalComponent?, _ zones: CalendarZones) -> Bool {
        if component.name == "VALARM" {
            return parent.flatMap { component.trigger(in: ComponentTimes($0, zones), zones) }.map {
                start <= $0 && $0 < end
            } ?? false
        }
        guard component["RECURRENCE-ID"] == nil, component["RRULE"] != nil || component["RDATE"] != nil,
            let first = component.firstDay
        else {
            return overlaps(component, ComponentTimes(component, zones))
        }
        return offsets(of: component, from: first).contains { days in
            overlaps(component, ComponentTimes(component, zones, later: days))
        }
    }

    /// The days by which the occurrences in the range are later than the first.
    func occurrences(of component: ICalComponent, _ zones: CalendarZones) -> [Int] {
        guard let first = component.firstDay else { return [] }
        return offsets(of: component, from: first).filter { days in
            overlaps(component, ComponentTimes(component, zones, later: days))
        }
    }

    /// The part of the range in which an event takes time, `days` later than it is written; nil if it does not overlap the range.
    func part(of event: ICalComponent, later days: Int = 0, _ zones: CalendarZones) -> Range<Int64>? {
        let times = ComponentTimes(event, zones, later: days)
        guard let begin = times.start else { return nil }
        let (from, to) = (max(begin, start), min(begin + times.length, end))
        return from < to ? from..<to : nil
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
        let length = times.length
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

    /// The times of an occurrence that is some days later on the clock.
    init(_ component: ICalComponent, _ zones: CalendarZones, later days: Int = 0) {
        func time(_ name: String, later days: Int = 0) -> Int64? {
            component[name]?.times?.first.map { zones.instant(of: $0, later: days) }
        }
        (start, due, end) = (time("DTSTART", later: days), time("DUE", later: days), time("DTEND", later: days))
        (completed, created) = (time("COMPLETED"), time("CREATED"))
        duration = component["DURATION"].flatMap { CalendarDuration.milliseconds($0.value) }
        isWholeDay = component["DTSTART"]?.times?.first?.second == nil
    }

    /// The time that an event takes.
    var length: Int64 {
        if let end, let start { return end - start }
        return duration ?? (isWholeDay ? 86_400_000 : 0)
    }
}

extension ICalComponent {
    fileprivate var firstDay: CivilDate? { (self["DTSTART"] ?? self["DUE"])?.times?.first?.date }

    /// The moment of an alarm of a component with these times.
    fileprivate func trigger(in times: ComponentTimes, _ zones: CalendarZones) -> Int64? {
        guard let trigger = self["TRIGGER"] else { return nil }
        if let time = ICalTime(trigger.value) { return zones.instant(of: time) }
        let end = times.end ?? times.due ?? times.duration.flatMap { length in times.start.map { $0 + length } }
        let base = trigger["RELATED"]?.uppercased() == "END" ? end : times.start ?? end
        return base.flatMap { base in CalendarDuration.milliseconds(trigger.value).map { base + $0 } }
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
