import CivilDate
import ContactsDomain
import HubKitTesting
import Storage
import System
import Testing

@testable import Contacts

/// Anniversaries and other dates, which return each year like birthdays.
struct DateTests {
    private static func book() async throws -> ContactsFixture {
        let book = try ContactsFixture()
        try await book.importing(
            vcard(
                "a", "FN:Ada", "BDAY:1985-12-10", "X-ANNIVERSARY:2010-11-22", "item1.X-ABDATE:2020-11-21",
                "item1.X-ABLabel:first met", "item2.X-ABDATE:2027-01-05", "item2.X-ABLabel:contract ends",
                "item3.X-ABDATE;X-APPLE-OMIT-YEAR=1604:1604-11-21", "item3.X-ABLabel:_$!<Other>!$_")
                + vcard("b", "FN:Bob", "ANNIVERSARY:--02-29", version: "4.0")
                + vcard("c", "FN:Choir", "X-ADDRESSBOOKSERVER-KIND:group", "X-ANNIVERSARY:2010-11-22"))
        return book
    }

    @Test func `all dates are listed with their labels and years, none before its first day`() async throws {
        let book = try await DateTests.book()
        let start = try #require(CivilDate("2026-11-20"))
        func shown(_ dates: [UpcomingDate]) -> [String] {
            dates.map { "\($0.day) \($0.contact.name) \($0.occasion.label) \($0.years.map(String.init) ?? "-")" }
        }
        #expect(
            shown(try await book.plugin.dates(from: start, days: 30)) == [
                "2026-11-21 Ada first met 6", "2026-11-21 Ada other -", "2026-11-22 Ada anniversary 16",
                "2026-12-10 Ada birthday 41",
            ])
        #expect(try await book.plugin.birthdays(from: start, days: 30).map(\.occasion) == [.birthday])
        let year = try await book.plugin.dates(from: start, days: 366)
        #expect(shown(year).suffix(2) == ["2027-01-05 Ada contract ends 0", "2027-02-28 Bob anniversary -"])
        let before = try #require(CivilDate("2025-12-20"))
        #expect(try await book.plugin.dates(from: before, days: 60).isEmpty)
        #expect(try await book.plugin.indexProblems() == [])
        // The index follows an edit.
        let ada = try #require(try await book.plugin.search("ada").rows.first)
        _ = try await book.plugin.update(ada.id, operation: book.operation()) { $0.dates = [] }
        #expect(try await book.plugin.dates(from: start, days: 30).map(\.occasion) == [.anniversary, .birthday])
        #expect(try await book.plugin.indexProblems() == [])
    }

    @Test func `each date is published once per year`() async throws {
        let book = try await DateTests.book()
        for _ in 0..<2 { try await book.plugin.remindOfDates(on: try #require(CivilDate("2026-11-20"))) }
        let bodies = try await book.database.store(for: "core").read {
            try $0.recentEvents(matching: [TopicPattern("app.contacts/*")].compactMap(\.self), since: nil, limit: 10)
        }.map(\.event.body).sorted()
        #expect(bodies.count == 3)
        #expect(bodies.contains { $0.contains("\"title\":\"Anniversary: Ada\"") && $0.contains("16 years in 2 days") })
        #expect(bodies.contains { $0.contains("\"title\":\"First met: Ada\"") && $0.contains("6 years tomorrow") })
    }

    @Test func `the calendar has an event for each`() async throws {
        let book = try await DateTests.book()
        func text(_ writer: DateCalendar) async throws -> String {
            var bytes: [UInt8] = []
            for try await chunk in book.plugin.exportCards(by: writer) { bytes += chunk }
            return String(decoding: bytes, as: UTF8.self)
        }
        let all = try await text(DateCalendar())
        for summary in [
            "Birthday of Ada", "Anniversary of Ada", "First met: Ada", "Contract ends: Ada", "Other: Ada",
            "Anniversary of Bob",
        ] {
            #expect(all.contains("SUMMARY:\(summary)\r\n"), "\(summary)")
        }
        #expect(all.contains("RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=-1\r\n"))
        #expect(try await text(DateCalendar()) == all)
        let lines = all.split(separator: "\r\n")
        #expect(Set(lines.filter { $0.hasPrefix("UID:") }).count == lines.count { $0 == "BEGIN:VEVENT" })
        #expect(try await text(DateCalendar(isOnlyBirthdays: true)).split(separator: "BEGIN:VEVENT").count == 2)
    }
}
