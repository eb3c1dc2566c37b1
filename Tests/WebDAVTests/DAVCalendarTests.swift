import DAVTestSupport
import DNS
import HTTPClient
import NetworkTestSupport
import Sync
import Testing

@testable import WebDAV

/// The parts that are specific to calendars in requests and responses.
@Suite(.timeLimit(.minutes(20)))
struct DAVCalendarTests {
    private static let calendar = "<D:resourcetype><D:collection/><A:calendar/></D:resourcetype>"

    private static func answer(_ request: ScriptedRequest) -> FaultServer.Answer {
        switch request.target {
        case "/.well-known/caldav": .status(301, headers: ["Location: /dav/"])
        case "/dav/":
            .multistatus(
                FaultServer.item(
                    "/dav/", "<D:current-user-principal><D:href>/p/ann/</D:href></D:current-user-principal>"))
        case "/p/ann/":
            .multistatus(
                FaultServer.item(
                    "/p/ann/", "<A:calendar-home-set><D:href>/h/</D:href></A:calendar-home-set>"))
        case "/h/":
            .multistatus(
                FaultServer.item(
                    "/h/events/",
                    """
                    \(calendar)<D:displayname>Events</D:displayname><A:supported-calendar-component-set>\
                    <A:comp name="VEVENT"/></A:supported-calendar-component-set>
                    """)
                    + FaultServer.item("/h/people/", "<D:resourcetype><D:collection/><C:addressbook/></D:resourcetype>")
                    + FaultServer.item(
                        "/h/tasks/",
                        """
                        \(calendar)<D:displayname>Tasks</D:displayname><A:max-resource-size>9000</A:max-resource-size>\
                        <A:supported-calendar-component-set><A:comp name="VTODO"/><A:comp name="VEVENT"/>\
                        </A:supported-calendar-component-set>
                        """))
        default: .status(404)
        }
    }

