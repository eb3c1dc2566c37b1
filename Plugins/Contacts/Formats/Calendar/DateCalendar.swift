import CivilDate
import ContentLines
import Text

/// Writes birthdays, anniversaries and other dates as a calendar (RFC 5545): a yearly all-day event for each.
///
/// Those on 29 February are on the last day of February.
package struct DateCalendar: CardListWriter {
    /// The year of events whose year is unknown; a leap year, so that every day exists.
    private static let unknownYear = 2000

    private let isOnlyBirthdays: Bool

    package init(isOnlyBirthdays: Bool = false) { self.isOnlyBirthdays = isOnlyBirthdays }

    /// Returns the start of the calendar.
    package func begin() -> [UInt8] {
        lines([
            "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//hub//contacts//EN", "CALSCALE:GREGORIAN",
            "X-WR-CALNAME:\(isOnlyBirthdays ? "Birthdays" : "Birthdays and dates")",
        ])
    }

    /// Returns the end of the calendar.
    package func end() -> [UInt8] { lines(["END:VCALENDAR"]) }

    /// Returns the events of a contact; empty if it has no date with a month and day.
    package func add(_ card: Card, id: String) -> [UInt8] {
        let details = card.details
        let name = details.displayName.filter { !$0.isNewline }
        let uid = ContactUID.stable(of: details.uid?.repairedText ?? id)
        var events: [UInt8] = []
        if let date = details.birthday?.date {
            events += event(
                "birthday-\(uid)", date, "Birthday of \(name)", date.year.map { "born in \($0)" }, "BIRTHDAY")
        }
        if isOnlyBirthdays { return events }
        if let date = details.anniversary?.date {
            events += event(
                "anniversary-\(uid)", date, "Anniversary of \(name)", date.year.map { "since \($0)" }, "ANNIVERSARY")
        }
        for other in details.dates {
            guard let date = other.date.date else { continue }
            let label = other.label.isEmpty ? "Date" : other.label.prefix(1).uppercased() + other.label.dropFirst()
            events += event(
                "date-\(ContactUID.stable(of: "\(uid) \(other.label) \(date)"))", date, "\(label): \(name)",
                date.year.map { "since \($0)" }, "ANNIVERSARY")
        }
        return events
    }

    /// Returns an event; empty if its date has no month and day.
    private func event(
        _ uid: String, _ date: PartialDate, _ summary: String, _ description: String?, _ category: String
    ) -> [UInt8] {
        guard let month = date.month, let day = date.day,
            let start = CivilDate(year: date.year ?? DateCalendar.unknownYear, month: month, day: day)
        else { return [] }
        var event = [
            "BEGIN:VEVENT", "UID:\(uid)",
            // The event depends on the date alone, so that the same contacts give the same bytes.
            "DTSTAMP:19700101T000000Z", "DTSTART;VALUE=DATE:\(start.description.filter { $0 != "-" })",
            "RRULE:FREQ=YEARLY" + (month == 2 && day == 29 ? ";BYMONTH=2;BYMONTHDAY=-1" : ""),
            "SUMMARY:\(ValueEncoding.escaped(summary))",
        ]
        if let description { event.append("DESCRIPTION:\(ValueEncoding.escaped(description))") }
        event += ["CATEGORIES:\(category)", "CLASS:PRIVATE", "TRANSP:TRANSPARENT", "END:VEVENT"]
        return lines(event)
    }

    private func lines(_ lines: [String]) -> [UInt8] {
        lines.flatMap { LineFolding.folded(Array($0.utf8), [ASCII.cr, ASCII.lf]) }
    }
}
