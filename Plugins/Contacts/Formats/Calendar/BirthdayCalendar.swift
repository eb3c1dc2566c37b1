import CivilDate
import ContentLines
import Text

/// Writes birthdays as a calendar (RFC 5545): a yearly all-day event for each.
///
/// Birthdays on 29 February are on the last day of February.
package struct BirthdayCalendar: CardListWriter {
    /// The year of events without a year of birth; a leap year, so that every day exists.
    private static let unknownYear = 2000

    package init() {}

    /// Returns the start of the calendar.
    package func begin() -> [UInt8] {
        lines([
            "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//hub//contacts//EN", "CALSCALE:GREGORIAN",
            "X-WR-CALNAME:Birthdays",
        ])
    }

    /// Returns the end of the calendar.
    package func end() -> [UInt8] { lines(["END:VCALENDAR"]) }

    /// Returns the event of a contact; empty if its birthday has no month and day.
    package func add(_ card: Card, id: String) -> [UInt8] {
        let details = card.details
        guard let born = details.birthday?.date, let month = born.month, let day = born.day,
            let start = CivilDate(year: born.year ?? BirthdayCalendar.unknownYear, month: month, day: day)
        else { return [] }
        let date = start.description.filter { $0 != "-" }
        let isLeapDay = month == 2 && day == 29
        var event = [
            "BEGIN:VEVENT", "UID:birthday-\(ContactUID.stable(of: details.uid?.repairedText ?? id))",
            // The event depends on the birthday alone, so that the same contacts give the same bytes.
            "DTSTAMP:19700101T000000Z", "DTSTART;VALUE=DATE:\(date)",
            "RRULE:FREQ=YEARLY" + (isLeapDay ? ";BYMONTH=2;BYMONTHDAY=-1" : ""),
            "SUMMARY:\(ValueEncoding.escaped("Birthday of \(details.displayName.filter { !$0.isNewline })"))",
        ]
        if let year = born.year { event.append("DESCRIPTION:\(ValueEncoding.escaped("born in \(year)"))") }
        event += ["CATEGORIES:BIRTHDAY", "CLASS:PRIVATE", "TRANSP:TRANSPARENT", "END:VEVENT"]
        return lines(event)
    }

    private func lines(_ lines: [String]) -> [UInt8] {
        lines.flatMap { LineFolding.folded(Array($0.utf8), [ASCII.cr, ASCII.lf]) }
    }
}