    @Test func `from the host to the calendars and what each takes`() async throws {
        let server = try FaultServer(DAVCalendarTests.answer)
        let found = try await DAVFixture.account(server.origin, kind: .todos).collections()
        #expect(
            found == [
                DiscoveredCollection(href: "\(server.origin)/h/events/", name: "Events", supported: ["VEVENT"]),
                DiscoveredCollection(
                    href: "\(server.origin)/h/tasks/", name: "Tasks", supported: ["VTODO", "VEVENT"],
                    maximumItemSize: 9000),
            ])
    }

    @Test func `the name server is asked for calendars`() async throws {
        let names = try NameServer { NameServer.answer($0, records: [(33, NameServer.service("dav.example.com"))]) }
        let resolver = DNSResolver(server: DNSResolver.Server(address: "127.0.0.1", port: names.port))
        let address = try #require(AccountAddress("ann@example.org"))
        let account = DAVAccount(address, kind: .todos, session: DAVFixture.session(address.scope), resolver: resolver)
        await #expect(
            throws: RemoteError.refused(
                reason: "the calendars of example.org are at dav.example.com; to send your password there, "
                    + "use this address: https://dav.example.com/.well-known/caldav")
        ) { try await account.collections() }
    }

    @Test func `a calendar is made for tasks alone, under a free name`() async throws {
        let server = try FaultServer { request in
            switch (request.method, request.target) {
            case ("MKCALENDAR", "/h/mintee/"): .error(409, "<D:resource-must-be-null/>")
            case ("MKCALENDAR", "/h/mintee-2/"): .status(201)
            case ("MKCALENDAR", _): .status(507)
            case ("PROPFIND", "/h/mintee-2/"):
                .multistatus(
                    FaultServer.item(
                        request.target, DAVCalendarTests.calendar + "<D:displayname>Mintee</D:displayname>"))
            default: DAVCalendarTests.answer(request)
            }
        }
        let made = try await DAVFixture.account(server.origin, kind: .todos).create("Mintee")
        #expect(made == DiscoveredCollection(href: "\(server.origin)/h/mintee-2/", name: "Mintee"))
        let body = try #require(server.requests.first { $0.method == "MKCALENDAR" }).text
        #expect(body.contains("<C:comp name=\"VTODO\"") && body.contains("<D:displayname>Mintee</D:displayname>"))
        #expect(body.contains("xmlns:C=\"urn:ietf:params:xml:ns:caldav\"") && body.contains("<C:mkcalendar"))
        let full = await #expect(throws: RemoteError.self) {
            try await DAVFixture.account(server.origin, kind: .todos).create("Full")
        }
        guard case .refused? = full else {
            Issue.record("\(String(describing: full))")
            return
        }
    }

    private static func data(_ href: String, _ text: String) -> String {
        FaultServer.item(href, "<D:getetag>\"1\"</D:getetag><A:calendar-data>\(text)</A:calendar-data>")
    }

    private func calendar(_ server: FaultServer, patience: DAVTimeouts? = nil) -> DAVCollection {
        DAVFixture.book(server, patience: patience, path: "/h/tasks/", kind: .todos)
    }

    @Test func `to-dos are asked for by reports of calendars`() async throws {
        let server = try FaultServer { request in
            .multistatus(DAVCalendarTests.data("/h/tasks/a.ics", "BEGIN:VCALENDAR\nEND:VCALENDAR\n"))
        }
        let item = RemoteItem(
            href: "/h/tasks/a.ics", etag: "\"1\"", bytes: Array("BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n".utf8))
        #expect(try await calendar(server).fetch(["/h/tasks/a.ics", "/h/tasks/b.ics"]).first == item)
        #expect(try await calendar(server).everything() == [item])
        #expect(server.requests.first?.text.contains("calendar-multiget") == true)
        let query = try #require(server.requests.last).text
        #expect(query.contains("<C:comp-filter name=\"VCALENDAR\"><C:comp-filter name=\"VTODO\""))
    }

    @Test func `a new to-do is an ics file of its type`() async throws {
        let server = try FaultServer { _ in .status(201) }
        let book = calendar(server)
        let place = "/h/tasks/task-2gd-day-2026-11-20"
        guard case .stored(let href, nil) = try await book.create([0x41], name: "task/2gd/day/2026-11-20") else {
            Issue.record("not stored")
            return
        }
        #expect(href.hasPrefix(place) && href.hasSuffix(".ics") && href == book.href(named: "task/2gd/day/2026-11-20"))
        let sent = try #require(server.requests.first)
        #expect(sent.headers["content-type"] == "text/calendar; charset=utf-8" && sent.headers["if-none-match"] == "*")
    }

    @Test func `every refusal of a to-do is told apart`() async throws {
        func refusal(_ answer: FaultServer.Answer) async throws -> PutResult {
            let server = try FaultServer { _ in answer }
            return try await calendar(server).create([0x41], name: "a")
        }
        let uid = "<A:no-uid-conflict><D:href>/h/tasks/twin.ics</D:href></A:no-uid-conflict>"
        #expect(try await refusal(.error(409, uid)) == .uidTaken(href: "/h/tasks/twin.ics"))
        for (status, condition, expected) in [
            (
                403, "supported-calendar-component",
                ItemRefusal.version(reason: "status 403: supported-calendar-component")
            ),
            (403, "supported-calendar-data", .version(reason: "status 403: supported-calendar-data")),
            (412, "valid-calendar-data", .invalid(reason: "status 412: valid-calendar-data")),
            (403, "valid-calendar-object-resource", .invalid(reason: "status 403: valid-calendar-object-resource")),
            (403, "max-resource-size", .tooLarge(reason: "status 403: max-resource-size")),
        ] {
            #expect(try await refusal(.error(status, "<A:\(condition)/>")) == .refused(expected))
        }
        #expect(try await refusal(.status(412)) == .nameTaken(href: "/h/tasks/a.ics"))
        #expect(try await refusal(.status(507)) == .refused(.noSpace(reason: "status 507")))
    }

    @Test func `a listing that is cut off changes nothing`() async throws {
        let whole = FaultServer.multistatus(
            (0..<50).map { FaultServer.card("/h/tasks/\($0).ics", "\"1\"") }.joined())
        let head = "HTTP/1.1 207 Multi-Status\r\nContent-Type: application/xml\r\n"
        let short = head + "Content-Length: \(whole.utf8.count)\r\n\r\n" + whole.prefix(whole.count / 2)
        // A proxy that closes early and says so leaves a document without its end.
        let broken = head + "Connection: close\r\n\r\n" + whole.prefix(whole.count / 2)
        let hasty = DAVTimeouts(deadlines: HTTPDeadlines.patient.with(idle: .milliseconds(100)), retry: .never)
        for answer in [FaultServer.Answer.raw(short), .silence(after: short), .raw(broken)] {
            let server = try FaultServer { _ in answer }
            await #expect(throws: RemoteError.self) {
                try await calendar(server, patience: hasty).changes(since: "t")
            }
        }
    }

    @Test func `what a plain list names is a to-do by its type or its name`() async throws {
        let server = try FaultServer { request in
            guard request.method == "PROPFIND" else { return .status(501) }
            return .multistatus(
                FaultServer.item("/h/tasks/", "<D:resourcetype><D:collection/></D:resourcetype>")
                    + FaultServer.item(
                        "/h/tasks/a",
                        "<D:getetag>\"1\"</D:getetag><D:getcontenttype>text/calendar; component=vtodo</D:getcontenttype>"
                    )
                    + FaultServer.item(
                        "/h/tasks/c.vcf", "<D:getetag>1</D:getetag><D:getcontenttype>text/vcard</D:getcontenttype>")
                    + FaultServer.card("/h/tasks/b.ics", "\"2\""))
        }
        let changes = try await calendar(server).changes(since: nil)
        #expect(changes.isComplete && changes.entries.map(\.href) == ["/h/tasks/a", "/h/tasks/b.ics"])
    }
}
