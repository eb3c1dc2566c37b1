import CivilDate
import ContentLines
import ICalendar
import Time
import XML

/// What a request wants of components that recur (RFC 4791 §9.6.5 and §9.6.6).
struct CalendarExpansion {
    private let range: CalendarRange
    /// Whether they become their occurrences in the range; else only the changed occurrences outside of it are left out.
    private let isExpanded: Bool

    /// Reads `expand` or `limit-recurrence-set`; nil unless its two ends are times in UTC.
    init?(_ element: XMLElement) {
        guard let range = try? CalendarRange(element) else { return nil }
        self.range = range
        isExpanded = element.name == DAVName.calendar("expand")
    }

    /// The most occurrences that one item becomes.
    private static let most = 5000

    /// The calendar as the request wants it; as it is if it cannot be read.
    func applied(to content: [UInt8], zone: TimeZoneRules) -> [UInt8] {
        guard let calendars = try? ICalReader.read(content, limits: .item) else { return content }
        return calendars.flatMap { calendar in
            let zones = CalendarZones(of: calendar, zone)
            var result = calendar
            result.components = isExpanded ? expanded(calendar, zones) : limited(calendar, zones)
            return ICalWriter.write(result)
        }
    }

    /// The components without the changed occurrences that neither were nor are in the range.
    private func limited(_ calendar: ICalComponent, _ zones: CalendarZones) -> [ICalComponent] {
        calendar.components.filter { component in
            guard let origin = component["RECURRENCE-ID"] else { return true }
            return origin["RANGE"] != nil || range.contains(origin, zones)
                || range.contains(component, in: nil, zones)
        }
    }

    /// The occurrences in place of what recurs, in UTC.
    private func expanded(_ calendar: ICalComponent, _ zones: CalendarZones) -> [ICalComponent] {
        let others = calendar.components.filter { $0["RECURRENCE-ID"] != nil }
        let replaced = Set(others.compactMap { $0["RECURRENCE-ID"]?.times?.first.map { zones.instant(of: $0) } })
        return calendar.components.flatMap { component -> [ICalComponent] in
            if component.name == "VTIMEZONE" { return [] }
            guard component["RECURRENCE-ID"] == nil, component["RRULE"] != nil || component["RDATE"] != nil else {
                guard range.contains(component, in: nil, zones) else { return [] }
                return [moved(component, by: 0, isOccurrence: component["RECURRENCE-ID"] != nil, zones)]
            }
            return range.occurrences(of: component, zones).prefix(Self.most).map {
                moved(component, by: $0, isOccurrence: true, zones)
            }.filter { occurrence in
                let start = occurrence["RECURRENCE-ID"]?.times?.first.map { zones.instant(of: $0) }
                return start.map { !replaced.contains($0) } ?? true
            }
        }
    }

    /// A component some days later, with its times in UTC.
    private func moved(
        _ component: ICalComponent, by days: Int, isOccurrence: Bool, _ zones: CalendarZones
    ) -> ICalComponent {
        var result = component
        for name in ["RRULE", "RDATE", "EXDATE", "EXRULE"] { result.remove(name) }
        func time(_ property: ICalProperty, by days: Int) -> ICalProperty? {
            guard var time = property.times?.first else { return nil }
            time.date = CivilDate(daysSinceEpoch: time.date.daysSinceEpoch + days)
            if time.second == nil { return ICalProperty(property.name, days: [time.date]) }
            // A time that is wherever one is stays so.
            if time.isUTC || time.zone != nil { time = ICalTime(milliseconds: zones.instant(of: time)) }
            return ICalProperty(property.name, value: "\(time)")
        }
        for name in ["DTSTART", "DTEND", "DUE"] {
            if let property = component[name], let later = time(property, by: days) { result.set(later) }
        }
        if isOccurrence {
            let origin = component["RECURRENCE-ID"] ?? component["DTSTART"] ?? component["DUE"]
            if let origin, let moment = time(origin, by: days) {
                result.set(ICalProperty("RECURRENCE-ID", moment.parameters, value: moment.value))
            }
        }
        return result
    }
}
