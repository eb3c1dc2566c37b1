import CivilDate
import ContentLines
import ICalendar
import Time
import XML

/// The element `expand` of a request: what recurs is given as its occurrences in a range of time (RFC 4791 §9.6.5).
struct CalendarExpansion {
    private let range: CalendarRange

    /// Reads `expand`; nil unless its two ends are times in UTC.
    init?(_ element: XMLElement) {
        guard let range = try? CalendarRange(element) else { return nil }
        self.range = range
    }

    /// The most occurrences that one item becomes.
    private static let most = 5000

    /// The calendar with the occurrences in place of what recurs, in UTC; as it is if it cannot be read.
    func expanded(_ content: [UInt8], zone: TimeZoneRules) -> [UInt8] {
        guard let calendars = try? ICalReader.read(content, limits: .item) else { return content }
        return calendars.flatMap { calendar in
            var result = calendar
            let others = calendar.components.filter { $0["RECURRENCE-ID"] != nil }
            let replaced = Set(others.compactMap { $0["RECURRENCE-ID"]?.times?.first?.instant(in: zone) })
            result.components = calendar.components.flatMap { component -> [ICalComponent] in
                if component.name == "VTIMEZONE" { return [] }
                guard component["RECURRENCE-ID"] == nil,
                    component["RRULE"] != nil || component["RDATE"] != nil
                else {
                    guard range.contains(component, in: nil, zone) else { return [] }
                    return [moved(component, by: 0, isOccurrence: component["RECURRENCE-ID"] != nil, zone)]
                }
                return range.occurrences(of: component, zone).prefix(Self.most).map {
                    moved(component, by: $0, isOccurrence: true, zone)
                }.filter { occurrence in
                    let start = occurrence["RECURRENCE-ID"]?.times?.first?.instant(in: zone)
                    return start.map { !replaced.contains($0) } ?? true
                }
            }
            return ICalWriter.write(result)
        }
    }

    /// A component some days later, with its times in UTC.
    private func moved(
        _ component: ICalComponent, by days: Int, isOccurrence: Bool, _ zone: TimeZoneRules
    ) -> ICalComponent {
        var result = component
        for name in ["RRULE", "RDATE", "EXDATE", "EXRULE"] { result.remove(name) }
        func time(_ property: ICalProperty) -> ICalProperty? {
            guard var time = property.times?.first else { return nil }
            time.date = CivilDate(daysSinceEpoch: time.date.daysSinceEpoch + days)
            if time.second == nil { return ICalProperty(property.name, days: [time.date]) }
            // A time that is wherever one is stays so.
            if time.isUTC || time.zone != nil { time = ICalTime(milliseconds: time.instant(in: zone)) }
            return ICalProperty(property.name, value: "\(time)")
        }
        for name in ["DTSTART", "DTEND", "DUE"] {
            if let property = component[name], let later = time(property) { result.set(later) }
        }
        if isOccurrence {
            let origin = component["RECURRENCE-ID"] ?? component["DTSTART"] ?? component["DUE"]
            if let origin, let moment = time(origin) {
                result.set(ICalProperty("RECURRENCE-ID", moment.parameters, value: moment.value))
            }
        }
        return result
    }
}
