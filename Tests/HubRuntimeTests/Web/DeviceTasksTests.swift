import Contacts
import DAVServer
import HubKit
import HubKitTesting
import HubRuntimeTesting
import Mintee
import TestSupport
import Testing
import Time
import WebServer

@testable import HubRuntime

/// Tasks on devices, through all parts but the listener: what programs are known to send, in their order.
struct DeviceTasksTests {
    private let test: TestHub
    private let hub: Hub
    private let store: DeviceStore
    private let collections: [DAVCollection]
    private let bursts = DeviceBursts()

    init() async throws {
        test = try TestHub(MinteePlugin.self, ContactsPlugin.self)
        hub = test.hub()
        store = DeviceStore(try hub.database())
        _ = try await store.add("phone", scopes: [.contacts, .tasks], isReadOnly: false)
        collections = try DeviceListener.collections(hub)
    }

    /// An answer, read to its end.
    private struct Answer {
        let status: Int
        let headers: HTTPHeaders
        let text: String
    }

    private func ask(
        _ method: String, _ path: String, _ body: String = "", _ headers: HTTPHeaders = [:],
        as program: String = "App/1"
    ) async throws -> Answer {
        var request = DAVRequest(method, path, headers: headers, body: Array(body.utf8))
        request.headers["User-Agent"] = program
        let device = try #require(try await store.device("phone"))
        let operation = bursts.operation(of: "phone", at: test.clock.now)
        let session = DeviceSession(
            device, program: request.program, operation: operation, store: store, bursts: bursts)
        let response = try await DAVService(collections, for: session, zone: .utc).respond(to: request)
        var content: [UInt8] = []
        switch response.body {
        case .bytes(let bytes): content = bytes
        case .stream(let produce): try await produce { content += $0 }
        }
        return Answer(
            status: response.status, headers: response.headers, text: String(decoding: content, as: UTF8.self))
    }

    private static let names =
        #"xmlns:d="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav" xmlns:s="http://calendarserver.org/ns/" "#
        + #"xmlns:i="http://apple.com/ns/ical/""#

    private func propfind(
        _ path: String, _ properties: String, depth: String, as program: String
    ) async throws -> String {
        try await ask(
            "PROPFIND", path, "<d:propfind \(Self.names)><d:prop>\(properties)</d:prop></d:propfind>",
            ["Depth": depth], as: program
        ).text
    }

    private func report(_ body: String, as program: String) async throws -> String {
        try await ask("REPORT", "/tasks/days/", body, ["Depth": "1"], as: program).text
    }

    /// The addresses in a multistatus whose answers have a part.
    private func hrefs(_ text: String, with part: String) -> [String] {
        text.split(separator: "<d:response>").filter { $0.contains(part) }.compactMap { answer in
            answer.firstMatch(of: /<d:href>([^<]*)<\/d:href>/).map { String($0.1) }
        }
    }

    /// The address of the to-do of today.
    private func today(_ task: String) async throws -> String {
        let all = try await report(
            """
            <c:calendar-query \(Self.names)><d:prop><d:getetag/><c:calendar-data/></d:prop><c:filter>\
            <c:comp-filter name="VCALENDAR"><c:comp-filter name="VTODO"><c:prop-filter name="SUMMARY">\
            <c:text-match>\(task)</c:text-match></c:prop-filter></c:comp-filter></c:comp-filter></c:filter>\
            </c:calendar-query>
            """, as: "Setup/1")
        return try #require(hrefs(all, with: "DUE;VALUE=DATE:20261120").first, "\(all)")
    }

    private func line(_ name: String, of path: String) async throws -> String? {
        try await ask("GET", path, as: "Check/1").text.split(separator: "\r\n").first { $0.hasPrefix(name) }.map(
            String.init)
    }

