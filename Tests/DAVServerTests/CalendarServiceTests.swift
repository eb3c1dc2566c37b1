import HTTPTypes
import ICalendar
import Sync
import Synchronization
import Testing
import Time
import XML

@testable import DAVServer

/// Calendars, as their clients ask for them.
struct CalendarServiceTests {
    private let list = MemoryCollection([
        ("a.ics", todo("a", "SUMMARY:Read", "DTSTART;VALUE=DATE:20261120", "DUE;VALUE=DATE:20261120")),
        ("b.ics", todo("b", "SUMMARY:Buy milk", "CATEGORIES:shop,home")),
    ])
    private let device = MemoryDevice(scopes: ["contacts", "tasks"])

    private static func todo(_ uid: String, _ lines: String...) -> String {
        (["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//t//EN", "BEGIN:VTODO", "UID:\(uid)"] + lines
            + ["END:VTODO", "END:VCALENDAR", ""]).joined(separator: "\r\n")
    }

    private func ask(
        _ method: String, _ path: String, _ body: String = "", _ headers: HTTPHeaders = [:],
        as other: MemoryDevice? = nil
    ) async throws -> DAVResponse {
        let collections = [
            DAVCollection(.addressBook, id: "all", title: "Contacts", items: MemoryCollection()),
            DAVCollection(.tasks, id: "days", title: "Tasks", items: list),
            DAVCollection(.events, id: "birthdays", title: "Birthdays", isReadOnly: true, items: MemoryCollection()),
        ]
        return try await DAVService(collections, for: other ?? device, zone: .fixed(secondsFromUTC: 3600)).respond(
            to: DAVRequest(method, path, headers: headers, body: Array(body.utf8)))
    }

    private static let names =
        #"xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav" xmlns:S="http://calendarserver.org/ns/" "#
        + #"xmlns:I="http://apple.com/ns/ical/""#

    private func propfind(_ path: String, _ properties: String, depth: String = "0", as other: MemoryDevice? = nil)
        async throws -> String
    {
        try await ask(
            "PROPFIND", path, "<D:propfind \(Self.names)><D:prop>\(properties)</D:prop></D:propfind>",
            ["Depth": depth, "Brief": "t"], as: other
        ).text
    }

