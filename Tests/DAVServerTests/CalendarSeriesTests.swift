import HTTPTypes
import Sync
import Synchronization
import Testing
import Time

@testable import DAVServer

/// What recurs, as its clients ask for it.
struct CalendarSeriesTests {
    /// Berlin, as calendars describe it.
    private static let zone = [
        "BEGIN:VTIMEZONE", "TZID:Mine", "BEGIN:DAYLIGHT", "DTSTART:19810329T020000", "TZOFFSETFROM:+0100",
        "TZOFFSETTO:+0200", "RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU", "END:DAYLIGHT", "BEGIN:STANDARD",
        "DTSTART:19961027T030000", "TZOFFSETFROM:+0200", "TZOFFSETTO:+0100", "RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU",
        "END:STANDARD", "END:VTIMEZONE",
    ]

    private static func calendar(_ lines: [String]) -> String {
        (["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//t//EN"] + lines + ["END:VCALENDAR", ""]).joined(
            separator: "\r\n")
    }

    private static func event(_ uid: String, _ lines: String...) -> [String] {
        ["BEGIN:VEVENT", "UID:\(uid)"] + lines + ["END:VEVENT"]
    }

    /// A weekly event over a change of the clock, of which one was moved and one is gone; a tentative one, a cancelled one and one that
    /// takes no time.
    private let list = MemoryCollection([
        (
            "a.ics",
            calendar(
                zone
                    + event(
                        "a", "DTSTART;TZID=Mine:20261018T090000", "DTEND;TZID=Mine:20261018T100000",
                        "RRULE:FREQ=WEEKLY;COUNT=5", "EXDATE;TZID=Mine:20261108T090000", "SUMMARY:Run")
                    + event(
                        "a", "RECURRENCE-ID;TZID=Mine:20261101T090000", "DTSTART;TZID=Mine:20261101T120000",
                        "DTEND;TZID=Mine:20261101T123000", "SUMMARY:Walk"))
        ),
        (
            "b.ics",
            calendar(
                event("b", "DTSTART:20261025T083000Z", "DURATION:PT1H", "STATUS:TENTATIVE")
            )
        ),
        ("c.ics", calendar(event("c", "DTSTART:20261025T100000Z", "DURATION:PT1H", "STATUS:CANCELLED"))),
        ("d.ics", calendar(event("d", "DTSTART;VALUE=DATE:20261025", "TRANSP:TRANSPARENT"))),
        ("e.ics", calendar(event("e", "DTSTART:20261025T085900Z", "DTEND:20261025T093000Z"))),
    ])
    private let device = MemoryDevice(scopes: ["tasks"])

    private func report(_ body: String) async throws -> DAVResponse {
        let collection = DAVCollection(.calendar(["VEVENT"]), id: "mine", title: "Mine", items: list)
        let names = #"xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav""#
        return try await DAVService([collection], for: device, zone: .utc).respond(
            to: DAVRequest("REPORT", "/tasks/mine/", body: Array(body.replacing("NAMES", with: names).utf8)))
    }

    private func series(_ data: String) async throws -> String {
        try await report(
            """
            <C:calendar-multiget NAMES><D:prop><C:calendar-data>\(data)</C:calendar-data></D:prop>\
            <D:href>/tasks/mine/a.ics</D:href></C:calendar-multiget>
            """
        ).text.replacing("&#13;", with: "")
    }

