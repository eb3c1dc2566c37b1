package import CivilDate
import ICalendar

/// Reads the holidays of a calendar (RFC 5545): its all-day events, with their series.
package enum HolidayReader {
    /// The reason why a calendar cannot be read.
    package struct Problem: Error, Sendable {
        /// The reason, in a few words.
        package let words: String
    }

    /// The maximum size of a calendar, in bytes.
    package static let maximumLength = 8 << 20
    /// The number of years ahead for which series are followed.
    private static let yearsAhead = 10
    /// The maximum number of days of one event.
    private static let mostDays = 366

    /// Returns the holidays of a calendar, ascending, one for each day. A series is followed until the end of the tenth year
    /// after `today`; events at a time of day, and cancelled ones, are left out.
    package static func read(_ bytes: [UInt8], today: CivilDate) throws(Problem) -> [Holiday] {
        let roots: [ICalComponent]
        do throws(ICalError) {
            roots = try ICalReader.read(bytes)
        } catch {
            throw Problem(words: "\(error)")
        }
        let events = roots.flatMap { [$0] + $0.components }.filter { $0.name == "VEVENT" }
        let year = today.components.year + yearsAhead
        guard let last = CivilDate(year: min(year, TaskDraft.years.upperBound), month: 12, day: 31) else { return [] }
        var names: [CivilDate: [String]] = [:]
        for series in CalendarSeries.grouped(events) {
            for (day, name) in try days(of: series, through: last) where TaskDraft.isNear(day) {
                if names[day]?.contains(name) != true { names[day, default: []].append(name) }
            }
            guard names.count <= HolidayCalendar.maximumHolidays else {
                throw Problem(words: "it has more than \(HolidayCalendar.maximumHolidays) days")
            }
        }
        guard !names.isEmpty else { throw Problem(words: "it has no all-day events") }
        return names.sorted { $0.key < $1.key }.map { Holiday($0.key, $0.value.joined(separator: ", ")) }
    }

    /// The days of an event or a series with their names.
    private static func days(
        of series: CalendarSeries, through last: CivilDate
    ) throws(Problem) -> [(day: CivilDate, name: String)] {
        let master = series.master
        guard let first = day(master) else { return [] }
        var starts = Set([first])
        for property in master.all("RRULE") {
            do throws(ICalError) {
                starts.formUnion(
                    try RecurrenceRule(property.value).days(
                        from: first, through: last, limit: HolidayCalendar.maximumHolidays))
            } catch {
                throw Problem(words: "\(error)")
            }
        }
        starts.formUnion(dates(master, "RDATE"))
        starts.subtract(dates(master, "EXDATE"))
        starts.subtract(series.overrides.compactMap { $0["RECURRENCE-ID"]?.times?.first?.date })
        var found = isCancelled(master) ? [] : starts.sorted().flatMap { spread(master, from: $0) }
        for override in series.overrides where !isCancelled(override) {
            if let day = day(override) { found += spread(override, from: day) }
        }
        return found
    }

    /// The first day of an all-day event; nil for an event at a time of day.
    private static func day(_ event: ICalComponent) -> CivilDate? {
        guard let time = event["DTSTART"]?.times?.first, time.second == nil else { return nil }
        return time.date
    }

    private static func dates(_ event: ICalComponent, _ name: String) -> [CivilDate] {
        event.all(name).flatMap { $0.times ?? [] }.map(\.date)
    }

    private static func isCancelled(_ event: ICalComponent) -> Bool {
        event["STATUS"]?.value.uppercased() == "CANCELLED"
    }

    /// All days of an event that begins on `start`, with its name.
    private static func spread(
        _ event: ICalComponent, from start: CivilDate
    ) -> [(day: CivilDate, name: String)] {
        let name = (event["SUMMARY"]?.text ?? "").singleSpaced
        var length = 1
        if let first = day(event), let end = event["DTEND"]?.times?.first {
            // The end of an all-day event is the day after its last one.
            length = end.date.daysSinceEpoch - first.daysSinceEpoch
        } else if let minutes = event["DURATION"].flatMap({ CalendarSeries.minutes($0.value) }) {
            length = minutes / 1440
        }
        return (0..<min(max(1, length), mostDays)).map {
            (start.adding(days: $0), name.isEmpty ? "holiday" : String(name.prefix(200)))
        }
    }
}
