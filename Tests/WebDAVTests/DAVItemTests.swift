import DAVTestSupport
import HTTPClient
import NetworkTestSupport
import Sync
import Testing

@testable import WebDAV

/// Fetching and writing single cards.
@Suite(.timeLimit(.minutes(20)))
struct DAVItemTests {
    private static func data(_ href: String, _ text: String, etag: String = "\"1\"") -> String {
        FaultServer.item(href, "<D:getetag>\(etag)</D:getetag><C:address-data>\(text)</C:address-data>")
    }

    // MARK: Fetching

    @Test func `cards come with their line ends, under the names they were asked by`() async throws {
        let server = try FaultServer { _ in
            .multistatus(
                DAVItemTests.data("/ann/book/b%40.vcf", "BEGIN:VCARD\nNOTE:1&amp;2\r\nEND:VCARD\n")
                    + DAVItemTests.data("/ann/book/a.vcf", "A\n", etag: "W/\"2\"")
                    + FaultServer.item("/ann/book/c.vcf", status: 404))
        }
        let cards = try await DAVFixture.book(server).fetch([
            "/ann/book/a.vcf", "/ann/book/b@.vcf", "/ann/book/c.vcf",
        ])
        #expect(
            cards == [
                RemoteItem(href: "/ann/book/a.vcf", etag: "W/\"2\"", bytes: Array("A\r\n".utf8)),
                RemoteItem(
                    href: "/ann/book/b@.vcf", etag: "\"1\"",
                    bytes: Array("BEGIN:VCARD\r\nNOTE:1&2\r\nEND:VCARD\r\n".utf8)),
            ])
    }

    @Test func `a hundred are asked for at a time`() async throws {
        let hrefs = (0..<250).map { "/ann/book/\($0).vcf" }
        let server = try FaultServer { request in
            .multistatus(
                hrefs.filter { request.text.contains("<D:href>\($0)</D:href>") }.map { DAVItemTests.data($0, "x") }
                    .joined())
        }
        let cards = try await DAVFixture.book(server).fetch(hrefs)
        #expect(cards.map(\.href) == hrefs)
        #expect(server.requests.count == 3)
    }

    @Test func `a whole book comes with one query, and not at all from a server that has none`() async throws {
        let server = try FaultServer { request in
            guard request.text.contains("addressbook-query") else { return .status(500) }
            return .multistatus(
                DAVItemTests.data("/ann/book/a.vcf", "A\n") + FaultServer.card("/ann/book/b.vcf", "\"2\"")
                    + FaultServer.item("/ann/book/", "")
                    + DAVItemTests.data("/ann/book/c%40.vcf", "C\n", etag: "\"3\""))
        }
        let cards = try await DAVFixture.book(server).everything()
        #expect(
            cards == [
                RemoteItem(href: "/ann/book/a.vcf", etag: "\"1\"", bytes: Array("A\r\n".utf8)),
                RemoteItem(href: "/ann/book/c%40.vcf", etag: "\"3\"", bytes: Array("C\r\n".utf8)),
            ])
        for answer in [FaultServer.Answer.status(403), .multistatus("<"), .error(507, "")] {
            let server = try FaultServer { _ in answer }
            #expect(try await DAVFixture.book(server).everything() == nil)
        }
    }

    @Test func `what is left out is asked for by itself, and gone only when the server says so`() async throws {
        let server = try FaultServer { request in
            switch (request.method, request.target) {
            case ("REPORT", _):
                .multistatus(
                    DAVItemTests.data("/ann/book/a.vcf", "A") + FaultServer.card("/ann/book/b.vcf", "\"2\"")
                        + FaultServer.item("/ann/book/c.vcf", status: 500))
            case (_, "/ann/book/b.vcf"): .status(200, headers: ["ETag: \"2\""], body: "B\r\n")
            case (_, "/ann/book/c.vcf"): .status(200, headers: ["ETag: \"3\""], body: "C\n")
            default: .status(404)
            }
        }
        let cards = try await DAVFixture.book(server).fetch(["a", "b", "c", "d"].map { "/ann/book/\($0).vcf" })
        #expect(cards.map(\.href) == ["a", "b", "c"].map { "/ann/book/\($0).vcf" })
        #expect(cards.map(\.etag) == ["\"1\"", "\"2\"", "\"3\""])
        let broken = try FaultServer { $0.method == "REPORT" ? .multistatus("") : .status(403) }
        let left = try await DAVFixture.book(broken).fetch(["/ann/book/a.vcf", "/ann/book/b.vcf"])
        #expect(left.map(\.failure) == ["status 403", "status 403"])
    }

    // MARK: Writing

    private func create(_ answer: FaultServer.Answer) async throws -> PutResult {
        let server = try FaultServer { _ in answer }
        return try await DAVFixture.book(server).create([0x41], name: "urn:uuid:1")
    }

    @Test func `a new card goes to a name of its own and may not replace one`() async throws {
        let server = try FaultServer { _ in .status(201, headers: ["ETag: \"1\""]) }
        let answer = try await DAVFixture.book(server).create([0x41], name: "4fk-Ada")
        #expect(answer == .stored(href: "/ann/book/4fk-Ada.vcf", etag: "\"1\""))
        let sent = try #require(server.requests.first)
        #expect(sent.method == "PUT" && sent.target == "/ann/book/4fk-Ada.vcf" && sent.body == [0x41])
        #expect(sent.headers["if-none-match"] == "*" && sent.headers["content-type"] == "text/vcard; charset=utf-8")
        #expect(sent.headers["authorization"] == "Basic YW5uOnNlY3JldA==")
    }

    @Test func `the server may choose the name`() async throws {
        #expect(
            try await create(.status(201, headers: ["Location: /ann/book/x%20y.vcf"]))
                == .stored(href: "/ann/book/x%20y.vcf", etag: nil))
    }

    @Test func `names that need escaping are replaced and stay different`() {
        let names = ["urn:uuid:1", "urn/uuid/1", "ä", "ö", "", String(repeating: "x", count: 300), "..", "a.b"]
        let url = HTTPURL(host: "a.org", path: "/")
        let book = DAVCollection(session: DAVFixture.session(HTTPScope(origin: url)), url: url, kind: .cards)
        let files = names.map(book.fileName)
        #expect(Set(files).count == names.count)
        for file in files {
            #expect(
                file.utf8.count <= 100 && PercentEncoding.encode(file) == file && file.hasSuffix(".vcf"), "\(file)")
        }
        #expect(book.fileName("0a-B_9") == "0a-B_9.vcf")
    }

    @Test func `every refusal of a card is told apart`() async throws {
        func refusal(_ answer: FaultServer.Answer) async throws -> String {
            switch try await create(answer) {
            case .refused(.version): "version"
            case .refused(.invalid): "invalid"
            case .refused(.tooLarge): "too large"
            case .refused(.noSpace): "no space"
            case .refused(.notAllowed): "not allowed"
            case .refused(.serverError): "server error"
            case .refused(.failed): "failed"
            case .uidTaken(let href): "uid taken \(href ?? "-")"
            case .nameTaken(let href): "name taken \(href)"
            case .changedMeanwhile: "changed"
            case .gone: "gone"
            case .stored: "stored"
            }
        }
        let uid = "<C:no-uid-conflict><D:href>/ann/book/twin.vcf</D:href></C:no-uid-conflict>"
        #expect(try await refusal(.error(409, uid)) == "uid taken /ann/book/twin.vcf")
        #expect(try await refusal(.error(403, "<C:no-uid-conflict/>")) == "uid taken -")
        #expect(try await refusal(.status(412)).hasPrefix("name taken /ann/book/urn-uuid-1-"))
        #expect(try await refusal(.error(412, "<C:valid-address-data/>")) == "invalid")
        #expect(try await refusal(.error(403, "<C:supported-address-data/>")) == "version")
        #expect(try await refusal(.error(403, "<C:max-resource-size/>")) == "too large")
        #expect(try await refusal(.status(415)) == "version")
        #expect(try await refusal(.status(413)) == "too large")
        #expect(try await refusal(.status(507)) == "no space")
        #expect(try await refusal(.status(400)) == "invalid")
        #expect(try await refusal(.status(403)) == "not allowed")
    }

    /// Every status that a server or a proxy in front of it may answer to one item.
    private static let odd = [
        300, 304, 400, 402, 403, 404, 405, 406, 409, 410, 411, 413, 414, 415, 417, 418, 421, 422, 423, 424, 425, 426,
        428,
        431, 451, 500, 501, 502, 503, 504, 505, 506, 507, 508, 510, 511, 520, 521, 522, 525, 599,
    ]

    @Test(arguments: odd) func `no status for one item is a failure of the account`(status: Int) async throws {
        let server = try FaultServer { _ in .status(status) }
        let book = DAVFixture.book(server)
        guard case .refused(let created) = try await book.create([0x41], name: "a") else {
            Issue.record("created with \(status)")
            return
        }
        #expect(!created.reason.isEmpty)
        let updated = try await book.update("/ann/book/a.vcf", to: [0x41], ifMatch: "\"1\"")
        let removed = try await book.remove("/ann/book/a.vcf", ifMatch: "\"1\"")
        if [404, 410].contains(status) {
            #expect(updated == .gone && removed == .gone)
            #expect(try await book.fetch(["/ann/book/a.vcf"]).isEmpty)
            return
        }
        guard case .refused = updated, case .refused = removed else {
            Issue.record("\(status): \(updated), \(removed)")
            return
        }
        let fetched = try await book.fetch(["/ann/book/a.vcf"])
        #expect(fetched.count == 1 && fetched[0].failure?.contains("\(status)") == true)
    }

    @Test func `whoever says when to come back is asked nothing more`() async throws {
        for (status, headers) in [(429, []), (429, ["Retry-After: 5"]), (503, ["Retry-After: 5"])] {
            let error = await #expect(throws: RemoteError.self) { try await create(.status(status, headers: headers)) }
            #expect(error == .busy(retryAfter: headers.isEmpty ? nil : 5))
        }
        for status in [401, 407] {
            let error = await #expect(throws: RemoteError.self) { try await create(.status(status)) }
            guard case .denied? = error else {
                Issue.record("\(String(describing: error))")
                return
            }
        }
    }

    @Test func `what the server says is told, freed of control characters`() async throws {
        let answer = try await create(
            .status(400, headers: ["Content-Type: text/plain"], body: "No \u{1B}[31mFN\nmore"))
        #expect(answer == .refused(.invalid(reason: "status 400: No [31mFN")))
    }

    @Test func `an update holds only for the version it was made from`() async throws {
        let server = try FaultServer { request in
            switch request.target {
            case "/ann/book/a.vcf": .status(request.headers["if-match"] == "\"1\"" ? 204 : 412)
            default: .status(404)
            }
        }
        let book = DAVFixture.book(server)
        #expect(
            try await book.update("/ann/book/a.vcf", to: [1], ifMatch: "\"1\"")
                == .stored(href: "/ann/book/a.vcf", etag: nil))
        #expect(
            try await book.update("/ann/book/a.vcf", to: [1], ifMatch: "1")
                == .stored(href: "/ann/book/a.vcf", etag: nil))
        #expect(try await book.update("/ann/book/a.vcf", to: [1], ifMatch: "\"0\"") == .changedMeanwhile)
        #expect(try await book.update("/ann/book/b.vcf", to: [1], ifMatch: "\"1\"") == .gone)
        #expect(try await book.remove("/ann/book/a.vcf", ifMatch: "\"1\"") == .gone)
        #expect(try await book.remove("/ann/book/a.vcf", ifMatch: "\"0\"") == .changedMeanwhile)
        #expect(try await book.remove("/ann/book/b.vcf", ifMatch: "\"0\"") == .gone)
    }

    @Test func `an etag that no server matches is compared before writing`() async throws {
        let server = try FaultServer { request in
            switch (request.method, request.target) {
            case ("GET", "/ann/book/a.vcf"): .status(200, headers: ["ETag: W/\"1\""], body: "A")
            case ("GET", "/ann/book/b.vcf"): .status(200, body: "B")
            case ("GET", _): .status(404)
            default: .status(request.headers["if-match"] == nil ? 204 : 412)
            }
        }
        let book = DAVFixture.book(server)
        #expect(
            try await book.update("/ann/book/a.vcf", to: [1], ifMatch: "W/\"1\"")
                == .stored(href: "/ann/book/a.vcf", etag: nil))
        #expect(try await book.update("/ann/book/a.vcf", to: [1], ifMatch: "W/\"0\"") == .changedMeanwhile)
        let etag = try #require(try await book.fetch(["/ann/book/b.vcf"]).first).etag
        #expect(try await book.remove("/ann/book/b.vcf", ifMatch: etag) == .gone)
        #expect(try await book.remove("/ann/book/b.vcf", ifMatch: "~1-0") == .changedMeanwhile)
        #expect(try await book.update("/ann/book/c.vcf", to: [1], ifMatch: "~1-0") == .gone)
    }

    @Test func `writing is not tried again when the answer is lost`() async throws {
        let server = try FaultServer { _ in .raw("") }
        let patient = DAVTimeouts(deadlines: .patient, retry: DAVTimeouts.sync.retry)
        let error = await #expect(throws: RemoteError.self) {
            try await DAVFixture.book(server, patience: patient).create([1], name: "a")
        }
        guard case .unreachable? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(server.requests.count == 1)
    }
}