    @Test func `Tasks org sends without conditions, and needs a name, the component and one to-do each`() async throws {
        #expect(await test.run("mintee new Water --on 'daily: x >= 6'").exit == 0)
        let program = "org.tasks/14"
        #expect(
            try await propfind("/", "<d:current-user-principal/>", depth: "0", as: program).contains("/principals/me/"))
        #expect(
            try await propfind("/principals/me/", "<c:calendar-home-set/>", depth: "0", as: program).contains("/tasks/")
        )
        let list = try await propfind(
            "/tasks/",
            "<d:resourcetype/><d:displayname/><c:supported-calendar-component-set/><d:sync-token/><s:getctag/>"
                + "<i:calendar-color/><d:current-user-privilege-set/><d:owner/>", depth: "1", as: program)
        #expect(list.contains("<d:displayname>Tasks</d:displayname>") && list.contains("<cal:comp name=\"VTODO\"/>"))
        let all = try await report(
            """
            <c:calendar-query \(Self.names)><d:prop><d:getetag/></d:prop><c:filter><c:comp-filter name="VCALENDAR">\
            <c:comp-filter name="VTODO"/></c:comp-filter></c:filter></c:calendar-query>
            """, as: program)
        let paths = hrefs(all, with: "getetag")
        #expect(paths.count == 15)
        let data = try await report(
            """
            <c:calendar-multiget \(Self.names)><d:prop><d:getetag/><c:calendar-data/></d:prop>\
            \(paths.map { "<d:href>\($0)</d:href>" }.joined())</c:calendar-multiget>
            """, as: program)
        #expect(data.ranges(of: "BEGIN:VTODO").count == 15)

        // It merges over its own copy, and drops nothing; here the value was changed meanwhile.
        let path = try await today("Water")
        let copy = try await ask("GET", path, as: program).text
        #expect(await test.run("mintee set Water 4").exit == 0)
        let noted = copy.replacing("END:VTODO", with: "DESCRIPTION:cold\r\nPRIORITY:5\r\nEND:VTODO")
        let put = try await ask("PUT", path, noted, ["Content-Type": "text/calendar; charset=utf-8"], as: program)
        #expect(put.status == 204 && put.headers["ETag"] == nil)
        #expect(try await line("X-MINTEE-COMPLETION", of: path) == "X-MINTEE-COMPLETION:4")
        #expect(try await line("DESCRIPTION", of: path) == "DESCRIPTION:cold")
        // A new to-do, and the same again after a lost answer.
        let milk =
            "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nBEGIN:VTODO\r\nUID:8\r\nSUMMARY:Buy milk\r\nEND:VTODO\r\n"
            + "END:VCALENDAR\r\n"
        for status in [201, 204] {
            #expect(try await ask("PUT", "/tasks/days/8.ics", milk, as: program).status == status)
        }
        let today = await test.run("mintee today")
        #expect(today.all.contains("To do, no date: Buy milk"), "\(today.all)")
        await hub.close()
    }

    @Test func `Thunderbird completes with its own lines beside those of hub`() async throws {
        #expect(await test.run("mintee new Tea --on 'daily: x >= 6'").exit == 0)
        #expect(await test.run("mintee set Tea 4").exit == 0)
        let program = "Mozilla/5.0 Thunderbird/153.7"
        let path = try await today("Tea")
        let first = try await ask("GET", path, as: program)
        let etag = try #require(first.headers["ETag"])
        let done =
            first.text.split(separator: "\r\n").filter { !$0.hasPrefix("STATUS") && !$0.hasPrefix("PERCENT") }
            .joined(separator: "\r\n")
            .replacing(
                "END:VTODO",
                with: "STATUS:COMPLETED\r\nCOMPLETED:20261120T120000Z\r\nPERCENT-COMPLETE:100\r\n"
                    + "X-MOZ-GENERATION:1\r\nEND:VTODO") + "\r\n"
        #expect(done.contains("X-MINTEE-COMPLETION:4"))
        #expect(try await ask("PUT", path, done, ["If-Match": etag], as: program).status == 204)
        #expect(try await line("X-MINTEE-COMPLETION", of: path) == "X-MINTEE-COMPLETION:6")
        #expect(try await line("X-MOZ", of: path) == "X-MOZ-GENERATION:1")
        // It asks for what changed by the token that it had, with any depth.
        let changes = try await report(
            """
            <d:sync-collection \(Self.names)><d:sync-token/><d:sync-level>1</d:sync-level><d:prop><d:getcontenttype/>\
            <d:getetag/></d:prop></d:sync-collection>
            """, as: program)
        #expect(hrefs(changes, with: "component=VTODO").contains(path))
        // A stale condition: refused, merged as a change of its own, and kept where it conflicts.
        #expect(await test.run("mintee set Tea 8").exit == 0)
        let undone = done.replacing("STATUS:COMPLETED", with: "STATUS:NEEDS-ACTION")
            .replacing("PERCENT-COMPLETE:100\r\n", with: "").replacing("COMPLETED:20261120T120000Z\r\n", with: "")
        #expect(try await ask("PUT", path, undone, ["If-Match": etag], as: program).status == 412)
        #expect(try await line("X-MINTEE-COMPLETION", of: path) == "X-MINTEE-COMPLETION:8")
        let refused = await test.run("devices refused")
        #expect(refused.output.contains("also changed here: value 0 "), "\(refused.all)")
        #expect(await test.run("devices refused 1").output.contains("X-MOZ-GENERATION"))
        let history = await test.run("history")
        #expect(history.output.contains("phone (Thunderbird): change tasks"), "\(history.all)")
        await hub.close()
    }

    @Test func `Reminders sorts, colors and completes, and DAVx5 deletes`() async throws {
        #expect(await test.run("mintee new Walk").exit == 0)
        let program = "iOS/18.4 (22E240) remindd/1"
        let color = try await ask(
            "PROPPATCH", "/tasks/days/",
            "<d:propertyupdate \(Self.names)><d:set><d:prop><i:calendar-order>2</i:calendar-order>"
                + "<i:calendar-color>#1BADF8FF</i:calendar-color></d:prop></d:set></d:propertyupdate>", as: program)
        #expect(color.status == 207 && color.text.contains("200 OK"))
        let home = try await propfind(
            "/tasks/", "<d:displayname/><s:getctag/><i:calendar-color/><i:calendar-order/><d:resourcetype/>",
            depth: "1",
            as: program)
        #expect(home.contains("#1BADF8FF") && home.contains("/tasks/birthdays/"))
        let path = try await today("Walk")
        let first = try await ask("GET", path, as: program)
        let sorted = first.text.replacing("END:VTODO", with: "X-APPLE-SORT-ORDER:7\r\nEND:VTODO")
        let put = try await ask("PUT", path, sorted, ["If-Match": try #require(first.headers["ETag"])], as: program)
        #expect(put.status == 204)
        let etag = try #require(put.headers["ETag"], "it is stored as sent")
        #expect(try await ask("GET", path, as: program).headers["ETag"] == etag)
        let done = sorted.replacing("STATUS:NEEDS-ACTION", with: "STATUS:COMPLETED\r\nCOMPLETED:20261120T113000Z")
        #expect(try await ask("PUT", path, done, ["If-Match": etag], as: program).status == 204)
        #expect(await test.run("mintee today").output.contains("reached"))
        #expect(try await line("X-APPLE-SORT-ORDER", of: path) == "X-APPLE-SORT-ORDER:7")
        #expect(try await ask("DELETE", path, as: "DAVx5/4.5").status == 204)
        #expect(try await ask("GET", path, as: "DAVx5/4.5").status == 404)
        #expect(await test.run("mintee today").output.contains("reached"), "the value stays")
        await hub.close()
    }

    @Test func `birthdays are events that no device changes`() async throws {
        let card = "BEGIN:VCARD\r\nVERSION:3.0\r\nUID:u1\r\nFN:Ada\r\nBDAY:1985-12-10\r\nEND:VCARD\r\n"
        #expect(try await ask("PUT", "/contacts/all/u1.vcf", card).status == 201)
        let found = try await ask(
            "REPORT", "/tasks/birthdays/",
            """
            <c:calendar-query \(Self.names)><d:prop><d:getetag/></d:prop><c:filter><c:comp-filter name="VCALENDAR">\
            <c:comp-filter name="VEVENT"><c:time-range start="20261201T000000Z" end="20270101T000000Z"/></c:comp-filter>\
            </c:comp-filter></c:filter></c:calendar-query>
            """
        ).text
        #expect(hrefs(found, with: "getetag") == ["/tasks/birthdays/u1-birthday.ics"])
        #expect(try await ask("GET", "/tasks/birthdays/").text.contains("SUMMARY:Birthday: Ada (1985)"))
        for method in ["PUT", "DELETE"] {
            #expect(try await ask(method, "/tasks/birthdays/u1-birthday.ics", card).status == 403)
        }
        await hub.close()
    }
}