    @Test func `a series becomes its occurrences, each at its time on the wall`() async throws {
        let text = try await series("<C:expand start=\"20261018T000000Z\" end=\"20261201T000000Z\"/>")
        let starts = text.split(separator: "\n").filter { $0.hasPrefix("DTSTART") }
        // The clock changes on the 25th; the 1st was moved, and of the 8th there is none.
        #expect(
            starts == [
                "DTSTART:20261018T070000Z", "DTSTART:20261025T080000Z", "DTSTART:20261115T080000Z",
                "DTSTART:20261101T110000Z",
            ], "\(text)")
        #expect(text.contains("RECURRENCE-ID:20261101T080000Z"))
        #expect(!text.contains("RRULE") && !text.contains("VTIMEZONE") && !text.contains("EXDATE"))
        let one = try await series("<C:expand start=\"20261025T080000Z\" end=\"20261025T080001Z\"/>")
        #expect(one.ranges(of: "BEGIN:VEVENT").count == 1 && one.contains("DTEND:20261025T090000Z"))
        #expect(device.served.withLock { $0.isEmpty }, "occurrences are no content to build on")
    }

    @Test func `a series is given without the changed occurrences outside of a range`() async throws {
        let before = try await series("<C:limit-recurrence-set start=\"20261018T000000Z\" end=\"20261019T000000Z\"/>")
        #expect(before.contains("RRULE") && before.contains("VTIMEZONE") && !before.contains("SUMMARY:Walk"))
        // In the range by its new time alone, and by its old one alone.
        for range in [
            "start=\"20261101T110000Z\" end=\"20261101T111500Z\"",
            "start=\"20261101T080000Z\" end=\"20261101T080001Z\"",
        ] {
            let text = try await series("<C:limit-recurrence-set \(range)/>")
            #expect(text.contains("SUMMARY:Walk"), "\(range)")
        }
    }

    @Test func `a query by time follows the zone that a calendar describes`() async throws {
        func found(_ range: String) async throws -> Int {
            try await report(
                """
                <C:calendar-query NAMES><D:prop><D:getetag/></D:prop><C:filter><C:comp-filter name="VCALENDAR">\
                <C:comp-filter name="VEVENT"><C:time-range \(range)/></C:comp-filter></C:comp-filter></C:filter>\
                </C:calendar-query>
                """
            ).text.ranges(of: "getetag>\"").count
        }
        #expect(try await found("start=\"20261018T070000Z\" end=\"20261018T070001Z\"") == 1)
        #expect(try await found("start=\"20261018T060000Z\" end=\"20261018T070000Z\"") == 0)
        #expect(try await found("start=\"20261115T080000Z\" end=\"20261115T080001Z\"") == 1)
        #expect(try await found("start=\"20261115T070000Z\" end=\"20261115T080000Z\"") == 0)
    }

    @Test func `a range for the whole calendar is one for what is in it`() async throws {
        for (day, count) in [("20261025", 5), ("20261026", 0)] {
            let text = try await report(
                """
                <C:calendar-query NAMES><D:prop><D:getetag/></D:prop><C:filter><C:comp-filter name="VCALENDAR">\
                <C:time-range start="\(day)T070000Z" end="\(day)T235900Z"/></C:comp-filter></C:filter></C:calendar-query>
                """
            ).text
            #expect(text.ranges(of: "getetag>\"").count == count, "\(day): \(text)")
        }
    }

    @Test func `free-busy tells the times that events take, joined and cut to the range`() async throws {
        let answer = try await report(
            """
            <C:free-busy-query NAMES><C:time-range start="20261025T083000Z" end="20261101T111500Z"/></C:free-busy-query>
            """)
        #expect(answer.status == 200 && answer.headers["Content-Type"] == "text/calendar; charset=utf-8")
        let lines = try await answer.text.replacing("\r\n ", with: "").split(whereSeparator: \.isNewline)
        #expect(
            lines.filter { $0.hasPrefix("FREEBUSY") } == [
                "FREEBUSY;FBTYPE=BUSY:20261025T083000Z/20261025T093000Z,20261101T110000Z/20261101T111500Z",
                "FREEBUSY;FBTYPE=BUSY-TENTATIVE:20261025T083000Z/20261025T093000Z",
            ], "\(lines)")
        for range in ["", "<C:time-range start=\"20261025T083000Z\"/>"] {
            let refused = try await report("<C:free-busy-query NAMES>\(range)</C:free-busy-query>")
            #expect(refused.status == 403)
            #expect(try await refused.text.contains("<cal:valid-filter/>"))
        }
    }

    @Test func `zones that cannot be read count as the server's`() async throws {
        let wrong = Self.calendar(
            [
                "BEGIN:VTIMEZONE", "TZID:Odd", "BEGIN:STANDARD", "DTSTART:19700101T000000", "TZOFFSETFROM:1",
                "END:STANDARD",
            ]
                + ["END:VTIMEZONE"] + Self.event("w", "DTSTART;TZID=Odd:20261018T090000", "DURATION:PT1H"))
        var times = try FreeBusy(
            try DAVBody.read(
                Array(
                    """
                    <C:free-busy-query xmlns:C="urn:ietf:params:xml:ns:caldav">\
                    <C:time-range start="20261018T000000Z" end="20261019T000000Z"/></C:free-busy-query>
                    """.utf8)), zone: .fixed(secondsFromUTC: -3600))
        times.add(Array(wrong.utf8))
        #expect(String(decoding: times.calendar(now: 0), as: UTF8.self).contains("20261018T100000Z/20261018T110000Z"))
    }
}
