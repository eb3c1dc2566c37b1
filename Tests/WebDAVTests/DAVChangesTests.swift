import DAVTestSupport
import HTTPClient
import NetworkTestSupport
import Sync
import Testing

@testable import WebDAV

@Suite(.timeLimit(.minutes(20)))
struct DAVChangesTests {
    private static func token(_ text: String) -> String { "<D:sync-token>\(text)</D:sync-token>" }

    @Test func `pages are joined until the last, and the last word on a card counts`() async throws {
        let server = try FaultServer { request in
            if request.text.contains(">p2<") {
                return .multistatus(
                    FaultServer.card("/ann/book/b.vcf", "\"b2\"") + FaultServer.item("/ann/book/a.vcf", status: 404)
                        + DAVChangesTests.token("p3"))
            }
            let cut = FaultServer.item("/ann/book/", status: 507)
            if request.text.contains(">p1<") {
                return .multistatus(
                    FaultServer.card("/ann/book/b.vcf", "\"b1\"") + cut + DAVChangesTests.token("p2"))
            }
            return .multistatus(cut + FaultServer.card("/ann/book/a.vcf", "\"a1\"") + DAVChangesTests.token("p1"))
        }
        let changes = try await DAVFixture.book(server).changes(since: "p0")
        #expect(
            changes
                == RemoteChanges(
                    isComplete: false, entries: [RemoteEntry(href: "/ann/book/b.vcf", etag: "\"b2\"")],
                    removed: ["/ann/book/a.vcf"], token: "p3"))
        #expect(server.requests.map { $0.headers["depth"] } == ["0", "0", "0"])
        #expect(server.requests[0].text.contains("p0"))
    }

    @Test(arguments: ["p0", nil])
    func `when the time for listings is over the page that has come is the last, with the token after it`(
        since: String?
    ) async throws {
        let server = try FaultServer { request in
            .multistatus(
                FaultServer.item("/ann/book/", status: 507)
                    + FaultServer.card("/ann/book/\(request.body.count).vcf", "\"1\"")
                    + FaultServer.item("/ann/book/gone.vcf", status: 404) + DAVChangesTests.token("p1"))
        }
        let patience = DAVTimeouts(deadlines: .patient, retry: .never, listing: .zero)
        let changes = try await DAVFixture.book(server, patience: patience).changes(since: since)
        #expect(changes.isCut && changes.token == "p1" && changes.entries.count == 1 && server.requests.count == 1)
        #expect(changes.isComplete == (since == nil))
        #expect(changes.removed == (since == nil ? [] : ["/ann/book/gone.vcf"]))
    }

    /// A page that brings nothing, or the token of one that was there already, is the last that is asked for.
    @Test(arguments: [("", 1), (FaultServer.card("/ann/book/a.vcf", "\"a1\""), 2)])
    func `pages without end are an error`(items: String, requestCount: Int) async throws {
        let server = try FaultServer { _ in
            .multistatus(FaultServer.item("/ann/book/", status: 507) + items + DAVChangesTests.token("same"))
        }
        await #expect(throws: RemoteError.malformed(reason: "the server's list of changes is endless")) {
            try await DAVFixture.book(server).changes(since: "t")
        }
        #expect(server.requests.count == requestCount)
    }

    @Test(arguments: [400, 403, 409, 410, 412], [true, false])
    func `a stale token is known in every shape`(status: Int, isNamed: Bool) async throws {
        let server = try FaultServer { _ in
            isNamed
                ? .error(status, "<D:valid-sync-token/>")
                : .status(status, headers: ["Content-Type: text/plain"], body: "no")
        }
        await #expect(throws: RemoteError.tokenExpired) { try await DAVFixture.book(server).changes(since: "old") }
    }

    @Test(arguments: [400, 403, 405, 415, 501, 507])
    func `a server without sync reports is asked for its list`(status: Int) async throws {
        let server = try FaultServer { request in
            guard request.method == "PROPFIND" else { return .error(status, "<D:supported-report/>") }
            return .multistatus(
                FaultServer.item("/ann/book/", "<D:resourcetype><D:collection/></D:resourcetype>")
                    + FaultServer.item("/ann/book/sub/", "<D:resourcetype><D:collection/></D:resourcetype>")
                    + FaultServer.item(
                        "/ann/book/c.ics", "<D:getetag>1</D:getetag><D:getcontenttype>text/calendar</D:getcontenttype>")
                    + FaultServer.item(
                        "/ann/book/a", "<D:getetag>\"1\"</D:getetag><D:getcontenttype>text/x-vcard</D:getcontenttype>")
                    + FaultServer.card("/ann/book/b.vcf", "\"2\""))
        }
        let changes = try await DAVFixture.book(server).changes(since: nil)
        #expect(changes.isComplete && changes.token == nil)
        #expect(changes.entries.map(\.href) == ["/ann/book/a", "/ann/book/b.vcf"])
        #expect(server.requests.last?.headers["depth"] == "1")
    }

    @Test func `hrefs of every kind name the same card, once`() async throws {
        let server = try FaultServer { request in
            let origin = "http://\(request.headers["host"] ?? "")"
            return .multistatus(
                FaultServer.card("/ann/book", "\"0\"") + FaultServer.card("/ann/book/", "\"0\"")
                    + FaultServer.card("\(origin)/ann/book/a%40b.vcf", "\"1\"")
                    + FaultServer.card("/ann/book/a@b.vcf", "\"2\"")
                    + FaultServer.card("/%61nn/book/c%20d.vcf", "\"3\"")
                    + FaultServer.card("e.vcf", "\"4\"") + DAVChangesTests.token("t"))
        }
        let changes = try await DAVFixture.book(server).changes(since: nil)
        #expect(
            changes.entries == [
                RemoteEntry(href: "/ann/book/a@b.vcf", etag: "\"2\""),
                RemoteEntry(href: "/ann/book/c%20d.vcf", etag: "\"3\""),
                RemoteEntry(href: "/ann/book/e.vcf", etag: "\"4\""),
            ])
    }

    @Test func `a card on another server is no card of this book`() async throws {
        let server = try FaultServer { _ in .multistatus(FaultServer.card("https://evil.example/a.vcf", "\"1\"")) }
        let error = await #expect(throws: RemoteError.self) { try await DAVFixture.book(server).changes(since: nil) }
        guard case .malformed? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test func `a card without an etag is named after its content`() async throws {
        let server = try FaultServer { request in
            switch request.method {
            case "GET": .status(200, body: "BEGIN:VCARD\nEND:VCARD\n")
            default:
                .multistatus(
                    FaultServer.item("/ann/book/a.vcf", "<D:getetag/>")
                        + FaultServer.card("/ann/book/b.vcf", "W/\"weak\"") + DAVChangesTests.token("t"))
            }
        }
        let entries = try await DAVFixture.book(server).changes(since: nil).entries
        #expect(entries.map(\.href).sorted() == ["/ann/book/a.vcf", "/ann/book/b.vcf"])
        #expect(entries.contains(RemoteEntry(href: "/ann/book/b.vcf", etag: "W/\"weak\"")))
        #expect(entries.first { $0.href.hasSuffix("a.vcf") }?.etag.hasPrefix("~24-") == true)
    }

    @Test(arguments: [
        "<!DOCTYPE x [<!ENTITY a \"aaaaaaaa\"><!ENTITY b \"&a;&a;&a;&a;&a;&a;&a;&a;\">]><D:multistatus xmlns:D=\"DAV:\">&b;</D:multistatus>",
        "<html><body>Welcome</body></html>", "", "<D:multistatus xmlns:D=\"DAV:\"><D:response>",
        "<a xmlns=\"DAV:\">" + String(repeating: "<b>", count: 100_000),
    ])
    func `an answer that is a bomb, a page or rubbish is an error`(body: String) async throws {
        let server = try FaultServer { _ in .status(207, headers: ["Content-Type: application/xml"], body: body) }
        let error = await #expect(throws: RemoteError.self) { try await DAVFixture.book(server).changes(since: "t") }
        guard case .malformed? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test func `a body that is cut off or stops is the network's fault`() async throws {
        let whole = FaultServer.multistatus(FaultServer.card("/ann/book/a.vcf", "\"1\""))
        let head = "HTTP/1.1 207 Multi-Status\r\nContent-Length: \(whole.utf8.count)\r\n\r\n"
        let half = head + whole.prefix(whole.count / 2)
        for answer in [FaultServer.Answer.raw(half), .silence(after: half), .raw(""), .silence(after: "")] {
            let server = try FaultServer { _ in answer }
            let hasty = DAVTimeouts(deadlines: HTTPDeadlines.patient.with(idle: .milliseconds(100)), retry: .never)
            let error = await #expect(throws: RemoteError.self) {
                try await DAVFixture.book(server, patience: hasty).changes(since: "t")
            }
            guard case .unreachable? = error else {
                Issue.record("\(String(describing: error))")
                return
            }
        }
    }

    @Test func `reading is tried again after a fault`() async throws {
        let server = try FaultServer { request in
            request.headers["depth"] == "0" && request.method == "REPORT"
                ? .multistatus(DAVChangesTests.token("t")) : .status(400)
        }
        let flaky = try FaultServer { _ in .status(503, headers: ["Retry-After: 7"]) }
        let patient = DAVTimeouts(deadlines: .patient, retry: DAVTimeouts.sync.retry)
        #expect(try await DAVFixture.book(server, patience: patient).changes(since: nil).token == "t")
        await #expect(throws: RemoteError.busy(retryAfter: 7)) {
            try await DAVFixture.book(flaky, patience: patient).changes(since: nil)
        }
        #expect(flaky.requests.count == 4)
    }

    @Test func `the state is the sync token, or else the collection's etag`() async throws {
        func server(_ properties: String) throws -> FaultServer {
            try FaultServer { _ in .multistatus(FaultServer.item("/ann/book/", properties)) }
        }
        let both = try server("<D:sync-token>t</D:sync-token><CS:getctag>c</CS:getctag>")
        #expect(try await DAVFixture.book(both).state() == "t")
        let old = try server("<CS:getctag>c</CS:getctag>")
        #expect(try await DAVFixture.book(old).state() == "c")
        let bare = try server("")
        #expect(try await DAVFixture.book(bare).state() == nil)
    }
}