    @Test func `a client finds the lists, with what each needs to show them`() async throws {
        #expect(DAVService.open(DAVRequest("GET", "/.well-known/caldav"))?.headers["Location"] == "/")
        let home = "<cal:calendar-home-set><d:href>/tasks/</d:href></cal:calendar-home-set>"
        for path in ["/", "/principals/me/"] {
            #expect(try await propfind(path, "<C:calendar-home-set/>").contains(home))
        }
        #expect(
            try await propfind("/principals/me/", "<C:calendar-user-address-set/><C:schedule-inbox-URL/>")
                .contains("<d:prop><cal:calendar-user-address-set/></d:prop><d:status>HTTP/1.1 200 OK</d:status>"))
        for path in ["/", "/principals/me/", "/tasks/days/", "/contacts/all/"] {
            #expect(
                try await ask("OPTIONS", path).headers["DAV"] == "1, 3, calendar-access, addressbook, extended-mkcol",
                "\(path)")
        }
        let lists = try await propfind(
            "/tasks/",
            "<D:resourcetype/><D:displayname/><C:supported-calendar-component-set/><S:getctag/>"
                + "<D:current-user-privilege-set/><C:max-resource-size/><C:supported-address-data/>", depth: "1")
        #expect(
            lists.contains(
                """
                <d:response><d:href>/tasks/days/</d:href><d:propstat><d:prop>\
                <d:resourcetype><d:collection/><cal:calendar/></d:resourcetype><d:displayname>Tasks</d:displayname>\
                <cal:supported-calendar-component-set><cal:comp name="VTODO"/></cal:supported-calendar-component-set>\
                <cs:getctag>data:,k3f9x2m7q1w8r5t0-2</cs:getctag>\
                <d:current-user-privilege-set><d:privilege><d:read/></d:privilege><d:privilege><d:write/></d:privilege>\
                <d:privilege><d:write-content/></d:privilege><d:privilege><d:bind/></d:privilege>\
                <d:privilege><d:unbind/></d:privilege></d:current-user-privilege-set>\
                <cal:max-resource-size>10485760</cal:max-resource-size></d:prop>
                """), "\(lists)")
        #expect(lists.contains("<d:current-user-privilege-set><d:privilege><d:read/></d:privilege></d:current-"))
        #expect(!lists.contains("/contacts/"))
        let items = try await propfind("/tasks/days/", "<D:getcontenttype/><D:resourcetype/>", depth: "1")
        #expect(items.ranges(of: "text/calendar; charset=utf-8; component=VTODO").count == 2)
        let contacts = MemoryDevice()
        #expect(try await !propfind("/", "<C:calendar-home-set/>", as: contacts).contains("/tasks/"))
        #expect(try await ask("OPTIONS", "/contacts/", as: contacts).headers["DAV"] == "1, 3, addressbook")
        #expect(try await ask("GET", "/tasks/days/", as: contacts).status == 403)
    }

    private func query(_ filter: String, _ data: String = "") async throws -> String {
        try await ask(
            "REPORT", "/tasks/days/",
            """
            <C:calendar-query \(Self.names)><D:prop><D:getetag/>\(data)</D:prop><C:filter>\
            <C:comp-filter name="VCALENDAR">\(filter)</C:comp-filter></C:filter></C:calendar-query>
            """, ["Depth": "1"]
        ).text
    }

    private func count(_ filter: String) async throws -> Int {
        let text = try await query("<C:comp-filter name=\"VTODO\">\(filter)</C:comp-filter>")
        return text.ranges(of: "<d:getetag>").count
    }

    @Test func `queries filter by component, property and parameter`() async throws {
        #expect(try await query("").ranges(of: "<d:getetag>").count == 2)
        #expect(try await query("<C:comp-filter name=\"VEVENT\"/>").ranges(of: "<d:getetag>").isEmpty)
        let absent = "<C:comp-filter name=\"VEVENT\"><C:is-not-defined/></C:comp-filter>"
        #expect(try await query(absent).ranges(of: "<d:getetag>").count == 2)
        #expect(try await query("<C:prop-filter name=\"PRODID\"/>").ranges(of: "<d:getetag>").count == 2)
        #expect(try await count("") == 2)
        func property(_ name: String, _ content: String) -> String {
            "<C:prop-filter name=\"\(name)\">\(content)</C:prop-filter>"
        }
        #expect(try await count(property("SUMMARY", "<C:text-match>MILK</C:text-match>")) == 1)
        #expect(
            try await count(property("SUMMARY", "<C:text-match collation=\"i;octet\">MILK</C:text-match>")) == 0)
        #expect(try await count(property("CATEGORIES", "<C:text-match>home</C:text-match>")) == 1)
        #expect(try await count(property("COMPLETED", "<C:is-not-defined/>")) == 2)
        #expect(try await count(property("DUE", "<C:param-filter name=\"VALUE\"/>")) == 1)
        #expect(
            try await count(property("DUE", "<C:time-range start=\"20261119T230000Z\" end=\"20261120T000000Z\"/>"))
                == 1)
        #expect(
            try await count(property("DUE", "<C:time-range start=\"20261120T000000Z\"/>")) == 0)
        for (filter, element) in [
            ("<C:time-range start=\"20261120\"/>", "valid-filter"), ("<C:time-range/>", "valid-filter"),
            ("<C:time-range start=\"20261121T000000Z\" end=\"20261120T000000Z\"/>", "valid-filter"),
            ("<C:foo/>", "supported-filter"),
            (property("A", "<C:text-match collation=\"i;klingon\">a</C:text-match>"), "supported-collation"),
        ] {
            let text = try await query("<C:comp-filter name=\"VTODO\">\(filter)</C:comp-filter>")
            #expect(text.contains("<cal:\(element)/>"), "\(filter): \(text)")
        }
        let whole = "<C:calendar-query \(Self.names)><D:prop><D:getetag/></D:prop></C:calendar-query>"
        #expect(try await ask("REPORT", "/tasks/days/", whole).text.ranges(of: "<d:getetag>").count == 2)
        #expect(try await ask("REPORT", "/tasks/days/", "<C:free-busy-query \(Self.names)/>").status == 403)
        #expect(try await ask("REPORT", "/contacts/all/", "<C:free-busy-query \(Self.names)/>").status == 403)
        #expect(try await ask("REPORT", "/contacts/all/", "<C:calendar-query \(Self.names)/>").status == 403)
    }

    /// The rows of the table in RFC 4791 §9.9, each inside of the range, at its edges and outside.
    @Test(arguments: [
        ("DTSTART:20261120T100000Z;DURATION:PT1H", "110000-", true),
        ("DTSTART:20261120T100000Z;DURATION:PT1H", "110001-", false),
        ("DTSTART:20261120T100000Z;DURATION:PT1H", "-100000", false),
        ("DTSTART:20261120T100000Z;DURATION:PT1H", "-100001", true),
        ("DTSTART:20261120T100000Z;DUE:20261120T120000Z", "115959-", true),
        ("DTSTART:20261120T100000Z;DUE:20261120T120000Z", "120000-", false),
        ("DTSTART:20261120T100000Z;DUE:20261120T120000Z", "-100000", false),
        ("DTSTART:20261120T100000Z", "100000-", true), ("DTSTART:20261120T100000Z", "100001-", false),
        ("DTSTART:20261120T100000Z", "-100000", false),
        ("DUE:20261120T100000Z", "095959-", true), ("DUE:20261120T100000Z", "100000-", false),
        ("DUE:20261120T100000Z", "-100000", true), ("DUE:20261120T100000Z", "-095959", false),
        ("COMPLETED:20261120T100000Z;CREATED:20261120T080000Z", "100000-", true),
        ("COMPLETED:20261120T100000Z;CREATED:20261120T080000Z", "100001-", false),
        ("COMPLETED:20261120T100000Z;CREATED:20261120T080000Z", "-080000", true),
        ("COMPLETED:20261120T100000Z;CREATED:20261120T080000Z", "-075959", false),
        ("COMPLETED:20261120T100000Z", "-100000", true), ("COMPLETED:20261120T100000Z", "100001-", false),
        ("CREATED:20261120T100000Z", "-100000", false), ("CREATED:20261120T100000Z", "-100001", true),
        ("CREATED:20261120T100000Z", "235959-", true), ("SUMMARY:x", "100000-", true),
        ("DTSTART;VALUE=DATE:20261119;RRULE:FREQ=DAILY.COUNT=2", "000000-", false),
        ("DTSTART;VALUE=DATE:20261119;RRULE:FREQ=DAILY.COUNT=3", "000000-", true),
        ("DTSTART;VALUE=DATE:20261119;RRULE:FREQ=DAILY.COUNT=3;EXDATE;VALUE=DATE:20261121", "000000-", false),
    ])
    func `a to-do is in a range as the table says`(lines: String, range: String, isIn: Bool) async throws {
        // A colon splits name and value, a semicolon two properties unless parameters follow a name.
        let text = lines.replacing(";VALUE=DATE", with: "|VALUE=DATE").split(separator: ";")
            .map { $0.replacing("|", with: ";").replacing(".COUNT", with: ";COUNT") }
        let todo = (["BEGIN:VCALENDAR", "BEGIN:VTODO", "UID:a"] + text + ["END:VTODO", "END:VCALENDAR", ""])
            .joined(separator: "\r\n")
        let ends = range.split(separator: "-", omittingEmptySubsequences: false)
        var attributes: [XMLName: String] = [:]
        if !ends[0].isEmpty { attributes[XMLName("", "start")] = "20261120T\(ends[0])Z" }
        if !ends[1].isEmpty { attributes[XMLName("", "end")] = "20261120T\(ends[1])Z" }
        let component = try #require(ICalReader.read(Array(todo.utf8)).first?.components.first)
        var element = XMLElement(DAVName.calendar("time-range"))
        element.attributes = attributes
        // One hour ahead: the 21st begins at 23:00 of the 20th.
        #expect(
            try CalendarRange(element).contains(component, in: nil, CalendarZones(.fixed(secondsFromUTC: 3600)))
                == isIn,
            "\(lines) in \(range)")
    }

    @Test func `alarms are found by their moment`() async throws {
        _ = try await ask(
            "PUT", "/tasks/days/c.ics",
            Self.todo(
                "c", "DUE:20261120T100000Z", "BEGIN:VALARM", "TRIGGER;RELATED=END:-PT15M", "END:VALARM"))
        func alarms(_ range: String) async throws -> Int {
            try await count("<C:comp-filter name=\"VALARM\"><C:time-range \(range)/></C:comp-filter>")
        }
        #expect(try await alarms("start=\"20261120T094500Z\" end=\"20261120T094501Z\"") == 1)
        #expect(try await alarms("start=\"20261120T094501Z\"") == 0)
        #expect(CalendarDuration.milliseconds("-P2DT3H4M5S") == -183_845_000)
        for text in ["", "P", "PT", "1D", "P1", "PT1D", "P1H", "P99999999999D"] {
            #expect(CalendarDuration.milliseconds(text) == nil, "\(text)")
        }
    }

    @Test func `a multiget gives whole calendars or the parts asked for`() async throws {
        func get(_ data: String) async throws -> String {
            try await ask(
                "REPORT", "/tasks/days/",
                """
                <C:calendar-multiget \(Self.names)><D:prop><D:getetag/>\(data)</D:prop>\
                <D:href>/tasks/days/a.ics</D:href><D:href>/tasks/days/none.ics</D:href></C:calendar-multiget>
                """
            ).text
        }
        let whole = try await get("<C:calendar-data/>")
        #expect(whole.contains("<cal:calendar-data>BEGIN:VCALENDAR&#13;\nVERSION:2.0&#13;\nPRODID"))
        #expect(whole.contains("<d:href>/tasks/days/none.ics</d:href><d:status>HTTP/1.1 404 Not Found</d:status>"))
        #expect(device.served.withLock { Set($0.keys) } == ["a.ics"])
        let part = try await get(
            "<C:calendar-data><C:comp name=\"VCALENDAR\"><C:prop name=\"VERSION\"/><C:comp name=\"VTODO\">"
                + "<C:prop name=\"UID\"/><C:prop name=\"DUE\" novalue=\"yes\"/></C:comp></C:comp></C:calendar-data>")
        #expect(
            part.contains(
                "<cal:calendar-data>BEGIN:VCALENDAR&#13;\nVERSION:2.0&#13;\nBEGIN:VTODO&#13;\nUID:a&#13;\n"
                    + "DUE;VALUE=DATE:&#13;\nEND:VTODO&#13;\nEND:VCALENDAR&#13;\n</cal:calendar-data>"), "\(part)")
        #expect(try await get("<C:calendar-data version=\"1.0\"/>").contains("<cal:supported-calendar-data/>"))
        let all = try await ask("GET", "/tasks/days/").text
        #expect(all.ranges(of: "BEGIN:VCALENDAR").count == 1 && all.ranges(of: "BEGIN:VTODO").count == 2)
    }

    @Test func `what may not be stored is refused with the element that says why`() async throws {
        func refusal(_ result: ServedPutResult) async throws -> String {
            list.state.withLock { $0.results = [result] }
            let response = try await ask("PUT", "/tasks/days/x.ics", "x", ["Content-Type": "text/calendar"])
            return "\(response.status) \(try await response.text)"
        }
        #expect(
            try await refusal(.sameUID("a.ics")).hasSuffix(
                """
                <d:error xmlns:d="DAV:" xmlns:cal="urn:ietf:params:xml:ns:caldav"><cal:no-uid-conflict>\
                <d:href>/tasks/days/a.ics</d:href></cal:no-uid-conflict></d:error>
                """))
        #expect(try await refusal(.wrongComponent).contains("<cal:supported-calendar-component/>"))
        #expect(try await refusal(.invalid("")).contains("<cal:valid-calendar-data/>"))
        #expect(try await refusal(.wrongType).hasPrefix("415"))
        let card = try await ask("PUT", "/tasks/days/x.ics", "x", ["Content-Type": "text/vcard"])
        #expect(card.status == 415)
        #expect(try await card.text.contains("<cal:supported-calendar-data/>"))
        for method in ["PUT", "DELETE"] {
            #expect(try await ask(method, "/tasks/birthdays/x.ics", "x").status == 403)
        }
        #expect(
            try await ask("OPTIONS", "/tasks/birthdays/").headers["Allow"]
                == "OPTIONS, GET, HEAD, PROPFIND, REPORT, PROPPATCH")
        for method in ["MKCALENDAR", "MKCOL"] {
            let new = try await ask(method, "/tasks/new/")
            #expect(new.status == 403)
            #expect(try await new.text.contains("<cal:calendar-collection-location-ok/>"))
            #expect(try await ask(method, "/tasks/days/").status == 405)
        }
    }

    @Test func `a device gives a list the name and color that it likes`() async throws {
        func patch(_ text: String) async throws -> String {
            try await ask(
                "PROPPATCH", "/tasks/days/", "<D:propertyupdate \(Self.names)>\(text)</D:propertyupdate>"
            ).text
        }
        let color = "<I:calendar-color symbolic-color=\"custom\">#FF2968FF</I:calendar-color>"
        #expect(
            try await patch("<D:set><D:prop>\(color)<D:displayname>Mine &amp; yours</D:displayname></D:prop></D:set>")
                .contains("200 OK"))
        let asked = "<D:displayname/><I:calendar-color/><I:calendar-order/>"
        #expect(
            try await propfind("/tasks/days/", asked).contains(
                "<d:prop><d:displayname>Mine &amp; yours</d:displayname>"
                    + "<x:calendar-color xmlns:x=\"http://apple.com/ns/ical/\">#FF2968FF</x:calendar-color></d:prop>"))
        #expect(try await patch("<D:remove><D:prop><D:displayname/></D:prop></D:remove>").contains("200 OK"))
        #expect(try await propfind("/tasks/days/", asked).contains("<d:displayname>Tasks</d:displayname>"))
        #expect(
            try await patch(
                "<D:set><D:prop><D:getetag>x</D:getetag><I:calendar-order>1</I:calendar-order></D:prop></D:set>"
            )
            .contains("424 Failed Dependency"))
        #expect(try await !propfind("/tasks/days/", asked).contains("calendar-order"))
    }
}
